/** Every site event that our acts cause: its key, its sentence, and the data it carries. */
import type { ProductTerms } from './catalog.ts'
import type { Component } from './component.ts'
import type { AppliedCoupon } from './coupon.ts'
import type { Customer } from './customer.ts'
import { type Cents, formatMoneySign } from './money.ts'
import type { PaymentProfile } from './payment-profile.ts'
import type { Subscription } from './subscription.ts'

/** Kinds that no client of other services knows: typed ones cannot read a page with such an event, so lists show them on request only. */
export const ownEventKeys = [
  'subscription_parked',
  'gateway_failing',
  'gateway_recovered',
  'late_payment_recorded',
  'late_payment_given_back',
  'payment_unresolved',
  'webhook_endpoint_failing',
  'webhook_endpoint_recovered',
] as const

export const eventKeys = [
  'customer_create',
  'customer_update',
  'customer_delete',
  'signup_success',
  'signup_failure',
  'delayed_signup_creation_success',
  'renewal_success',
  'renewal_failure',
  'payment_success',
  'payment_failure',
  'dunning_step_reached',
  'subscription_state_change',
  'subscription_deletion',
  'subscription_product_change',
  'subscription_card_update',
  'subscription_bank_account_update',
  'billing_date_change',
  'expiration_date_change',
  'pending_cancellation_change',
  'payment_collection_method_changed',
  'statement_closed',
  'statement_settled',
  'invoice_issued',
  'refund_success',
  'refund_failure',
  'upgrade_downgrade_success',
  'upgrade_downgrade_failure',
  'component_allocation_change',
  'metered_usage',
  'custom_field_value_change',
  'trial_end_notice',
  'upcoming_renewal_notice',
  'expiring_card',
  ...ownEventKeys,
] as const
export type EventKey = (typeof eventKeys)[number]

/** What a webhook tells beyond the row of its event. It is read while the act is written, and kept nowhere else. */
export type Particulars = {
  statementId?: number
  /** The row of the refund, failed or not. */
  refundId?: number
  /** The product that was left; of a failed migration, the one that was wanted. */
  otherProductId?: number
  /** The date before the change; null was never. */
  previousAt?: Temporal.Instant | null
  component?: Component
  /** The card or bank account before the change: by its id, or as it was where it was corrected. */
  previousProfileId?: number | null
  previousProfile?: PaymentProfile
  estimatedAmount?: Cents
  /** The end that a notice announces. */
  periodEndsAt?: Temporal.Instant
  /** The gateway failed: nothing was tried with the customer's card. */
  isGatewayFailure?: boolean
  /** What was to become a subscription. */
  failedSignup?: {
    subscription: Subscription
    customer: Customer
    card: PaymentProfile | null
    terms: ProductTerms
    coupons: readonly AppliedCoupon[]
  }
}

/** Plain JSON; most shapes are flat, steps of the dunning are not. */
export type EventData = { readonly [name: string]: string | number | boolean | null | EventData }

export type SiteEvent = {
  siteId: number
  key: EventKey
  message: string
  subscriptionId: number | null
  customerId: number | null
  createdAt: Temporal.Instant
  eventSpecificData: EventData | null
  particulars?: Particulars
}

/** Whose event it is and how sentences name them. */
export type EventSubject = {
  siteId: number
  subscriptionId: number
  customerId: number
  customerName: string
  productId: number
  productName: string
  currency: string
  at: Temporal.Instant
}

export type Builder<Arguments extends unknown[]> = (subject: EventSubject, ...details: Arguments) => SiteEvent

export const whose = (subject: EventSubject): string =>
  `${subject.customerName}'s subscription to ${subject.productName}`

export const event = (
  subject: EventSubject,
  key: EventKey,
  message: string,
  eventSpecificData: EventData | null = null,
  particulars?: Particulars,
): SiteEvent => ({
  siteId: subject.siteId,
  key,
  message,
  subscriptionId: subject.subscriptionId,
  customerId: subject.customerId,
  createdAt: subject.at,
  eventSpecificData,
  ...(particulars && { particulars }),
})

const moneyData = (subject: EventSubject, transactionId: number | null): EventData => ({
  product_id: subject.productId,
  account_transaction_id: transactionId,
})

/** `transactionId` is that of the payment, else that of the charge for the first period; null where there is neither. */
export const signupSuccess: Builder<[transactionId: number | null]> = (subject, transactionId) =>
  event(subject, 'signup_success', `Successful signup for ${whose(subject)}`, moneyData(subject, transactionId))

export const signupFailure: Builder<[]> = (subject) =>
  event(subject, 'signup_failure', `Failed signup for ${whose(subject)}`)

/** `transactionId` as with sign-ups. */
export const renewalSuccess: Builder<[transactionId: number | null]> = (subject, transactionId) =>
  event(subject, 'renewal_success', `Successful renewal for ${whose(subject)}`, moneyData(subject, transactionId))

