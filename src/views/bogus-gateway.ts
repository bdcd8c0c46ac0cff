/** How the test gateway's record and behaviour are shown. */
import type { Behaviour, ListedCall } from '../gateway/bogus-record.ts'
import type { Fields } from '../wire/shape.ts'
import { formatTimestamp } from '../wire/timestamp.ts'

export const callShape: Fields = {
  fields: {
    id: 'integer',
    idempotency_key: 'string',
    kind: 'string',
    amount_in_cents: 'integer',
    outcome: 'string',
    subscription_id: 'integer',
    created_at: 'datetime',
  },
}

/** Times are those of the wall clock: the gateway does not know that a site's clock was moved. */
export const presentCall = (call: ListedCall, timeZone: string) => ({
  id: call.id,
  idempotency_key: call.idempotencyKey,
  kind: call.kind,
  amount_in_cents: call.amountInCents,
  outcome: call.outcome,
  subscription_id: call.subscriptionId,
  created_at: formatTimestamp(call.createdAt, timeZone),
})

export const behaviourShape: Fields = {
  fields: { latency_in_ms: 'integer', decline_rate: 'decimal', error_rate: 'decimal', lose_answer_rate: 'decimal' },
}

export const presentBehaviour = (behaviour: Behaviour) => ({
  latency_in_ms: behaviour.latencyInMs,
  decline_rate: behaviour.declineRate,
  error_rate: behaviour.errorRate,
  lose_answer_rate: behaviour.loseAnswerRate,
})
