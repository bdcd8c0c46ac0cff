/** Decides a new subscription: with a trial, paid at once, or imported with its next billing date. */
import { Act } from './act.ts'
import { assert } from './assert.ts'
import { type Assessment, assess } from './assessment.ts'
import { type Anchor, addIntervals, isAtOrBefore, type Period } from './calendar.ts'
import { type CalendarBilling, prorateLines, refuseUnfit, startCalendar } from './calendar-billing.ts'
import type { ProductTerms } from './catalog.ts'
import type { Changes, Ids, PaymentAttempt, SettledOutcome } from './changes.ts'
import { paymentEntry } from './collection.ts'
import { advanceLines } from './component-lines.ts'
import { customPriceOf } from './custom-price.ts'
import { noDunning } from './dunning.ts'
import { paymentSuccess, signupSuccess } from './event.ts'
import { type History, refuseUnfitHistory } from './history.ts'
import { billingDateChange } from './life-event.ts'
import { paidPeriodLines, trialLines } from './line-item.ts'
import { type Cents, cents } from './money.ts'
import { invalid } from './refusal.ts'
import type { Site } from './site.ts'
import { newStatement, type Statement } from './statement.ts'
import {
  anchoredAt,
  type CollectionMethod,
  type PricingFacts,
  type Subscription,
  type SubscriptionDetails,
  type SubscriptionFacts,
} from './subscription.ts'
import { counted, couponChanges, standingOf } from './subscription-coupon.ts'

export type SignupDelay = { until: Temporal.Instant | null }

export type SignupTerms = {
  site: Site
  product: ProductTerms
  collectionMethod: CollectionMethod
  /** A future date imports a subscription that was billed elsewhere: no trial, no charge, first payment then. */
  nextBillingAt: Temporal.Instant | null
  /** Only of such a one. */
  history?: History
  /** Where nothing is said, the product decides when it ends. */
  expiresAt?: Temporal.Instant | null
  /** Renews on one day of the month, and charges for the time until then. */
  calendar?: CalendarBilling | null
  /** It begins then, or once somebody says when; nothing is charged before. */
  delay?: SignupDelay | null
  pricing: PricingFacts
  /** What is absent is not known. */
  details?: Partial<SubscriptionDetails>
}

/** What a sign-up would write and take, before anybody is asked for money. */
export type SignupPlan = {
  terms: SignupTerms
  startsAs: 'trialing' | 'active'
  period: Period
  /** The paid periods are counted from here. */
  anchor: Anchor
  anchorPeriodNumber: number
  assessment: Assessment
  /** 0 when nothing has to be collected now. */
  paymentDue: Cents
}

/** Refuses a date that has passed, dates that do not go together, and calendar billing of a product that does not fit it. */
export function planSignup(terms: SignupTerms, now: Temporal.Instant): SignupPlan {
  const { site, product, nextBillingAt, collectionMethod, pricing, calendar = null } = terms
  if (terms.history) refuseUnfitHistory(terms.history, terms, now)
  if (terms.delay) return planDelayed(terms, terms.delay, now)
  if (calendar !== null) return planOnCalendar(terms, calendar, now)
  const start: Anchor = { at: now, timeZone: site.timeZone }
  if (nextBillingAt !== null) {
    if (isAtOrBefore(nextBillingAt, now)) throw invalid("Provided 'Next Billing' date must be in the future")
    const period = { startsAt: terms.history?.previousBillingAt ?? now, endsAt: nextBillingAt }
    const anchor = { at: nextBillingAt, timeZone: site.timeZone }
    return {
      terms,
      startsAs: 'active',
      period,
      anchor,
      anchorPeriodNumber: 2,
      assessment: assess([], pricing, product.productId),
      paymentDue: cents(0),
    }
  }
  const { trial } = product
  const period = { startsAt: now, endsAt: addIntervals(start, (trial ?? product).interval, 1) }
  const charges = trial
    ? trialLines(product, trial.price, period, site.timeZone)
    : [
        ...paidPeriodLines(product, period, site.timeZone, { withInitialCharge: true }),
        ...advanceLines(pricing.components, pricing.minorUnit),
      ]
  const assessment = assess(charges, pricing, product.productId)
  return {
    terms,
    startsAs: trial ? 'trialing' : 'active',
    period,
    anchor: trial ? { ...start, at: period.endsAt } : start,
    anchorPeriodNumber: trial ? 2 : 1,
    assessment,
    paymentDue: collectionMethod === 'automatic' ? maxCents(assessment.total) : cents(0),
  }
}

