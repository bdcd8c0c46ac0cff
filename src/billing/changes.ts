/** What a decision wants written: plain data, committed as it stands by the one writer. */

import type { Allocation } from './allocation.ts'
import type { ProductTerms } from './catalog.ts'
import type { ComponentPrice } from './component.ts'
import type { CouponRedemption } from './coupon.ts'
import type { Customer } from './customer.ts'
import type { SiteEvent } from './event.ts'
import type { InvoiceChange, NewInvoice } from './invoicing.ts'
import type { Transaction } from './ledger.ts'
import type { Cents, DecimalText } from './money.ts'
import type { PaymentMethod } from './payment.ts'
import type { PaymentProfile } from './payment-profile.ts'
import type { Statement, StatementChange } from './statement.ts'
import type { Subscription, SubscriptionFacts } from './subscription.ts'
import type { SubscriptionCoupon } from './subscription-coupon.ts'
import type { Taxation } from './tax.ts'
import type { Usage } from './usage.ts'

export type AttemptReason =
  | 'signup'
  | 'activation'
  | 'renewal'
  | 'retry'
  | 'charge'
  | 'refund'
  | 'reactivation'
  | 'card_update'
  | 'resumption'
  | 'allocation'
  | 'migration'

/** What a gateway answered. `error` is a plain no before anything was captured; `unknown` is a broken conversation. */
export type Outcome =
  | { result: 'approved'; gatewayTransactionId: string; message: string }
  | { result: 'declined'; message: string }
  | { result: 'error'; message: string }
  | { result: 'unknown'; message: string }

/** An outcome that stands for good. */
export type SettledOutcome = Exclude<Outcome, { result: 'unknown' }>

/** What a payment is for, as far as its reason does not say it; plain JSON that whoever settles the attempt reads. */
export type Intent = Readonly<Record<string, unknown>>

/** The wish to collect, on record before a gateway is asked; its key makes asking again harmless. */
export type PaymentAttempt = {
  siteId: number
  id: number
  subscriptionId: number
  reason: AttemptReason
  periodNumber: number
  idempotencyKey: string
  amount: Cents
  gateway: string
  /** Null while a new card is not stored yet. */
  vaultToken: string | null
  /** The card that is asked, as it was then, under its mask: the subscription may have another one by the time of the answer. */
  cardNumber: string | null
  cardExpiration: string | null
  cardType: string | null
  intent: Intent | null
  /** By the site's clock. */
  createdAt: Temporal.Instant
}

/** A renewal goes on where the period before it ended; every other act begins a period at its own moment. */
const beginnings = ['signup', 'renewal', 'reactivation', 'resumption', 'migration'] as const

export type Period = {
  siteId: number
  subscriptionId: number
  number: number
  begunBy: (typeof beginnings)[number]
  startedAt: Temporal.Instant
  endsAt: Temporal.Instant
  assessedAt: Temporal.Instant
}

/** A period that ends at another moment than it was to. */
export type PeriodMove = Pick<Period, 'subscriptionId' | 'number' | 'endsAt'> & {
  /** Only of one that was billed elsewhere. */
  startedAt?: Temporal.Instant
}

/** Usage that was billed, or dropped with a period that never will be: all of the unit balance, or so much of it as is said. */
export type BilledUsage = { subscriptionId: number; componentId: number; quantity?: DecimalText }

/** How much a subscription has of one component: allocated, or metered and not billed yet. */
export type ComponentStock = {
  siteId: number
  subscriptionId: number
  componentId: number
  quantity: DecimalText
  unitBalance: DecimalText
  /** What the subscription alone pays for it from now on; null ends that, and what is absent stays. */
  customPrice?: ComponentPrice | null
}

/** Terms that one subscription alone is held to. */
export type NewCustomPrice = { subscriptionId: number; terms: ProductTerms; createdAt: Temporal.Instant }

export type Changes = {
  newCustomer?: Customer
  newPaymentProfile?: PaymentProfile
  newCustomPrice?: NewCustomPrice
  newSubscription?: Subscription
  subscription?: Subscription
  periods?: readonly Period[]
  movedPeriods?: readonly PeriodMove[]
  newStatements?: readonly Statement[]
  statements?: readonly StatementChange[]
  transactions?: readonly Transaction[]
  taxations?: readonly Taxation[]
  redemptions?: readonly CouponRedemption[]
  /** Coupons as they stand on the subscription from now on; those that are not named stay as they are. */
  subscriptionCoupons?: readonly SubscriptionCoupon[]
  removedCoupons?: readonly Pick<SubscriptionCoupon, 'subscriptionId' | 'couponId'>[]
  events?: readonly SiteEvent[]
  attempt?: PaymentAttempt
  /** Metered usage that was billed and starts again at 0. */
  billedUsage?: readonly BilledUsage[]
  /** How much of these components the subscription has from now on. */
  subscribedComponents?: readonly ComponentStock[]
  newAllocations?: readonly Allocation[]
  newInvoice?: NewInvoice
  invoices?: readonly InvoiceChange[]
  newUsages?: readonly Usage[]
  /** What was said of how a payment from elsewhere was made. */
  externalPayment?: PaymentMethod & { siteId: number; transactionId: number }
}

/** Ids drawn from the database before a decision, so that its rows can refer to each other. Each call gives the next. */
export type Ids = {
  transaction(): number
  statement(): number
  attempt(): number
}

/**
 * Decides from facts loaded anew: the subscription may have changed while the gateway was asked. Whatever an act needs to finish
 * stands in the attempt's `intent`, so that anybody can finish it.
 */
export type Settle = (
  facts: SubscriptionFacts,
  attempt: PaymentAttempt,
  outcome: SettledOutcome,
  now: Temporal.Instant,
  ids: Ids,
) => Changes
