/** How time passes for this process: a count that never goes back, and waits. The wall clock is another matter (`clock.ts`). */
import { setTimeout as pause } from 'node:timers/promises'

export type Timers = {
  /** Milliseconds since some moment; only differences mean something. It goes on while the process is stopped. */
  monotonicMs(): number
  sleep(ms: number): Promise<void>
  /** Calls `run` once when the time is over, unless it is canceled before. */
  after(ms: number, run: () => void): { cancel(): void }
}

export const realTimers: Timers = {
  monotonicMs: () => performance.now(),
  sleep: (ms) => pause(ms),
  after: (ms, run) => {
    const timer = setTimeout(run, ms)
    return { cancel: () => clearTimeout(timer) }
  },
}