/** As it will be at its first billing, and nothing is due before. */
function planDelayed(terms: SignupTerms, { until }: SignupDelay, now: Temporal.Instant): SignupPlan {
  if (until !== null && isAtOrBefore(until, now)) throw invalid('Initial billing at: must be in the future.')
  if (terms.nextBillingAt !== null) throw invalid('Next billing: does not go with initial_billing_at or defer_signup.')
  if (terms.calendar) throw invalid('Calendar billing: does not go with initial_billing_at or defer_signup.')
  return { ...planSignup({ ...terms, delay: null }, until ?? now), terms, paymentDue: cents(0) }
}

/** A delayed first charge waits with everything else for the first renewal. */
function planOnCalendar(terms: SignupTerms, calendar: CalendarBilling, now: Temporal.Instant): SignupPlan {
  const { site, product, pricing, collectionMethod } = terms
  if (terms.nextBillingAt !== null) throw invalid('Calendar billing: does not go with next_billing_at.')
  refuseUnfit(product)
  const { period, share, anchor, periods } = startCalendar(now, site.timeZone, calendar)
  const charges = [
    ...paidPeriodLines(product, period, site.timeZone, { withInitialCharge: true }),
    ...advanceLines(pricing.components, pricing.minorUnit),
  ]
  const assessment = assess(
    share.part === 0 ? [] : prorateLines(charges, share, pricing.minorUnit),
    pricing,
    product.productId,
  )
  return {
    terms,
    startsAs: 'active',
    period,
    anchor,
    anchorPeriodNumber: 1 + periods,
    assessment,
    paymentDue: collectionMethod === 'automatic' ? maxCents(assessment.total) : cents(0),
  }
}

/** Nothing is charged before the first renewal: an import, or a first charge that is delayed. */
const waits = ({ nextBillingAt, delay, calendar }: SignupTerms): boolean =>
  nextBillingAt !== null || Boolean(delay) || calendar?.firstCharge === 'delayed'

/** Whether the sign-up itself charges for components: not during a trial. */
export const chargesComponents = ({ startsAs, terms }: SignupPlan): boolean => startsAs === 'active' && !waits(terms)

/** Refuses a subscription without a card where the product wants one or money is due at once. */
export function requireCard(plan: SignupPlan, hasCard: boolean): void {
  const { product, collectionMethod } = plan.terms
  if (hasCard || collectionMethod === 'invoice') return
  if (product.requireCreditCard || plan.paymentDue > 0) throw invalid('Payment profile: cannot be blank.')
}

export type Signup = {
  plan: SignupPlan
  subscriptionId: number
  customer: SubscriptionFacts['customer']
  card: SubscriptionFacts['card']
  /** The payment that was approved; null when nothing was due. */
  payment: { attempt: PaymentAttempt; outcome: Extract<SettledOutcome, { result: 'approved' }> } | null
  cancellationMessage: string | null
}

/** The subscription with its first ledger rows, statements and events, once its payment is in. */
export function decideSignup(signup: Signup, now: Temporal.Instant, ids: Ids): Changes {
  const { plan, payment } = signup
  assert((payment?.attempt.amount ?? 0) === plan.paymentDue, 'a sign-up is paid in full or not at all')
  const { site } = plan.terms
  const firstStatement = newStatement(site.id, ids.statement(), signup.subscriptionId, now, cents(0))
  const facts = factsOf(signup, now, firstStatement.id)
  const act = new Act(facts, now, ids)
  act.writeLines(plan.assessment.lines, 1)
  const charge = act.ledger.rows[0]
  const paid = payment && act.ledger.write(paymentEntry(facts, payment.attempt, payment.outcome))
  act.events.push(signupSuccess(act.subject, paid?.id ?? act.periodChargeId()))
  if (paid) act.events.push(paymentSuccess(act.subject, paid.amount, paid.id))
  const begun: Subscription = {
    ...facts.subscription,
    signupRevenue: plan.paymentDue,
    totalRevenue: plan.paymentDue,
    signupPaymentId: paid?.id ?? charge?.id ?? 0,
  }
  if (plan.terms.nextBillingAt !== null) {
    const from = usualBillingAt(plan, now)
    act.events.push(billingDateChange(act.subject, from, plan.period.endsAt, plan.terms.site.timeZone))
  }
  if (waits(plan.terms)) return asNew(act.changes(begun), plan, [firstStatement])
  const changes = act.changes(act.turnStatement(begun))
  const closing = changes.statements?.find(({ id }) => id === firstStatement.id)
  const closed = { ...firstStatement, ...closing, total: plan.assessment.total }
  return asNew(changes, plan, [closed, ...(changes.newStatements ?? [])])
}

