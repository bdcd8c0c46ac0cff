/** Moves a test site's clock and waits for a while until it has arrived; a longer move goes on by itself. */
import { setTimeout as pause } from 'node:timers/promises'
import { beginAdvance, finishAdvance } from './advance-clock.ts'
import { type App, write } from './app.ts'

/** Whoever asked is told after this long that the clock is still on its way. */
const patienceMs = 30_000

/** Refuses live sites, moves backwards, and a second move while one is under way. */
export async function moveClock(
  app: App,
  siteId: number,
  target: Temporal.Instant,
  { waitMs = patienceMs }: { waitMs?: number } = {},
): Promise<number> {
  await beginAdvance(app, siteId, target)
  const { beforeCommit: _, requestHashes: __, began: ___, ...background } = app
  const arrival = finishAdvance(background, siteId)
  const waiting = new AbortController()
  const isLate = pause(waitMs, true, { signal: waiting.signal, ref: false }).catch(() => false)
  const late = await Promise.race([arrival.then(() => false), isLate]).finally(() => waiting.abort())
  if (late) {
    arrival.catch((error: unknown) => {
      app.log.error({ siteId, error: error instanceof Error ? error.name : typeof error }, 'a clock stopped on its way')
    })
  }
  return write(app, async () => siteId)
}
