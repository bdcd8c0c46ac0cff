/** What a sign-up would charge, and the renewal after it: both decided as they will be, and nothing of it written. */
import type { Assessment } from './assessment.ts'
import type { Changes, Ids } from './changes.ts'
import { dueFor } from './due.ts'
import { type Cents, cents } from './money.ts'
import { afterCharge } from './one-time.ts'
import { noCard } from './payment-attempt.ts'
import { type AboutLines, aboutPeriod } from './preview.ts'
import { nextPeriod } from './renewal.ts'
import { chargesComponents, decideSignup, planSignup, type SignupPlan } from './signup.ts'
import type { SubscriptionFacts } from './subscription.ts'

/** One billing event. */
export type BillingManifest = {
  assessment: Assessment
  about: AboutLines
  periodType: 'trial' | 'recurring'
  /** What is owed before it. */
  existingBalance: Cents
}

export type SignupPreview = {
  current: BillingManifest
  /** Null when the subscription expires before it. */
  next: BillingManifest | null
}

/** Of a sign-up that waits, as it will be when it begins. As if the payment went through and, at the end of a trial, there were a card. */
export function previewSignup(plan: SignupPlan, now: Temporal.Instant): SignupPreview {
  const { delay } = plan.terms
  if (delay) {
    const begins = delay.until ?? now
    return previewSignup(planSignup({ ...plan.terms, delay: null }, begins), begins)
  }
  const current: BillingManifest = {
    assessment: plan.assessment,
    about: aboutSignup(plan),
    periodType: plan.startsAs === 'trialing' ? 'trial' : 'recurring',
    existingBalance: cents(0),
  }
  const facts = factsAfter(plan, now)
  if (dueFor(facts.subscription, facts.subscription.currentPeriodEndsAt) !== 'renewal') return { current, next: null }
  const { facts: renewed, period, assessment } = nextPeriod(facts)
  const existingBalance = facts.subscription.balance
  return {
    current,
    next: { assessment, about: aboutPeriod(renewed, period), periodType: 'recurring', existingBalance },
  }
}

const aboutSignup = ({ terms: { product, pricing }, period }: SignupPlan): AboutLines => ({
  product,
  components: pricing.components.map(({ component }) => component),
  period,
  usagePeriod: null,
})

/** No row of it is ever written, so that its ids are nobody's. */
function unwrittenIds(): Ids {
  let last = 0
  const next = (): number => ++last
  return { transaction: next, statement: next, attempt: next }
}

const approved = { result: 'approved', gatewayTransactionId: '', message: '' } as const

function factsAfter(plan: SignupPlan, now: Temporal.Instant): SubscriptionFacts {
  const { site, product, pricing } = plan.terms
  const customer = { id: 0, firstName: '', lastName: '' }
  const attempt = {
    siteId: site.id,
    id: 0,
    subscriptionId: 0,
    reason: 'signup' as const,
    periodNumber: 1,
    idempotencyKey: '',
    amount: plan.paymentDue,
    gateway: '',
    vaultToken: null,
    ...noCard,
    intent: null,
    createdAt: now,
  }
  const payment = plan.paymentDue > 0 ? { attempt, outcome: approved } : null
  const signup = { plan, subscriptionId: 0, customer, card: null, payment, cancellationMessage: null }
  const { newSubscription: subscription, subscriptionCoupons = [] }: Changes = decideSignup(signup, now, unwrittenIds())
  return {
    site,
    subscription: subscription!,
    product,
    customer,
    card: null,
    pricing: {
      ...pricing,
      components: chargesComponents(plan) ? afterCharge(pricing.components) : pricing.components,
      coupons: pricing.coupons.map((one, place) => ({ ...one, useCount: subscriptionCoupons[place]!.useCount })),
    },
    unsettledStatements: [],
  }
}
