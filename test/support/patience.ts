/** How long tests wait for what must come, and what "quickly" means on a machine that has other things to do. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'

/** Only a run that hangs is ended by this; whatever comes, comes long before, on a machine with ten times too much to do as well. */
export const patienceMs = 300_000

/** Looks again and again until there is something to see, and gives it. `what` says what did not come. */
export async function until<Seen>(
  what: string,
  look: () => Seen | Promise<Seen>,
  { everyMs = 10, waitMs = patienceMs } = {},
): Promise<NonNullable<Seen>> {
  const from = performance.now()
  for (;;) {
    const seen = await look()
    if (seen) return seen
    if (performance.now() - from > waitMs) throw new Error(`${what}: not within ${waitMs} ms`)
    await pause(everyMs)
  }
}

/** Fails when the promise takes longer than that. */
export async function within<Result>(promise: Promise<Result>, what: string, waitMs = patienceMs): Promise<Result> {
  const timer = new AbortController()
  const late = pause(waitMs, undefined, { signal: timer.signal }).then(() =>
    assert.fail(`${what}: not within ${Math.round(waitMs)} ms`),
  )
  return Promise.race([promise, late]).finally(() => timer.abort())
}

/** What takes so long at most on a machine of our own may take on this one, where others want the processors too. */
export const promptly = (ms: number): number => ms * (1 + crowd() / availableParallelism())

/** How many want a processor, now or of late. */
function crowd(): number {
  const [ofLate = 0] = loadavg()
  try {
    const running = /^(?:\S+ ){3}(\d+)\//.exec(readFileSync('/proc/loadavg', 'utf8'))?.[1]
    return Math.max(ofLate, Number(running ?? 0))
  } catch {
    return ofLate
  }
}

/** What a piece of work costs this process, whatever others do meanwhile. */
export function processorMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
