/** Decides what happens when a subscription's next assessment has come: a renewal, a trial's end, a retry, or the end. */
import { Act } from './act.ts'
import { assert, unreachable } from './assert.ts'
import { type Assessment, assess } from './assessment.ts'
import { addIntervals, isAtOrBefore, type Period } from './calendar.ts'
import type { Changes, Ids, PaymentAttempt } from './changes.ts'
import { failRenewal, succeedRenewal } from './collection.ts'
import { componentLines } from './component-lines.ts'
import { dueFor } from './due.ts'
import { paidPeriodLines } from './line-item.ts'
import { type Cents, cents } from './money.ts'
import { anchorOf, may, momentOfAct, type Subscription, type SubscriptionFacts } from './subscription.ts'

/** Refuses nothing: a subscription that is not due, or is being collected for, must never come here. */
export function decideAssessment(facts: SubscriptionFacts, dueAt: Temporal.Instant, ids: Ids): Changes {
  const { subscription } = facts
  const now = momentOfAct(subscription, dueAt)
  assert(may('assess', subscription.state), `a subscription that is ${subscription.state} is never assessed`)
  assert(isAtOrBefore(subscription.nextAssessmentAt, now), 'assessments are never early')
  assert(subscription.collectingAttemptId === null, 'nothing is assessed while a payment is under way')
  const act = new Act(facts, now, ids)
  const due = dueFor(subscription, now)
  switch (due) {
    case 'retry':
      return collect(act, withoutAttempt(subscription), 'retry', ids)
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
      return renew(act, ids)
    default:
      return unreachable(due)
  }
}

/** The next period and what it will cost; the renewal itself and its preview read the same answer. */
export function nextPeriod({ subscription, product, site, pricing }: SubscriptionFacts): {
  period: Period
  number: number
  assessment: Assessment
} {
  const number = subscription.periodNumber + 1
  const endsAfter = number + 1 - subscription.anchorPeriodNumber
  const period = {
    startsAt: subscription.currentPeriodEndsAt,
    endsAt: addIntervals(anchorOf(subscription), product.interval, endsAfter),
  }
  const withInitialCharge = subscription.initialChargeDue
  const charges = [
    ...paidPeriodLines(product, period, site.timeZone, { withInitialCharge }),
    ...componentLines(pricing.components),
  ]
  return { period, number, assessment: assess(charges, pricing) }
}

function renew(act: Act, ids: Ids): Changes {
  const { subscription } = act.facts
  const { period, number, assessment } = nextPeriod(act.facts)
  if (leavesFreeTrial(act.facts, assessment.total)) {
    return end(act, act.endStatements({ ...subscription, state: 'trial_ended' }))
  }
  act.writeLines(assessment.lines, number)
  const begun: Subscription = {
    ...subscription,
    periodNumber: number,
    currentPeriodStartedAt: period.startsAt,
    currentPeriodEndsAt: period.endsAt,
    nextAssessmentAt: period.endsAt,
    initialChargeDue: false,
    couponUseCount: subscription.couponUseCount + (assessment.usedCoupon ? 1 : 0),
    activatedAt: subscription.state === 'trialing' ? period.startsAt : subscription.activatedAt,
  }
  const changes = collect(act, begun, 'renewal', ids)
  return {
    ...changes,
    billedUsage: billedUsage(act.facts),
    periods: [
      {
        siteId: subscription.siteId,
        subscriptionId: subscription.id,
        number,
        startedAt: period.startsAt,
        endsAt: period.endsAt,
        assessedAt: act.now,
      },
    ],
  }
}

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

/** Puts the payment of the whole balance on record, or settles at once what needs no gateway. */
function collect(act: Act, subscription: Subscription, reason: 'renewal' | 'retry', ids: Ids): Changes {
  const { card } = act.facts
  const balance = act.ledger.balance
  const owes = balance > 0 && subscription.paymentCollectionMethod === 'automatic'
  if (!owes) return succeedRenewal(act, subscription, reason, null)
  if (subscription.state === 'unpaid') return failRenewal(act, subscription, reason, 'not_tried')
  if (card === null) {
    act.ledger.write({ type: 'info', amount: cents(0), memo: '', periodNumber: subscription.periodNumber })
    return failRenewal(act, subscription, reason, 'no_card')
  }
  const attempt: PaymentAttempt = {
    siteId: subscription.siteId,
    id: ids.attempt(),
    subscriptionId: subscription.id,
    reason,
    periodNumber: subscription.periodNumber,
    idempotencyKey: '',
    amount: balance,
    gateway: card.currentVault,
    vaultToken: card.vaultToken,
    intent: null,
    createdAt: act.now,
  }
  attempt.idempotencyKey = attemptKey(act.facts.site, attempt)
  const openStatementTotal = act.openTotal()
  return { ...act.changes({ ...subscription, openStatementTotal, collectingAttemptId: attempt.id }), attempt }
}

/** Unique for good: the site's birth keeps a database that is made anew from reusing the keys of the old one. */
export const attemptKey = (
  site: { id: number; createdAt: Temporal.Instant },
  attempt: { subscriptionId: number; id: number },
): string => `${site.id}-${Math.floor(site.createdAt.epochMilliseconds / 1000)}-${attempt.subscriptionId}-${attempt.id}`

const withoutAttempt = (subscription: Subscription): Subscription => ({ ...subscription, collectingAttemptId: null })

/** The last act: the state changes, nothing is charged, the dates stay as they were. */
function end(act: Act, subscription: Subscription): Changes {
  act.tellStates([subscription.state])
  return act.changes({ ...subscription, retryAt: null, dunningAttempts: 0 })
}
