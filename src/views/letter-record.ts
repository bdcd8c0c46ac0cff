/** How letters, and what a site has set about them, are shown to the merchant. */
import { letterKinds } from '../billing/letter.ts'
import type { Letter, LetterSettings } from '../store/letters.ts'
import type { Fields } from '../wire/shape.ts'
import { formatTimestamp } from '../wire/timestamp.ts'

export const letterShape: Fields = {
  fields: {
    id: 'integer',
    kind: 'string',
    status: 'string',
    customer_id: 'integer',
    subscription_id: 'integer',
    transaction_id: 'integer',
    recipient: 'string',
    subject: 'string',
    attempts: 'integer',
    last_error: 'string',
    created_at: 'datetime',
    sent_at: 'datetime',
  },
}

export const presentLetter = (letter: Letter, timeZone: string) => ({
  id: letter.id,
  kind: letter.kind,
  status: letter.sentAt !== null ? 'sent' : letter.nextAttemptAt !== null ? 'waiting' : 'given_up',
  customer_id: letter.customerId,
  subscription_id: letter.subscriptionId,
  transaction_id: letter.transactionId,
  recipient: letter.recipient,
  subject: letter.subject,
  attempts: letter.attempts,
  last_error: letter.lastError,
  created_at: formatTimestamp(letter.createdAt, timeZone),
  sent_at: letter.sentAt && formatTimestamp(letter.sentAt, timeZone),
})

export const letterSettingsShape: Fields = {
  fields: {
    ...Object.fromEntries(letterKinds.map((kind) => [kind, 'boolean' as const])),
    from_name: 'string',
    from_email: 'string',
    reply_to: 'string',
    merchant_email: 'string',
  },
}

export const presentLetterSettings = ({
  switchedOff,
  fromName,
  fromEmail,
  replyTo,
  merchantEmail,
}: LetterSettings) => ({
  ...Object.fromEntries(letterKinds.map((kind) => [kind, !switchedOff.includes(kind)])),
  from_name: fromName,
  from_email: fromEmail,
  reply_to: replyTo,
  merchant_email: merchantEmail,
})
