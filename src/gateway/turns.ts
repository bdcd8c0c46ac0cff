/** How much may be under way at once, whoever asks: the turns that those who ask for many payments, or send many webhooks, take. */

export class Turns {
  readonly #max: number
  #taken = 0
  readonly #waiting: (() => void)[] = []

  constructor(max: number) {
    this.#max = max
  }

  /** Runs `work` now, or leaves it when the maximum is under way: undefined. */
  tryTake<Result>(work: () => Promise<Result>): Promise<Result> | undefined {
    return this.#taken < this.#max ? this.take(work) : undefined
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
