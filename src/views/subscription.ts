/** How a subscription is shown, with its customer, product and card or bank account. */
import { type Cents, formatDollars } from '../billing/money.ts'
import type { Site } from '../billing/site.ts'
import { nextCollectionAt, type Subscription } from '../billing/subscription.ts'
import type { SubscriptionRecord } from '../store/subscription-records.ts'
import type { Fields } from '../wire/shape.ts'
import { formatTimestamp } from '../wire/timestamp.ts'
import { bankAccountShape, presentBankAccount } from './bank-account.ts'
import { presentSubscribedCoupon, subscribedCouponShape } from './coupon.ts'
import { creditCardShape, presentCreditCard } from './credit-card.ts'
import { customerShape, presentCustomer } from './customer.ts'
import { presentProduct, productShape } from './product.ts'

export const subscriptionShape: Fields = {
  fields: {
    id: 'integer',
    state: 'string',
    balance_in_cents: 'integer',
    total_revenue_in_cents: 'integer',
    product_price_in_cents: 'integer',
    product_version_number: 'integer',
    product_price_point_id: 'integer',
    product_price_point_type: 'string',
    current_period_started_at: 'datetime',
    current_period_ends_at: 'datetime',
    next_assessment_at: 'datetime',
    trial_started_at: 'datetime',
    trial_ended_at: 'datetime',
    activated_at: 'datetime',
    expires_at: 'datetime',
    created_at: 'datetime',
    updated_at: 'datetime',
    cancellation_message: 'string',
    cancellation_method: 'string',
    cancel_at_end_of_period: 'boolean',
    canceled_at: 'datetime',
    delayed_cancel_at: 'datetime',
    previous_state: 'string',
    signup_payment_id: 'integer',
    signup_revenue: 'string',
    coupon_code: 'string',
    coupon_use_count: 'integer',
    coupon_uses_allowed: 'integer',
    coupon_codes: { list: 'string', item: 'coupon_code' },
    coupons: { list: subscribedCouponShape, item: 'coupon' },
    reason_code: 'string',
    next_product_id: 'integer',
    next_product_price_point_id: 'integer',
    on_hold_at: 'datetime',
    automatically_resume_at: 'datetime',
    snap_day: 'string',
    payment_collection_method: 'string',
    payment_type: 'string',
    currency: 'string',
    reference: 'string',
    credit_balance_in_cents: 'integer',
    prepayment_balance_in_cents: 'integer',
    current_billing_amount_in_cents: 'integer',
    next_product_handle: 'string',
    scheduled_cancellation_at: 'datetime',
    payer_id: 'integer',
    net_terms: 'integer',
    receives_invoice_emails: 'boolean',
    locale: 'string',
    referral_code: 'string',
    offer_id: 'integer',
    unsettled_payment: { fields: { amount_in_cents: 'integer', asked_at: 'datetime', outcome: 'string' } },
    customer: customerShape,
    product: productShape,
    credit_card: creditCardShape,
    bank_account: bankAccountShape,
  },
}

/**
 * Timestamps carry the offset of the site. With nothing on file there is no `credit_card` at all, and without `currentBillingAmount`,
 * which must be priced, no `current_billing_amount_in_cents`.
 */
