/** What several checks of one command refuse, told together and not one after another. */
import { invalid, Refusal } from '../billing/refusal.ts'

export class Refusals {
  readonly #messages: string[] = []

  /** What a check found; undefined where it refused, in the words that it throws. Every other failure goes on. */
  async gather<Value>(check: () => Promise<Value>): Promise<Value | undefined> {
    try {
      return await check()
    } catch (error) {
      if (!(error instanceof Refusal && error.kind === 'invalid' && !error.isPending)) throw error
      this.#messages.push(...error.messages)
      return undefined
    }
  }

  /** Throws `Refusal('invalid')` if anything was refused, each sentence once. */
  tell(): void {
    if (this.#messages.length > 0) throw invalid(...new Set(this.#messages))
  }
}
