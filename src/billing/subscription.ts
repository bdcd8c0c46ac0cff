/** The subscription: its states, its dates, and the table of what may be done to it in which state. */
import { type Anchor, maxOf } from './calendar.ts'
import type { ProductTerms } from './catalog.ts'
import type { SubscribedComponent } from './component.ts'
import type { AppliedCoupon } from './coupon.ts'
import type { InvoicingFacts } from './invoice.ts'
import type { Cents, MinorUnit } from './money.ts'
import type { PaymentProfile } from './payment-profile.ts'
import type { Site } from './site.ts'
import type { UnsettledStatement } from './statement.ts'
import type { Tax } from './tax.ts'

export const subscriptionStates = [
  'trialing',
  'active',
  'past_due',
  'soft_failure',
  'unpaid',
  'canceled',
  'expired',
  'trial_ended',
  'on_hold',
  'awaiting_signup',
] as const
export type SubscriptionState = (typeof subscriptionStates)[number]

/** The states in which time goes on: a period's end is assessed. In the others nothing is ever due. */
export const dueStates = ['trialing', 'active', 'past_due', 'soft_failure', 'unpaid'] as const

/** What may be done in which state; routes, docs and pages read this one table. */
export const allowedStates = {
  assess: dueStates,
  retry: ['past_due', 'soft_failure', 'unpaid'],
  charge: dueStates,
  adjust: [...dueStates, 'on_hold'],
  cancel: subscriptionStates,
  addCoupon: [...dueStates, 'on_hold', 'awaiting_signup'],
  allocate: [...dueStates, 'awaiting_signup'],
  record_usage: dueStates,
  cancelAtEndOfPeriod: ['trialing', 'active', 'soft_failure', 'unpaid'],
  reactivate: ['canceled', 'unpaid', 'trial_ended'],
  collectWithNewCard: ['past_due'],
  cancelDunning: ['past_due'],
  hold: ['trialing', 'active'],
  resume: ['on_hold'],
  activate: ['awaiting_signup'],
  changeProduct: [...dueStates, 'canceled', 'expired', 'trial_ended', 'awaiting_signup'],
  changeProductLater: dueStates,
  moveBillingDate: dueStates,
  migrate: ['trialing', 'active'],
  goWithCustomer: ['canceled', 'expired', 'trial_ended'],
} as const satisfies Record<string, readonly SubscriptionState[]>

export const may = (act: keyof typeof allowedStates, state: SubscriptionState): boolean =>
  (allowedStates[act] as readonly SubscriptionState[]).includes(state)

/** Whether the current period is a trial, also while it is on hold or canceled: a trial that a product change ended is none. */
export const isTrialPeriod = ({ trialEndedAt, currentPeriodEndsAt }: Subscription): boolean =>
  trialEndedAt?.equals(currentPeriodEndsAt) ?? false

export const collectionMethods = ['automatic', 'invoice'] as const
/** As requests may name them: `remittance` is the later name of `invoice`. */
export const collectionMethodNames = [...collectionMethods, 'remittance'] as const

export const collectionMethodOf = (name: (typeof collectionMethodNames)[number]): CollectionMethod =>
  name === 'remittance' ? 'invoice' : name

export type CollectionMethod = (typeof collectionMethods)[number]

export type CancellationMethod = 'merchant_ui' | 'merchant_api' | 'dunning' | 'billing_portal' | 'imported'

