/** Which events are told by letter, to customers and to the merchant, and when a letter that could not be sent is tried again. */
import type { EventKey, SiteEvent } from './event.ts'

const customerLetterKinds = [
  'invitation',
  'receipt',
  'payment_failed',
  'card_expiring',
  'trial_ending',
  'upcoming_renewal',
  'cancellation',
] as const
export type CustomerLetterKind = (typeof customerLetterKinds)[number]

/** They go to the site's own address, and are named as the events that they tell of. */
const merchantLetterKinds = [
  'webhook_endpoint_failing',
  'webhook_endpoint_recovered',
  'subscription_parked',
  'gateway_failing',
  'gateway_recovered',
  'late_payment_recorded',
  'late_payment_given_back',
  'payment_unresolved',
] as const satisfies readonly EventKey[]
export type MerchantLetterKind = (typeof merchantLetterKinds)[number]

export const letterKinds = [...customerLetterKinds, ...merchantLetterKinds] as const
export type LetterKind = (typeof letterKinds)[number]

/** Plain values that are not on record elsewhere, or will be different by the time the letter is sent. */
export type LetterDetails = Readonly<Record<string, string | number | null>>

export type NewLetter = {
  siteId: number
  kind: LetterKind
  /** Null for a letter to the merchant. */
  customerId: number | null
  subscriptionId: number | null
  transactionId: number | null
  details: LetterDetails
  createdAt: Temporal.Instant
}

type Told = Pick<NewLetter, 'transactionId' | 'details'> & { kind: CustomerLetterKind }

const number = (event: SiteEvent, name: string): number | null => {
  const value = event.eventSpecificData?.[name]
  return typeof value === 'number' ? value : null
}

/** By the time a letter is sent the subscription may be in its next period. */
const announced = ({ particulars }: SiteEvent): LetterDetails => ({
  amount_in_cents: particulars?.estimatedAmount ?? null,
  ends_at: particulars?.periodEndsAt?.toString() ?? null,
})

const tells: Partial<Record<EventKey, (event: SiteEvent) => Told | undefined>> = {
  payment_success: (event) => ({
    kind: 'receipt',
    transactionId: number(event, 'account_transaction_id'),
    details: {},
  }),
  payment_failure: (event) => ({
    kind: 'payment_failed',
    transactionId: number(event, 'account_transaction_id'),
    details: {},
  }),
  // Without a card nothing was tried, and the renewal alone says that nothing was paid.
  renewal_failure: ({ particulars }) =>
    particulars?.isGatewayFailure ? undefined : { kind: 'payment_failed', transactionId: null, details: {} },
  expiring_card: () => ({ kind: 'card_expiring', transactionId: null, details: {} }),
  trial_end_notice: (event) => ({ kind: 'trial_ending', transactionId: null, details: announced(event) }),
  upcoming_renewal_notice: (event) => ({ kind: 'upcoming_renewal', transactionId: null, details: announced(event) }),
  subscription_state_change: ({ eventSpecificData: data }) =>
    data?.new_subscription_state === 'canceled'
      ? { kind: 'cancellation', transactionId: null, details: { cancels_at: null } }
      : undefined,
  pending_cancellation_change: ({ eventSpecificData: data }) =>
    data?.cancellation_state === 'start'
      ? { kind: 'cancellation', transactionId: null, details: { cancels_at: String(data.cancels_at ?? '') || null } }
      : undefined,
}

/** The letters that go with notices, by the events that give them. */
const noticeLetters: Partial<Record<EventKey, CustomerLetterKind>> = {
  trial_end_notice: 'trial_ending',
  upcoming_renewal_notice: 'upcoming_renewal',
}

export const isNotice = (key: EventKey): boolean => noticeLetters[key] !== undefined

/** Whether a notice is told to the customer by letter too, on a site that sends all letters but some kinds. */
export function isNoticeSent(key: EventKey, switchedOff: readonly LetterKind[]): boolean {
  const kind = noticeLetters[key]
  return kind !== undefined && !switchedOff.includes(kind)
}

const isForMerchant = (key: EventKey): key is MerchantLetterKind => merchantLetterKinds.some((kind) => kind === key)

/** What the event says is kept with the letter: nothing else is looked up when it is sent. */
const toMerchant = (
  { siteId, message, eventSpecificData, subscriptionId, createdAt }: SiteEvent,
  kind: MerchantLetterKind,
) => ({
  siteId,
  kind,
  customerId: null,
  subscriptionId,
  transactionId: null,
  details: { ...(eventSpecificData as LetterDetails | null), message },
  createdAt,
})

/** One letter for each event that concerns a customer or the merchant; a failed renewal whose payment failed is one thing, not two. */
export function lettersOf(events: readonly SiteEvent[]): NewLetter[] {
  const failed = new Set(
    events.filter(({ key }) => key === 'payment_failure').map(({ subscriptionId }) => subscriptionId),
  )
  return events.flatMap((event): NewLetter[] => {
    const { siteId, key, customerId, subscriptionId, createdAt } = event
    if (isForMerchant(key)) return [toMerchant(event, key)]
    if (customerId === null || subscriptionId === null) return []
    if (key === 'renewal_failure' && failed.has(subscriptionId)) return []
    const told = tells[key]?.(event)
    return told === undefined ? [] : [{ siteId, customerId, subscriptionId, createdAt, ...told }]
  })
}

/** Minutes from one attempt to the next; after the last of them a letter is given up. */
const waitsMinutes = [1, 5, 30, 120, 360, 720, 1440, 1440]

/** By the wall clock; null when `attempts` were enough. */
export function nextLetterAttemptAt(attempts: number, now: Temporal.Instant): Temporal.Instant | null {
  const minutes = waitsMinutes[attempts - 1]
  return minutes === undefined ? null : now.add({ minutes })
}
