/** What one gateway bears at once, whoever asks: the turns that those who ask for many payments take. */

export class Turns {
  readonly #max: number
  #taken = 0
  readonly #waiting: (() => void)[] = []

  constructor(max: number) {
    this.#max = max
  }

  /** Runs `work` as soon as fewer than the maximum are under way; first come, first served. */
  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#taken < this.#max) this.#taken += 1
    else await new Promise<void>((begin) => this.#waiting.push(begin))
    try {
      return await work()
    } finally {
      // Whoever waits longest inherits the turn.
      const next = this.#waiting.shift()
      if (next === undefined) this.#taken -= 1
      else next()
    }
  }
}