export type Subscription = {
  siteId: number
  id: number
  customerId: number
  productId: number
  productVersionNumber: number
  paymentProfileId: number | null
  paymentCollectionMethod: CollectionMethod
  state: SubscriptionState
  balance: Cents
  totalRevenue: Cents
  /** 0 before the first one, while a sign-up waits for its first billing; then its dates say nothing. */
  periodNumber: number
  anchorAt: Temporal.Instant
  anchorTimeZone: string
  /** The number of the period that starts at the anchor, or so many months and days after it. */
  anchorPeriodNumber: number
  /** What periods of another length took since the anchor; 0 until the product changes to one. */
  anchorElapsedMonths: number
  anchorElapsedDays: number
  currentPeriodStartedAt: Temporal.Instant
  currentPeriodEndsAt: Temporal.Instant
  /** The next moment at which something happens: the earlier of the retry and the period's end. */
  nextAssessmentAt: Temporal.Instant
  retryAt: Temporal.Instant | null
  /** Failed attempts of the dunning under way; 0 when nothing is being dunned. */
  dunningAttempts: number
  /** When the first of them was known to have failed; null when nothing is being dunned. */
  dunningSince: Temporal.Instant | null
  /** The setup fee waits for the trial's end. */
  initialChargeDue: boolean
  trialStartedAt: Temporal.Instant | null
  trialEndedAt: Temporal.Instant | null
  activatedAt: Temporal.Instant | null
  expiresAt: Temporal.Instant | null
  canceledAt: Temporal.Instant | null
  cancellationMessage: string | null
  cancellationMethod: CancellationMethod | null
  reasonCode: string | null
  /** Null until it is first set. */
  cancelAtEndOfPeriod: boolean | null
  delayedCancelAt: Temporal.Instant | null
  signupRevenue: Cents
  signupPaymentId: number
  openStatementId: number | null
  /** What the open statement amounts to so far; written to the statement when it closes. */
  openStatementTotal: Cents
  /** The newest ledger row after which nothing was owed; 0 before the first one. What came before it is covered. */
  coveredThroughId: number
  /** The payment attempt under way; nothing else is collected until it is settled. */
  collectingAttemptId: number | null
  /** The day of the month on which calendar billing renews: 1 to 28, or `end`. */
  snapDay: string | null
  /** The product that the next period switches to. */
  nextProductId: number | null
  onHoldAt: Temporal.Instant | null
  automaticallyResumeAt: Temporal.Instant | null
  /** When a sign-up that waits begins; null of all others, and while nobody has said when. */
  initialBillingAt: Temporal.Instant | null
  /**
   * Null until an invoice is made for it; then what pays or credits it is applied to invoices for good. An invoice of a period takes
   * up the charges after this row; 0 where there was none of a period yet.
   */
  invoicedThroughId: number | null
  /** The merchant's own name for it, which no other of the site has. */
  reference: string | null
  /** Days from the making of an invoice until it is due; null counts as none. */
  netTerms: number | null
  /** Null is nothing said. */
  receivesInvoiceEmails: boolean | null
  createdAt: Temporal.Instant
  updatedAt: Temporal.Instant
}

/** What a merchant says of it beside its terms. */
export type SubscriptionDetails = Pick<Subscription, 'reference' | 'netTerms' | 'receivesInvoiceEmails'>

/** The card or bank account as collection needs it. */
export type CardOnFile = Pick<
  PaymentProfile,
  | 'id'
  | 'paymentType'
  | 'currentVault'
  | 'vaultToken'
  | 'maskedCardNumber'
  | 'maskedBankAccountNumber'
  | 'expirationMonth'
  | 'expirationYear'
  | 'cardType'
>

/** What makes a period cost more or less than its product. */
export type PricingFacts = {
  /** In the order of their ids. */
  components: readonly SubscribedComponent[]
  /** In the order in which they take off. */
  coupons: readonly AppliedCoupon[]
  /** Those that apply to the customer's address. */
  taxes: readonly Tax[]
  /** The terms of the product that the next period switches to. */
  nextProduct: ProductTerms | null
  /** Of the site's currency; every amount is rounded to it. */
  minorUnit: MinorUnit
}

/** Of a product alone, in a currency that has cents. */
export const plainPricing: PricingFacts = { components: [], coupons: [], taxes: [], nextProduct: null, minorUnit: 1 }

/** Everything a decision about one subscription may look at. */
export type SubscriptionFacts = {
  site: Site
  subscription: Subscription
  product: ProductTerms
  customer: { id: number; firstName: string; lastName: string }
  card: CardOnFile | null
  pricing: PricingFacts
  /** Closed statements that are not paid yet, oldest first. */
  unsettledStatements: readonly UnsettledStatement[]
  /** Only of a subscription that is paid by invoice, or was once. */
  invoicing?: InvoicingFacts
}

/** When money is asked for next. While on hold that is never the end of the hold, which the column names for the worker. */
export const nextCollectionAt = ({ state, currentPeriodEndsAt, nextAssessmentAt }: Subscription): Temporal.Instant =>
  state === 'on_hold' ? currentPeriodEndsAt : nextAssessmentAt

/** When an act takes place: now, but never before what is on record already, whatever a clock did. */
export const momentOfAct = (subscription: Subscription, now: Temporal.Instant): Temporal.Instant =>
  maxOf(now, subscription.updatedAt)

export const anchorOf = (subscription: Subscription): Anchor => ({
  at: subscription.anchorAt,
  timeZone: subscription.anchorTimeZone,
  elapsed: { months: subscription.anchorElapsedMonths, days: subscription.anchorElapsedDays },
})

/** Where a subscription keeps the anchor that its periods are counted from. */
export type AnchorFields = Pick<
  Subscription,
  'anchorAt' | 'anchorTimeZone' | 'anchorPeriodNumber' | 'anchorElapsedMonths' | 'anchorElapsedDays'
>

/** A new anchor: the period with that number starts there. */
export const anchoredAt = ({ at, timeZone, elapsed }: Anchor, anchorPeriodNumber: number): AnchorFields => ({
  anchorAt: at,
  anchorTimeZone: timeZone,
  anchorPeriodNumber,
  anchorElapsedMonths: elapsed?.months ?? 0,
  anchorElapsedDays: elapsed?.days ?? 0,
})
