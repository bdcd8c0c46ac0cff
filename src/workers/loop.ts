/** A loop that works while there is work and looks again every so often when there is none; stops between two rounds. */
import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../actions/app.ts'

export type Pace = { everyMs: number; app: Pick<App, 'log' | 'metrics' | 'db'> }

export type Loop = { stop(): Promise<void> }

/**
 * `round` gives how much it did: more than nothing means that it is called again at once. An error is logged and waited out. While
 * the database is away no round begins.
 */
export function startLoop(name: string, { everyMs, app }: Pace, round: () => Promise<number>): Loop {
  const { db, log, metrics } = app
  const stopping = new AbortController()
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const work = db.isAway() ? Promise.resolve(0) : round()
      const done = await work.catch((error: unknown) => {
        metrics.roundFailed(name)
        log.error({ err: error, worker: name }, 'a round of work failed')
        return 0
      })
      if (done === 0) await pause(everyMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const running = run()
  return {
    stop: () => {
      stopping.abort()
      return running
    },
  }
}
