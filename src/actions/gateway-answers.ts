/** What gateways answer, and how long it is waited for: what those who ask, settle and recover have in common. */
import type { Outcome, PaymentAttempt } from '../billing/changes.ts'
import type { Gateway } from '../gateway/gateway.ts'

/** Added to what a gateway's calls can take: the time in which a call on record is made, and what whole seconds hide. */
export const quietMarginSeconds = 20

/** `heard` is 1 where a call was answered, 0 where nobody knows what it did or where its outcome was looked up. */
export type Answered<Attempt extends PaymentAttempt = PaymentAttempt> = {
  attempt: Attempt
  outcome: Outcome
  heard: 0 | 1
  isQuiet?: boolean
  /** It was taken by somebody else, who asks. */
  isLeft?: boolean
}

/** A call must have arrived before the gateway forgets its key. */
export const keySecondsOf = ({ keySecondsMax, callSecondsMax }: Gateway): number | null =>
  keySecondsMax === null ? null : Math.max(0, keySecondsMax - callSecondsMax - quietMarginSeconds)

export const conversationBroke = { result: 'unknown', message: 'The conversation with the gateway broke.' } as const

/** What the gateway has on record under the attempt's key; undefined when it does not say. */
export const lookUp = (
  gateway: Gateway,
  attempt: PaymentAttempt,
): Promise<Outcome | { result: 'not_found' } | undefined> =>
  (attempt.reason === 'refund' ? gateway.findRefund(attempt) : gateway.find(attempt)).catch(() => undefined)

/** A thrown error is a conversation that broke: whether money moved is unknown. Its message may quote anything, so it is dropped. */
export const orUnknown = (asked: Promise<Outcome>): Promise<Outcome> => asked.catch(() => conversationBroke)
