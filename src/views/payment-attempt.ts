/** How a payment attempt is shown: what a gateway was asked for, and what became of it. */
import type { AttemptRecord } from '../store/payment-attempts.ts'
import type { Fields } from '../wire/shape.ts'
import { formatTimestamp } from '../wire/timestamp.ts'

export const paymentAttemptShape: Fields = {
  fields: {
    id: 'integer',
    subscription_id: 'integer',
    reason: 'string',
    amount_in_cents: 'integer',
    gateway: 'string',
    idempotency_key: 'string',
    card_number: 'string',
    outcome: 'string',
    message: 'string',
    gateway_transaction_id: 'string',
    created_at: 'datetime',
    asked_at: 'datetime',
    settled_at: 'datetime',
    unresolved_since: 'datetime',
  },
}

export function presentPaymentAttempt(attempt: AttemptRecord, timeZone: string) {
  const at = (instant: Temporal.Instant | null) => (instant === null ? null : formatTimestamp(instant, timeZone))
  return {
    id: attempt.id,
    subscription_id: attempt.subscriptionId,
    reason: attempt.reason,
    amount_in_cents: attempt.amount,
    gateway: attempt.gateway,
    idempotency_key: attempt.idempotencyKey,
    card_number: attempt.cardNumber,
    outcome: attempt.outcome,
    message: attempt.outcomeMessage,
    gateway_transaction_id: attempt.gatewayTransactionId,
    created_at: at(attempt.createdAt),
    asked_at: at(attempt.askedAt),
    settled_at: at(attempt.settledAt),
    unresolved_since: at(attempt.unresolvedSince),
  }
}