/** `isGatewayFailure` keeps it from the customer, whose card was not even tried. */
export const renewalFailure: Builder<[transactionId: number | null, isGatewayFailure?: boolean]> = (
  subject,
  transactionId,
  isGatewayFailure = false,
) =>
  event(
    subject,
    'renewal_failure',
    `Failed renewal for ${whose(subject)}`,
    moneyData(subject, transactionId),
    isGatewayFailure ? { isGatewayFailure } : undefined,
  )

export const paymentSuccess: Builder<[amount: Cents, transactionId: number]> = (subject, amount, transactionId) =>
  event(
    subject,
    'payment_success',
    `Successful payment of ${formatMoneySign(amount, subject.currency)} for ${whose(subject)}`,
    moneyData(subject, transactionId),
  )

export const paymentFailure: Builder<[amount: Cents, transactionId: number]> = (subject, amount, transactionId) =>
  event(
    subject,
    'payment_failure',
    `Failed payment of ${formatMoneySign(amount, subject.currency)} for ${whose(subject)}`,
    moneyData(subject, transactionId),
  )

/** Typed clients read a number; what is none, or would lose digits as one, is told as it is. */
const numberOf = (id: string | null): number | string | null =>
  id !== null && /^[1-9]\d*$/.test(id) && Number.isSafeInteger(Number(id)) ? Number(id) : id

/** `gatewayTransactionId` is null when the money was given back without a gateway. */
export const refundSuccess: Builder<[amount: Cents, refundId: number, gatewayTransactionId: string | null]> = (
  subject,
  amount,
  refundId,
  gatewayTransactionId,
) =>
  event(
    subject,
    'refund_success',
    `Successful refund of ${formatMoneySign(amount, subject.currency)} for ${whose(subject)}`,
    { refund_id: refundId, gateway_transaction_id: numberOf(gatewayTransactionId), product_id: subject.productId },
    { refundId },
  )

export const refundFailure: Builder<[amount: Cents, refundId: number]> = (subject, amount, refundId) =>
  event(
    subject,
    'refund_failure',
    `Failed refund of ${formatMoneySign(amount, subject.currency)} for ${whose(subject)}`,
    null,
    { refundId },
  )

export const stateChange: Builder<[from: string, to: string]> = (subject, from, to) =>
  event(subject, 'subscription_state_change', `State changed on ${whose(subject)} from ${from} to ${to}`, {
    new_subscription_state: to,
    previous_subscription_state: from,
  })

export const statementClosed: Builder<[statementId: number]> = (subject, statementId) =>
  event(subject, 'statement_closed', `Statement ${statementId} closed (but not settled) for ${whose(subject)}`, null, {
    statementId,
  })

export const statementSettled: Builder<[statementId: number]> = (subject, statementId) =>
  event(subject, 'statement_settled', `Statement ${statementId} settled successfully for ${whose(subject)}`, null, {
    statementId,
  })

export const invoiceIssued: Builder<[]> = (subject) =>
  event(subject, 'invoice_issued', `Invoice issued for subscription ${subject.subscriptionId}`)

export const subscriptionDeletion: Builder<[email: string]> = (subject, email) =>
  event(
    subject,
    'subscription_deletion',
    `Subscription for ${subject.customerName} (${subject.productName}/${email}) was deleted`,
  )

type CustomerSubject = { siteId: number; customerId: number; customerName: string; at: Temporal.Instant }

/** What befell a customer; `act` is the last word of the key. */
export function customerEvent(subject: CustomerSubject, act: 'create' | 'update' | 'delete'): SiteEvent {
  const sentences = {
    create: `Customer ${subject.customerName} created`,
    update: `Customer information changed for ${subject.customerName}`,
    delete: `Customer ${subject.customerName} deleted`,
  }
  return {
    siteId: subject.siteId,
    key: `customer_${act}`,
    message: sentences[act],
    subscriptionId: null,
    customerId: subject.customerId,
    createdAt: subject.at,
    eventSpecificData: null,
  }
}

/** Whose field it is. A subscription's customer is named too. */
export type FieldOwner = {
  siteId: number
  resourceType: 'customer' | 'subscription'
  resourceId: number
  customerId: number
  at: Temporal.Instant
}

/** Null is no value: before it was set, or after it was taken out. */
export function customFieldValueChange(
  owner: FieldOwner,
  field: { id: number; name: string },
  from: string | null,
  to: string | null,
): SiteEvent {
  const { siteId, resourceId, customerId, at } = owner
  const resourceType = owner.resourceType === 'customer' ? 'Customer' : 'Subscription'
  return {
    siteId,
    key: 'custom_field_value_change',
    message: `Custom field (${field.name}) changed for ${resourceType} ${resourceId} from '${from ?? ''}' to '${to ?? ''}'.`,
    subscriptionId: owner.resourceType === 'subscription' ? resourceId : null,
    customerId,
    createdAt: at,
    eventSpecificData: {
      event_type: from === null ? 'created' : to === null ? 'deleted' : 'updated',
      metafield_name: field.name,
      metafield_id: field.id,
      old_value: from,
      new_value: to,
      resource_type: resourceType,
      resource_id: resourceId,
    },
  }
}