export function presentSubscription(
  record: SubscriptionRecord,
  site: Pick<Site, 'timeZone' | 'currency'>,
  currentBillingAmount?: Cents,
) {
  const { timeZone } = site
  const { subscription, card, coupons } = record
  const at = (instant: Temporal.Instant) => formatTimestamp(instant, timeZone)
  const optional = (instant: Temporal.Instant | null) => instant && at(instant)
  return {
    id: subscription.id,
    state: subscription.state,
    balance_in_cents: subscription.balance,
    total_revenue_in_cents: subscription.totalRevenue,
    product_price_in_cents: record.productPrice,
    product_version_number: subscription.productVersionNumber,
    product_price_point_id: record.custom === null ? subscription.productId : null,
    product_price_point_type: record.custom === null ? 'default' : 'custom',
    ...presentPeriod(subscription, at),
    trial_started_at: optional(subscription.trialStartedAt),
    trial_ended_at: optional(subscription.trialEndedAt),
    activated_at: optional(subscription.activatedAt),
    expires_at: optional(subscription.expiresAt),
    created_at: at(subscription.createdAt),
    updated_at: at(subscription.updatedAt),
    cancellation_message: subscription.cancellationMessage,
    cancellation_method: subscription.cancellationMethod,
    cancel_at_end_of_period: subscription.cancelAtEndOfPeriod ?? false,
    canceled_at: optional(subscription.canceledAt),
    delayed_cancel_at: optional(subscription.delayedCancelAt),
    previous_state: subscription.state,
    signup_payment_id: subscription.signupPaymentId,
    signup_revenue: formatDollars(subscription.signupRevenue),
    ...presentCoupons(coupons),
    reason_code: subscription.reasonCode,
    next_product_id: subscription.nextProductId,
    next_product_price_point_id: subscription.nextProductId,
    on_hold_at: optional(subscription.onHoldAt),
    automatically_resume_at: optional(subscription.automaticallyResumeAt),
    snap_day: subscription.snapDay,
    payment_collection_method: subscription.paymentCollectionMethod,
    payment_type: card?.paymentType ?? null,
    currency: site.currency,
    reference: subscription.reference,
    ...presentAmounts(subscription, currentBillingAmount),
    next_product_handle: record.nextProductHandle,
    scheduled_cancellation_at: optional(subscription.delayedCancelAt),
    payer_id: subscription.customerId,
    net_terms: subscription.netTerms,
    receives_invoice_emails: subscription.receivesInvoiceEmails,
    locale: record.customer.locale,
    referral_code: null,
    offer_id: null,
    unsettled_payment: presentUnsettled(record, at),
    customer: presentCustomer(record.customer, timeZone),
    product: presentSoldProduct(record, timeZone),
    ...presentPayer(card, timeZone),
  }
}

/** The first of them stands by itself too, as when there was one at most. */
const presentCoupons = (coupons: SubscriptionRecord['coupons']) => ({
  coupon_code: coupons[0]?.code ?? null,
  coupon_use_count: coupons[0]?.useCount ?? null,
  coupon_uses_allowed: coupons[0]?.usesAllowed ?? null,
  coupon_codes: coupons.map(({ code }) => code),
  coupons: coupons.map(presentSubscribedCoupon),
})

/** What is in credit stands in the balance, as less than nothing; there are no prepayments beside it. */
const presentAmounts = ({ balance }: Subscription, currentBillingAmount: Cents | undefined) => ({
  credit_balance_in_cents: Math.max(0, -balance),
  prepayment_balance_in_cents: 0,
  ...(currentBillingAmount !== undefined && { current_billing_amount_in_cents: currentBillingAmount }),
})

/** Where the price is the subscription's own, it is told by its name; an id would be taken for a price point of the catalog. */
const presentSoldProduct = ({ product, family, custom }: SubscriptionRecord, timeZone: string) => ({
  ...presentProduct(product, family, timeZone),
  ...(custom !== null && {
    product_price_point_id: null,
    product_price_point_name: custom.name ?? 'Custom price',
    product_price_point_handle: custom.handle,
  }),
})

/** A sign-up that waits has no period yet, and a date only where one was given. */
const presentPeriod = (subscription: Subscription, at: (instant: Temporal.Instant) => string) => {
  const { periodNumber, initialBillingAt, currentPeriodStartedAt, currentPeriodEndsAt } = subscription
  return {
    current_period_started_at: periodNumber === 0 ? null : at(currentPeriodStartedAt),
    current_period_ends_at: periodNumber === 0 ? null : at(currentPeriodEndsAt),
    next_assessment_at: periodNumber === 0 && initialBillingAt === null ? null : at(nextCollectionAt(subscription)),
  }
}

function presentPayer(profile: SubscriptionRecord['card'], timeZone: string) {
  if (profile?.paymentType === 'bank_account') {
    return { credit_card: null, bank_account: presentBankAccount(profile, timeZone) }
  }
  return { ...(profile !== null && { credit_card: presentCreditCard(profile, timeZone) }), bank_account: null }
}

/** A payment that a gateway was asked for and that is not settled: `unknown` when the gateway did not say what became of it. */
const presentUnsettled = ({ unsettledPayment }: SubscriptionRecord, at: (instant: Temporal.Instant) => string) =>
  unsettledPayment && {
    amount_in_cents: unsettledPayment.amount,
    asked_at: at(unsettledPayment.askedAt),
    outcome: unsettledPayment.outcome ?? 'asking',
  }
