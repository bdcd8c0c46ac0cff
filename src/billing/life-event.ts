/** The site events of what a merchant changes about a subscription: its product, card, dates and end. */
import { type Builder, type EventSubject, event, whose } from './event.ts'

export const expirationDateChange: Builder<[from: string, to: string]> = (subject, from, to) =>
  event(subject, 'expiration_date_change', `Expiration date changed on ${whose(subject)} from ${from} to ${to}`)

/** The subject still names the old product. */
export const productChange: Builder<[to: { productId: number; name: string }]> = (subject, to) =>
  event(
    subject,
    'subscription_product_change',
    `Product changed on ${subject.customerName}'s subscription from '${subject.productName}' to '${to.name}'`,
    { new_product_id: to.productId, previous_product_id: subject.productId },
  )

type Migrated = Builder<[to: { name: string }]>

/** A change of product with proration; the subject still names the old product, here and in the next one. */
export const upgradeDowngradeSuccess: Migrated = (subject, to) =>
  event(subject, 'upgrade_downgrade_success', `Successful upgrade/downgrade for ${fromTo(subject, to)}`)

export const upgradeDowngradeFailure: Migrated = (subject, to) =>
  event(subject, 'upgrade_downgrade_failure', `Failed upgrade/downgrade for ${fromTo(subject, to)}`)

const fromTo = (subject: EventSubject, to: { name: string }): string =>
  `${subject.customerName}'s subscription from '${subject.productName}' to '${to.name}'`

export const cardUpdate: Builder<[]> = (subject) =>
  event(subject, 'subscription_card_update', `Credit card updated on ${whose(subject)}`)

/** `cancelsAt` is null when the cancellation was called off; `day` is the day as MM/DD/YYYY in the site's zone. */
export const pendingCancellationChange: Builder<[cancelsAt: Temporal.Instant | null, day: string]> = (
  subject,
  cancelsAt,
  day,
) =>
  event(
    subject,
    'pending_cancellation_change',
    cancelsAt === null
      ? `Cancellation called off on ${whose(subject)}`
      : `Cancellation scheduled on ${whose(subject)} for ${day}`,
    { cancellation_state: cancelsAt === null ? 'stop' : 'start', cancels_at: cancelsAt?.toString() ?? null },
  )

export const collectionMethodChange: Builder<[from: string, to: string]> = (subject, from, to) =>
  event(
    subject,
    'payment_collection_method_changed',
    `Payment collection method changed on ${whose(subject)} from ${from} to ${to}`,
    { previous_value: from, current_value: to },
  )
