/** Decides what happens when a subscription's next assessment has come: a renewal, a trial's end, a retry, or the end. */
import { Act } from './act.ts'
import { decideActivationDue } from './activation.ts'
import { assert, unreachable } from './assert.ts'
import { type Assessment, assess } from './assessment.ts'
import { addIntervals, isAtOrBefore, isBefore, type Period } from './calendar.ts'
import type { Period as BegunPeriod, Changes, Ids } from './changes.ts'
import { failRenewal, type RenewalIntent, succeedRenewal } from './collection.ts'
import { componentLines } from './component-lines.ts'
import { dueFor } from './due.ts'
import { noDunning } from './dunning.ts'
import { type SiteEvent, stateChange } from './event.ts'
import { productChange } from './life-event.ts'
import { paidPeriodLines } from './line-item.ts'
import { type Cents, cents } from './money.ts'
import { chargedOnce, takeCharged } from './one-time.ts'
import { askedCard, newAttempt } from './payment-attempt.ts'
import { withNextProduct } from './product-change.ts'
import {
  anchoredAt,
  anchorOf,
  isTrialPeriod,
  may,
  momentOfAct,
  type Subscription,
  type SubscriptionFacts,
} from './subscription.ts'
import { usesOf } from './subscription-coupon.ts'

/** Refuses nothing: a subscription that is not due, or is being collected for, must never come here. */
export function decideAssessment(facts: SubscriptionFacts, dueAt: Temporal.Instant, ids: Ids): Changes {
  const { subscription } = facts
  const now = momentOfAct(subscription, dueAt)
  assert(isAtOrBefore(subscription.nextAssessmentAt, now), 'assessments are never early')
  assert(subscription.collectingAttemptId === null, 'nothing is assessed while a payment is under way')
  if (subscription.automaticallyResumeAt !== null) return endHold(facts, subscription.automaticallyResumeAt, now, ids)
  if (subscription.initialBillingAt !== null) return decideActivationDue(facts, subscription.initialBillingAt, now, ids)
  assert(may('assess', subscription.state), `a subscription that is ${subscription.state} is never assessed`)
  const act = new Act(facts, now, ids)
  const due = dueFor(subscription, now)
  switch (due) {
    case 'retry':
      return collect(act, withoutAttempt(subscription), 'retry', ids, { endsFreeTrial: false })
    case 'delayed_cancel':
      return end(act, {
        ...subscription,
        state: 'canceled',
        canceledAt: now,
        cancellationMethod: subscription.cancellationMethod ?? 'merchant_api',
      })
    case 'expiration':
      return end(act, { ...subscription, state: 'expired' })
    case 'renewal':
      return renew(facts, now, ids)
    default:
      return unreachable(due)
  }
}

/**
 * The next period and what it will cost; the renewal itself and its preview read the same answer. A delayed change of product has
 * taken place by then: `facts` are those of the new product.
 */
export function nextPeriod(before: SubscriptionFacts): {
  facts: SubscriptionFacts
  period: Period
  number: number
  assessment: Assessment
} {
  const facts = withNextProduct(before)
  const { subscription, product, site, pricing } = facts
  const number = subscription.periodNumber + 1
  const endsAfter = number + 1 - subscription.anchorPeriodNumber
  const period = {
    startsAt: subscription.currentPeriodEndsAt,
    endsAt: addIntervals(anchorOf(subscription), product.interval, endsAfter),
  }
  const withInitialCharge = subscription.initialChargeDue
  const charges = [
    ...paidPeriodLines(product, period, site.timeZone, { withInitialCharge }),
    ...componentLines(pricing.components, pricing.minorUnit),
  ]
  return { facts, period, number, assessment: assess(charges, pricing, product.productId) }
}

type Way = { begunBy: BegunPeriod['begunBy']; told: readonly SiteEvent[]; from: Subscription }

/** `told` is what happened on the way here, `from` the subscription with the dates that stay when no period begins. */
function renew(before: SubscriptionFacts, now: Temporal.Instant, ids: Ids, way?: Way): Changes {
  const { begunBy, told, from }: Way = way ?? { begunBy: 'renewal', told: [], from: before.subscription }
  const { facts, period, number, assessment } = nextPeriod(before)
  const isChanged = facts !== before
  const leaves = leavesFreeTrial(before, assessment.total)
  const act = new Act(leaves ? before : facts, now, ids)
  act.events.push(...told)
  if (leaves) return end(act, act.endStatements({ ...from, state: 'trial_ended' }))
  if (isChanged) act.events.push(productChange(new Act(before, now, ids).subject, facts.product))
  act.writeLines(assessment.lines, number)
  const { subscription } = facts
  const begun: Subscription = {
    ...subscription,
    periodNumber: number,
    currentPeriodStartedAt: period.startsAt,
    currentPeriodEndsAt: period.endsAt,
    nextAssessmentAt: period.endsAt,
    initialChargeDue: false,
    activatedAt: subscription.state === 'trialing' ? period.startsAt : subscription.activatedAt,
  }
  const changes = collect(act, begun, 'renewal', ids, { endsFreeTrial: isFreeTrial(before) })
  return {
    ...changes,
    ...usesOf(subscription, facts.pricing.coupons, assessment.usedCouponIds),
    billedUsage: billedUsage(facts),
    ...takeCharged(subscription, facts.pricing.components, chargedOnce(facts.pricing.components)),
    periods: [
      {
        siteId: subscription.siteId,
        subscriptionId: subscription.id,
        number,
        begunBy,
        startedAt: period.startsAt,
        endsAt: period.endsAt,
        assessedAt: act.now,
      },
    ],
  }
}