/** Where the product alone would have put the next billing date. */
const usualBillingAt = ({ terms: { product, site } }: SignupPlan, now: Temporal.Instant): Temporal.Instant =>
  addIntervals({ at: now, timeZone: site.timeZone }, (product.trial ?? product).interval, 1)

/** The same changes as rows that do not exist yet. */
function asNew(
  { subscription, statements: _, ...changes }: Changes,
  { period, terms: { pricing, product }, assessment }: SignupPlan,
  newStatements: readonly Statement[],
): Changes {
  assert(subscription !== undefined, 'a sign-up makes a subscription')
  const { siteId, id: subscriptionId } = subscription
  const newCustomPrice = customPriceOf(subscription, product, subscription.createdAt)
  const first = {
    siteId,
    subscriptionId,
    number: 1,
    begunBy: 'signup' as const,
    startedAt: period.startsAt,
    endsAt: period.endsAt,
  }
  return {
    ...changes,
    ...couponChanges(subscription, [], counted(pricing.coupons.map(standingOf), assessment.usedCouponIds)),
    ...(newCustomPrice && { newCustomPrice }),
    newSubscription: subscription,
    newStatements,
    periods: [{ ...first, assessedAt: period.startsAt }],
  }
}

/** What a sign-up that failed was to become. */
export const attemptedSubscription = (signup: Signup, now: Temporal.Instant): Subscription =>
  factsOf(signup, now, 0).subscription

export function factsOf(signup: Signup, now: Temporal.Instant, firstStatementId: number): SubscriptionFacts {
  const { plan, customer, card } = signup
  const { site, product } = plan.terms
  const subscription: Subscription = {
    siteId: site.id,
    id: signup.subscriptionId,
    customerId: customer.id,
    productId: product.productId,
    productVersionNumber: product.versionNumber,
    paymentProfileId: card?.id ?? null,
    paymentCollectionMethod: plan.terms.collectionMethod,
    state: plan.startsAs,
    balance: cents(0),
    totalRevenue: cents(0),
    ...datesOfSignup(plan, now),
    ...noDunning,
    initialChargeDue: (product.initialCharge ?? 0) > 0 && feeWaits(plan),
    canceledAt: null,
    cancellationMessage: signup.cancellationMessage,
    cancellationMethod: null,
    reasonCode: null,
    cancelAtEndOfPeriod: null,
    delayedCancelAt: null,
    signupRevenue: cents(0),
    signupPaymentId: 0,
    openStatementId: firstStatementId,
    openStatementTotal: cents(0),
    coveredThroughId: 0,
    collectingAttemptId: null,
    snapDay: plan.terms.calendar?.snapDay ?? null,
    nextProductId: null,
    onHoldAt: null,
    automaticallyResumeAt: null,
    initialBillingAt: null,
    invoicedThroughId: null,
    reference: null,
    netTerms: null,
    receivesInvoiceEmails: null,
    ...plan.terms.details,
    createdAt: now,
    updatedAt: now,
  }
  return { site, subscription, product, customer, card, pricing: plan.terms.pricing, unsettledStatements: [] }
}

/** Whether the setup fee is charged with the first renewal. */
export const feeWaits = ({ startsAs, terms: { product, calendar } }: SignupPlan): boolean =>
  calendar ? calendar.firstCharge === 'delayed' : startsAs === 'trialing' && product.initialChargeAfterTrial

/** A discount that leaves a credit collects nothing. */
const maxCents = (total: Cents): Cents => (total > 0 ? total : cents(0))

/** The product's expiration counts from the creation, trial or not; a date of its own comes before it. */
function datesOfSignup({ terms, startsAs, period, anchor, anchorPeriodNumber }: SignupPlan, now: Temporal.Instant) {
  const { site, product } = terms
  const trialing = startsAs === 'trialing'
  const created: Anchor = { at: now, timeZone: site.timeZone }
  return {
    periodNumber: 1,
    ...anchoredAt(anchor, anchorPeriodNumber),
    currentPeriodStartedAt: period.startsAt,
    currentPeriodEndsAt: period.endsAt,
    nextAssessmentAt: period.endsAt,
    trialStartedAt: trialing ? now : null,
    trialEndedAt: trialing ? period.endsAt : null,
    activatedAt: trialing ? null : (terms.history?.activatedAt ?? terms.history?.previousBillingAt ?? now),
    expiresAt: terms.expiresAt ?? (product.expiration && addIntervals(created, product.expiration, 1)),
  }
}
