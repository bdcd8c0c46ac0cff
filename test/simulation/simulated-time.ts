/** Time that passes only when it is told to, for everything in a simulation: what waits is woken in order, and nothing else moves. */
import type { Timers } from '../../src/host/timers.ts'

type Waiting = { at: number; number: number; run: () => void }

export class SimulatedTime {
  #nowMs = 0
  #numbers = 0
  #waiting: Waiting[] = []

  /** Milliseconds since the simulation began. */
  get nowMs(): number {
    return this.#nowMs
  }

  after(ms: number, run: () => void): { cancel(): void } {
    const waiting = { at: this.#nowMs + Math.max(0, ms), number: this.#numbers++, run }
    this.#waiting.push(waiting)
    return {
      cancel: () => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting)
      },
    }
  }

  sleep = (ms: number): Promise<void> => new Promise((done) => this.after(ms, done))

  /** Goes on to the next thing that waits, not beyond `untilMs`, and wakes it; false when nothing waits until then. */
  step(untilMs: number): boolean {
    const next = this.#waiting
      .filter(({ at }) => at <= untilMs)
      .sort((one, other) => one.at - other.at || one.number - other.number)[0]
    if (next === undefined) {
      this.#nowMs = Math.max(this.#nowMs, untilMs)
      return false
    }
    this.#waiting = this.#waiting.filter((other) => other !== next)
    this.#nowMs = Math.max(this.#nowMs, next.at)
    next.run()
    return true
  }

  /** As one process sees it, through a gate that is shut while the process stands still. */
  timers(pass: () => Promise<void>): Timers {
    return {
      monotonicMs: () => this.#nowMs,
      sleep: async (ms) => {
        await this.sleep(ms)
        await pass()
      },
      after: (ms, run) => this.after(ms, () => void pass().then(run)),
    }
  }
}

/** A stream of numbers from 0 to 1 that a seed and a few words determine (mulberry32 over FNV-1a). */
export function chances(...words: readonly (string | number)[]): () => number {
  let state = 0x811c9dc5
  for (const letter of words.join(' ')) state = Math.imul(state ^ letter.charCodeAt(0), 0x01000193) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