/**
 * A hold that ends by itself: before the period's end the dates stay; after it a period begins then, as a renewal, unless the
 * subscription has expired meanwhile.
 */
function endHold(facts: SubscriptionFacts, resumedAt: Temporal.Instant, now: Temporal.Instant, ids: Ids): Changes {
  const { subscription } = facts
  const state = isTrialPeriod(subscription) ? 'trialing' : 'active'
  const resumed: Subscription = { ...subscription, onHoldAt: null, automaticallyResumeAt: null }
  const act = new Act(facts, now, ids)
  if (isBefore(resumedAt, subscription.currentPeriodEndsAt)) {
    act.tellStates([state])
    return act.changes({ ...resumed, state, nextAssessmentAt: subscription.currentPeriodEndsAt })
  }
  if (subscription.expiresAt !== null && isAtOrBefore(subscription.expiresAt, resumedAt)) {
    return end(act, { ...resumed, state: 'expired' })
  }
  const told = [stateChange(act.subject, subscription.state, state)]
  const restarted = { ...resumed, state, ...startingAt(resumed, resumedAt) } as const
  return renew({ ...facts, subscription: restarted }, now, ids, { begunBy: 'resumption', told, from: resumed })
}

/** The dates of a subscription whose next period begins at a moment of its own. */
export const startingAt = (subscription: Subscription, at: Temporal.Instant) => ({
  currentPeriodEndsAt: at,
  ...anchoredAt({ at, timeZone: subscription.anchorTimeZone }, subscription.periodNumber + 1),
})

/** Metered usage that was billed starts again at 0. */
const billedUsage = ({ subscription, pricing }: SubscriptionFacts): NonNullable<Changes['billedUsage']> =>
  pricing.components
    .filter(({ component, unitBalance }) => component.kind === 'metered_component' && Number(unitBalance) !== 0)
    .map(({ component }) => ({ subscriptionId: subscription.id, componentId: component.id }))

/** A trial that obliged to nothing ends for good when there is neither a card nor credit enough for all that is due. */
export const leavesFreeTrial = ({ subscription, product, card }: SubscriptionFacts, due: Cents): boolean =>
  subscription.state === 'trialing' &&
  product.trial?.type === 'no_obligation' &&
  subscription.paymentCollectionMethod === 'automatic' &&
  card === null &&
  subscription.balance + due > 0

const isFreeTrial = ({ subscription, product }: SubscriptionFacts): boolean =>
  subscription.state === 'trialing' && product.trial?.type === 'no_obligation'

/** Puts the payment of the whole balance on record, or settles at once what needs no gateway. */
function collect(
  act: Act,
  subscription: Subscription,
  reason: 'renewal' | 'retry',
  ids: Ids,
  { endsFreeTrial }: { endsFreeTrial: boolean },
): Changes {
  const { card, site } = act.facts
  const balance = act.ledger.balance
  const owes = balance > 0 && subscription.paymentCollectionMethod === 'automatic'
  if (!owes) return succeedRenewal(act, subscription, reason, null)
  if (subscription.state === 'unpaid') return failRenewal(act, subscription, reason, { failure: 'not_tried' })
  if (card === null) {
    act.ledger.write({ type: 'info', amount: cents(0), memo: '', periodNumber: subscription.periodNumber })
    return failRenewal(act, subscription, reason, { failure: 'no_card', endsFreeTrial })
  }
  const intent: RenewalIntent | null = reason === 'renewal' ? { endsFreeTrial, chargeId: act.periodChargeId() } : null
  const attempt = newAttempt(
    { site, subscription },
    { reason, amount: balance, asked: askedCard(card), intent, now: act.now },
    ids,
  )
  const openStatementTotal = act.openTotal()
  return { ...act.changes({ ...subscription, openStatementTotal, collectingAttemptId: attempt.id }), attempt }
}

const withoutAttempt = (subscription: Subscription): Subscription => ({ ...subscription, collectingAttemptId: null })

/** The last act: the state changes, nothing is charged, the dates stay as they were. */
function end(act: Act, subscription: Subscription): Changes {
  act.tellStates([subscription.state])
  return act.changes({ ...subscription, ...noDunning, nextProductId: null })
}
