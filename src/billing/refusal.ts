/** A request that was understood and declined, in words for the caller; the API turns each kind into one status. */

export type RefusalKind =
  | 'malformed'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'invalid'
  | 'forbidden_fields'
  | 'too_many_requests'
  | 'portal_enabled'
  | 'link_exhausted'
  | 'gone'
  | 'unavailable'

export class Refusal extends Error {
  override name = 'Refusal'
  readonly kind: RefusalKind
  /** Sentences for the caller, in the order in which the specification lists the fields. Never quotes card data. */
  readonly messages: readonly string[]
  /** Nobody knows yet: what was asked for may still be done, and whoever asks again later is told what became of it. */
  readonly isPending: boolean

  constructor(kind: RefusalKind, messages: readonly string[] = [], { isPending = false } = {}) {
    super(messages.join(' ') || kind)
    this.kind = kind
    this.messages = messages
    this.isPending = isPending
  }
}

export const invalid = (...messages: string[]): Refusal => new Refusal('invalid', messages)
export const pending = (message: string): Refusal => new Refusal('invalid', [message], { isPending: true })
export const notFound = (): Refusal => new Refusal('not_found')
