/** A period that begins now, at the moment of an act and not where the one before it ended: reactivated, or resumed too late. */
import type { Act } from './act.ts'
import { assess } from './assessment.ts'
import { type Anchor, addIntervals, type Period } from './calendar.ts'
import { type CalendarStart, prorateLines, startCalendar } from './calendar-billing.ts'
import type { Period as BegunPeriod, Changes } from './changes.ts'
import { componentLines } from './component-lines.ts'
import { noDunning } from './dunning.ts'
import { type LineItem, paidPeriodLines, trialLines } from './line-item.ts'
import type { Cents } from './money.ts'
import { type ChargedOnce, chargedOnce, takeCharged } from './one-time.ts'
import { anchoredAt, type Subscription, type SubscriptionFacts } from './subscription.ts'
import { usesOf } from './subscription-coupon.ts'

/** Plain JSON, so that it can wait on a payment attempt: what was priced is what is written, whatever changes meanwhile. */
export type PeriodPlan = {
  startsAt: string
  endsAt: string
  /** The paid periods are counted from here: from the trial's end if there is a trial, on from a day of the month if that is given. */
  anchorAt: string
  /** How many periods after this one begins at the anchor; 0 is this one itself. */
  periodsToAnchor: number
  isTrial: boolean
  lines: readonly LineItem[]
  total: Cents
  /** The coupons that discount it. */
  usedCouponIds: readonly number[]
  /** What of components it charges for good. */
  chargedOnce?: readonly ChargedOnce[]
}

/**
 * `facts` are those of the product that the period is sold on; a trial bills no components, a paid period no setup fee of its own.
 * With calendar billing it lasts until the next snap day and is prorated, but for a trial.
 */
export function planPeriod(
  { subscription, product, site, pricing }: SubscriptionFacts,
  now: Temporal.Instant,
  { withTrial }: { withTrial: boolean },
): PeriodPlan {
  const trial = withTrial ? product.trial : null
  const start: Anchor = { at: now, timeZone: site.timeZone }
  const usual = { startsAt: now, endsAt: addIntervals(start, (trial ?? product).interval, 1) }
  const { snapDay } = subscription
  const calendar =
    snapDay === null || trial ? null : startCalendar(now, site.timeZone, { snapDay, firstCharge: 'prorated' })
  const period = calendar?.period ?? usual
  const withoutFee = { ...product, initialCharge: null }
  const charges = trial
    ? trialLines(withoutFee, trial.price, period, site.timeZone)
    : [
        ...paidPeriodLines(product, period, site.timeZone, { withInitialCharge: subscription.initialChargeDue }),
        ...componentLines(pricing.components, pricing.minorUnit),
      ]
  const { lines, total, usedCouponIds } = assess(
    calendar ? prorateLines(charges, calendar.share, pricing.minorUnit) : charges,
    pricing,
    product.productId,
  )
  const once = trial ? [] : chargedOnce(pricing.components)
  return {
    ...datesOf(now, period, trial !== null, calendar),
    lines,
    total,
    usedCouponIds,
    ...(once.length > 0 && { chargedOnce: once }),
  }
}

type PeriodDates = Omit<PeriodPlan, 'lines' | 'total' | 'usedCouponIds' | 'chargedOnce'>

/** On a day of the month, periods are counted from that day; after a trial from its end. */
export function datesOf(
  now: Temporal.Instant,
  { endsAt }: Period,
  isTrial: boolean,
  calendar: CalendarStart | null,
): PeriodDates {
  return {
    startsAt: now.toString(),
    endsAt: endsAt.toString(),
    anchorAt: (calendar?.anchor.at ?? (isTrial ? endsAt : now)).toString(),
    periodsToAnchor: calendar?.periods ?? (isTrial ? 1 : 0),
    isTrial,
  }
}

/** Writes the rows of the plan and gives the subscription in its new period; metered usage starts again at 0. */
export function beginPeriod(
  act: Act,
  subscription: Subscription,
  plan: PeriodPlan,
  begunBy: BegunPeriod['begunBy'],
): {
  subscription: Subscription
  rest: Pick<Changes, 'periods' | 'billedUsage' | 'subscribedComponents' | 'subscriptionCoupons'>
} {
  const number = subscription.periodNumber + 1
  const startedAt = Temporal.Instant.from(plan.startsAt)
  const endsAt = Temporal.Instant.from(plan.endsAt)
  const anchor = { at: Temporal.Instant.from(plan.anchorAt), timeZone: act.facts.site.timeZone }
  act.writeLines(plan.lines, number)
  const { siteId, id: subscriptionId } = subscription
  return {
    subscription: {
      ...subscription,
      state: plan.isTrial ? 'trialing' : 'active',
      periodNumber: number,
      ...anchoredAt(anchor, number + plan.periodsToAnchor),
      currentPeriodStartedAt: startedAt,
      currentPeriodEndsAt: endsAt,
      nextAssessmentAt: endsAt,
      snapDay: plan.isTrial ? null : subscription.snapDay,
      ...noDunning,
      initialChargeDue: false,
      ...(plan.isTrial && { trialStartedAt: startedAt, trialEndedAt: endsAt }),
    },
    rest: {
      ...usesOf(subscription, act.facts.pricing.coupons, plan.usedCouponIds),
      periods: [{ siteId, subscriptionId, number, begunBy, startedAt, endsAt, assessedAt: act.now }],
      ...takeCharged(subscription, act.facts.pricing.components, plan.chargedOnce ?? []),
      billedUsage: act.facts.pricing.components
        .filter(({ component }) => component.kind === 'metered_component')
        .map(({ component }) => ({ subscriptionId, componentId: component.id })),
    },
  }
}
