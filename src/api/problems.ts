/** Several readings of one request, whose complaints are told together. */
import { InputErrors } from '../wire/input.ts'

export class Problems {
  readonly #messages: string[] = []

  /** In the order in which they were found. */
  get messages(): readonly string[] {
    return this.#messages
  }

  add(message: string): void {
    this.#messages.push(message)
  }

  /** Runs one reading and keeps what it complains about; undefined then. */
  gather<Value>(read: () => Value): Value | undefined {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof InputErrors)) throw error
      this.#messages.push(...error.messages)
      return undefined
    }
  }

  /** Throws `InputErrors` if there is anything to tell, each sentence once. */
  tell(): void {
    if (this.#messages.length > 0) throw new InputErrors([...new Set(this.#messages)])
  }
}
