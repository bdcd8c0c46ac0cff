/** How much may be under way at once, whoever asks: the turns that those who ask for many payments, or send many webhooks, take. */

/** Of the maximum: what is left to those who have next to nothing under way, and how little that is. */
const reservedShare = 1 / 8
const littleShare = 1 / 64

type Waiting = { readonly whose: unknown; readonly begin: () => void }

export class Turns {
  readonly #max: number
  readonly #reserved: number
  readonly #little: number
  #taken = 0
  readonly #takenBy = new Map<unknown, number>()
  #waiting: Waiting[] = []

  constructor(max: number) {
    this.#max = max
    this.#reserved = Math.floor(max * reservedShare)
    this.#little = Math.ceil(max * littleShare)
  }

  /** Runs `work` now, or leaves it when the maximum is under way: undefined. */
  tryTake<Result>(work: () => Promise<Result>): Promise<Result> | undefined {
    return this.#taken < this.#max ? this.take(work) : undefined
  }

  /**
   * Runs `work` as soon as fewer than the maximum are under way; first come, first served. `whose` are told apart: where those of one
   * hang, there are turns left for those of others. Without it all turns are shared by all.
   */
  async take<Result>(work: () => Promise<Result>, whose?: unknown): Promise<Result> {
    if (this.#mayTake(whose)) this.#count(whose, 1)
    else await new Promise<void>((begin) => this.#waiting.push({ whose, begin }))
    try {
      return await work()
    } finally {
      this.#count(whose, -1)
      this.#handOn()
    }
  }

  #mayTake(whose: unknown): boolean {
    const free = this.#max - this.#taken
    if (whose === undefined || free === 0) return free > 0
    return free > this.#reserved || (this.#takenBy.get(whose) ?? 0) < this.#little
  }

  #count(whose: unknown, step: 1 | -1): void {
    this.#taken += step
    const taken = (this.#takenBy.get(whose) ?? 0) + step
    if (taken === 0) this.#takenBy.delete(whose)
    else this.#takenBy.set(whose, taken)
  }

  /** To whoever waits longest of those who may. */
  #handOn(): void {
    while (this.#waiting.length > 0) {
      const place = this.#waiting.findIndex(({ whose }) => this.#mayTake(whose))
      if (place < 0) return
      const [next] = this.#waiting.splice(place, 1)
      this.#count(next!.whose, 1)
      next!.begin()
    }
  }
}
