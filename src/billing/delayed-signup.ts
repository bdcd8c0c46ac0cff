/** Decides a sign-up that begins later: its subscription exists, and nothing of it is charged before its first billing. */
import { Act } from './act.ts'
import { addIntervals, isAtOrBefore } from './calendar.ts'
import type { ProductTerms } from './catalog.ts'
import type { Changes, Ids } from './changes.ts'
import { customPriceOf } from './custom-price.ts'
import { billingDateChange, delayedSignupCreation } from './life-event.ts'
import { cents } from './money.ts'
import { refuseUnderWay } from './payment-attempt.ts'
import { invalid } from './refusal.ts'
import { factsOf, type Signup } from './signup.ts'
import { newStatement } from './statement.ts'
import { anchoredAt, may, type Subscription } from './subscription.ts'
import { couponChanges, standingOf } from './subscription-coupon.ts'

/** The subscription with an open statement and its coupons, none of them used: it has no period and no charge. */
export function decideDelayedSignup(signup: Signup, now: Temporal.Instant, ids: Ids): Changes {
  const { site, product, pricing, delay, expiresAt = null } = signup.plan.terms
  const statement = newStatement(site.id, ids.statement(), signup.subscriptionId, now, cents(0))
  const facts = factsOf(signup, now, statement.id)
  const waiting: Subscription = {
    ...facts.subscription,
    state: 'awaiting_signup',
    periodNumber: 0,
    currentPeriodStartedAt: now,
    initialChargeDue: false,
    trialStartedAt: null,
    trialEndedAt: null,
    activatedAt: null,
    expiresAt,
  }
  const act = new Act(facts, now, ids)
  act.events.push(delayedSignupCreation(act.subject))
  const newSubscription = beginningAt(waiting, delay?.until ?? null, product)
  const newCustomPrice = customPriceOf(newSubscription, product, now)
  return {
    events: act.events,
    ...(newCustomPrice && { newCustomPrice }),
    newSubscription,
    newStatements: [statement],
    ...couponChanges(newSubscription, [], pricing.coupons.map(standingOf)),
  }
}

/** Without a moment nothing is ever due, and the dates are those of one that began with its creation. */
function beginningAt(
  subscription: Subscription,
  at: Temporal.Instant | null,
  { interval }: ProductTerms,
): Subscription {
  const { createdAt, anchorTimeZone: timeZone } = subscription
  const dated = at ?? addIntervals({ at: createdAt, timeZone }, interval, 1)
  return {
    ...subscription,
    initialBillingAt: at,
    currentPeriodEndsAt: dated,
    nextAssessmentAt: dated,
    ...anchoredAt({ at: dated, timeZone }, 1),
  }
}

/** Moves the first billing, or puts it off until somebody says when. Refuses a moment that has passed, and what has begun already. */
export function moveInitialBilling(act: Act, subscription: Subscription, to: Temporal.Instant | null): Subscription {
  const { state, initialBillingAt: from } = subscription
  if (!may('activate', state)) {
    throw invalid(`Initial billing at: cannot be set on a subscription that is ${state}.`)
  }
  if (to === null ? from === null : from?.equals(to)) return subscription
  if (to !== null && isAtOrBefore(to, act.now)) throw invalid('Initial billing at: must be in the future.')
  refuseUnderWay(subscription)
  const { site, product } = act.facts
  act.events.push(billingDateChange(act.subject, from, to, site.timeZone))
  return beginningAt(subscription, to, product)
}
