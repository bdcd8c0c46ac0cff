/** A loop that works while there is work and looks again every so often when there is none; stops between two rounds. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '../host/log.ts'
import type { Metrics } from '../host/metrics.ts'

export type Pace = { everyMs: number; log: Log; metrics: Metrics }

export type Loop = { stop(): Promise<void> }

/** `round` gives how much it did: more than nothing means that it is called again at once. An error is logged and waited out. */
export function startLoop(name: string, { everyMs, log, metrics }: Pace, round: () => Promise<number>): Loop {
  const stopping = new AbortController()
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const done = await round().catch((error: unknown) => {
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
