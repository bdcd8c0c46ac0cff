/** The site events of what a merchant changes about a subscription: its product, card, dates and end. */
import { formatDay } from './calendar.ts'
import { type Builder, type EventKey, type EventSubject, event, type Particulars, whose } from './event.ts'
import { type Cents, formatMoneySign } from './money.ts'
import type { PaymentProfile, PaymentType } from './payment-profile.ts'

type DateChange = Builder<[from: Temporal.Instant | null, to: Temporal.Instant | null, timeZone: string]>

const day = (at: Temporal.Instant | null, timeZone: string): string => (at === null ? 'never' : formatDay(at, timeZone))
const dayToDay = (from: Temporal.Instant | null, to: Temporal.Instant | null, timeZone: string): string =>
  `from ${day(from, timeZone)} to ${day(to, timeZone)}`

/** Days are told as MM/DD/YYYY in the site's zone, here and in the next one. */
export const billingDateChange: DateChange = (subject, from, to, timeZone) =>
  event(
    subject,
    'billing_date_change',
    `Billing date changed on ${whose(subject)} ${dayToDay(from, to, timeZone)}`,
    null,
    {
      previousAt: from,
    },
  )

export const expirationDateChange: DateChange = (subject, from, to, timeZone) =>
  event(
    subject,
    'expiration_date_change',
    `Expiration date changed on ${whose(subject)} ${dayToDay(from, to, timeZone)}`,
    null,
    { previousAt: from },
  )

/** The sign-up itself is told when it begins, and names the row that is not there yet. */
export const delayedSignupCreation: Builder<[]> = (subject) =>
  event(subject, 'delayed_signup_creation_success', `Successful delayed signup creation for ${whose(subject)}`)

/** The subject still names the old product. */
export const productChange: Builder<[to: { productId: number; name: string }]> = (subject, to) =>
  event(
    subject,
    'subscription_product_change',
    `Product changed on ${subject.customerName}'s subscription from '${subject.productName}' to '${to.name}'`,
    { new_product_id: to.productId, previous_product_id: subject.productId },
    { otherProductId: subject.productId },
  )

/** Told as a change from the product to itself: clients know no key for a price alone. */
export const priceChange: Builder<[from: { price: Cents }, to: { price: Cents }]> = (subject, from, to) =>
  event(
    subject,
    'subscription_product_change',
    `Price changed on ${whose(subject)} from ${told(from.price, subject)} to ${told(to.price, subject)}`,
    { new_product_id: subject.productId, previous_product_id: subject.productId },
    { otherProductId: subject.productId },
  )

const told = (price: Cents, { currency }: EventSubject): string => formatMoneySign(price, currency)

type Migrated = Builder<[to: { productId: number; name: string }]>

/** A change of product with proration; the subject still names the old product, here and in the next one. */
export const upgradeDowngradeSuccess: Migrated = (subject, to) =>
  event(subject, 'upgrade_downgrade_success', `Successful upgrade/downgrade for ${fromTo(subject, to)}`, null, {
    otherProductId: subject.productId,
  })

export const upgradeDowngradeFailure: Migrated = (subject, to) =>
  event(subject, 'upgrade_downgrade_failure', `Failed upgrade/downgrade for ${fromTo(subject, to)}`, null, {
    otherProductId: to.productId,
  })

const fromTo = (subject: EventSubject, to: { name: string }): string =>
  `${subject.customerName}'s subscription from '${subject.productName}' to '${to.name}'`

const profileEvents = {
  credit_card: ['subscription_card_update', 'Credit card'],
  bank_account: ['subscription_bank_account_update', 'Bank account'],
} as const satisfies Record<PaymentType, readonly [EventKey, string]>

/** What pays now is a card or a bank account; what paid before is told by its id, or as it was where it was corrected. */
export const profileUpdate: Builder<
  [paymentType: PaymentType, before: Pick<Particulars, 'previousProfileId' | 'previousProfile'>]
> = (subject, paymentType, before) => {
  const [key, name] = profileEvents[paymentType]
  return event(subject, key, `${name} updated on ${whose(subject)}`, null, before)
}

export const profileRemoval: Builder<[profile: Pick<PaymentProfile, 'id' | 'paymentType'>]> = (subject, profile) => {
  const [key, name] = profileEvents[profile.paymentType]
  return event(subject, key, `${name} removed from ${whose(subject)}`, null, { previousProfileId: profile.id })
}

/**
 * `cancelsAt` is the moment at which the subscription ends, or would have ended had the cancellation not been called off; `day` is its
 * day as MM/DD/YYYY in the site's zone.
 */
export const pendingCancellationChange: Builder<
  [change: 'start' | 'stop', cancelsAt: Temporal.Instant, day: string]
> = (subject, change, cancelsAt, day) =>
  event(
    subject,
    'pending_cancellation_change',
    change === 'stop'
      ? `Cancellation called off on ${whose(subject)}`
      : `Cancellation scheduled on ${whose(subject)} for ${day}`,
    { cancellation_state: change, cancels_at: cancelsAt.toString() },
  )

export const collectionMethodChange: Builder<[from: string, to: string]> = (subject, from, to) =>
  event(
    subject,
    'payment_collection_method_changed',
    `Payment collection method changed on ${whose(subject)} from ${from} to ${to}`,
    { previous_value: from, current_value: to },
  )

/** Its billing stopped because it could not be assessed; whoever runs the service knows why. */
export const subscriptionParked: Builder<[]> = (subject) =>
  event(subject, 'subscription_parked', `Billing stopped on ${whose(subject)} because it could not be assessed`)
