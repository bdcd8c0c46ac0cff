/** Calendar billing: renewals at noon of one day of the month, and what the first period costs until that day comes. */
import type { Act } from './act.ts'
import {
  type Anchor,
  addIntervals,
  isAtOrBefore,
  isBefore,
  minOf,
  type Period,
  secondsBetween,
  withinBounds,
} from './calendar.ts'
import type { ProductTerms } from './catalog.ts'
import type { PeriodMove } from './changes.ts'
import { withRetry } from './dunning.ts'
import { billingDateChange } from './life-event.ts'
import type { LineItem } from './line-item.ts'
import { type MinorUnit, prorate } from './money.ts'
import { type Rest, restOf } from './proration.ts'
import { invalid } from './refusal.ts'
import { anchoredAt, anchorOf, may, type Subscription, type SubscriptionFacts } from './subscription.ts'

/** The part of a month, the whole of it, or nothing before the first renewal. */
export const firstCharges = ['prorated', 'immediate', 'delayed'] as const

export type CalendarBilling = {
  /** `1` to `28`, or `end` for the last day of each month. */
  snapDay: string
  firstCharge: (typeof firstCharges)[number]
}

export const isSnapDay = (text: string): boolean => /^([1-9]|1\d|2[0-8]|end)$/.test(text)

const noon = Temporal.PlainTime.from('12:00')

/** Whoever starts so shortly before noon of the day pays a full month, up to the day after that. */
const fullMonthWithinSeconds = 24 * 3600

export const renewsMonthly = ({ interval }: Pick<ProductTerms, 'interval'>): boolean =>
  interval.unit === 'month' && interval.count === 1

/** Refuses a product that does not renew every month, or that begins with a trial or expires. */
export function refuseUnfit(product: ProductTerms): void {
  if (renewsMonthly(product) && product.trial === null && product.expiration === null) return
  throw invalid('Calendar billing: the product must renew every month, without a trial and without an expiration.')
}

/** Noon of the snap day of a month. */
function snapIn(month: Temporal.PlainYearMonth, snapDay: string, timeZone: string): Temporal.Instant {
  const day = snapDay === 'end' ? month.daysInMonth : Number(snapDay)
  return withinBounds(month.toPlainDate({ day }).toZonedDateTime({ timeZone, plainTime: noon }).toInstant())
}

const monthOf = (at: Temporal.Instant, timeZone: string): Temporal.PlainYearMonth =>
  at.toZonedDateTimeISO(timeZone).toPlainDate().toPlainYearMonth()

/** Noon of the first snap day after a moment; of the next month at noon itself. */
export function nextSnap(now: Temporal.Instant, snapDay: string, timeZone: string): Temporal.Instant {
  const month = monthOf(now, timeZone)
  const snap = snapIn(month, snapDay, timeZone)
  return isBefore(now, snap) ? snap : snapIn(month.add({ months: 1 }), snapDay, timeZone)
}

/** Where the periods are counted from: that period comes so many `periods` after the one that ends on the snap day. */
type SnapAnchor = { anchor: Anchor; periods: number }

/** The last day of each month is counted from a 31st: it comes back after every shorter month. */
function anchorAt(snap: Temporal.Instant, snapDay: string, timeZone: string): SnapAnchor {
  const first = monthOf(snap, timeZone)
  const months = snapDay !== 'end' || first.daysInMonth === 31 ? 0 : 1
  return { anchor: { at: snapIn(first.add({ months }), snapDay, timeZone), timeZone }, periods: 1 + months }
}

export type CalendarStart = SnapAnchor & {
  period: Period
  /** What of a month's prices is charged now; part 0 means that the first renewal charges everything. */
  share: Rest
}

const whole: Rest = { part: 1, whole: 1 }
const nothing: Rest = { part: 0, whole: 1 }

/** The period that begins now and ends on a snap day. A delayed first charge waits for the very next one. */
export function startCalendar(
  now: Temporal.Instant,
  timeZone: string,
  { snapDay, firstCharge }: CalendarBilling,
): CalendarStart {
  const next = nextSnap(now, snapDay, timeZone)
  const isShortly = firstCharge !== 'delayed' && secondsBetween(now, next) <= fullMonthWithinSeconds
  const endsAt = isShortly ? nextSnap(next, snapDay, timeZone) : next
  const previous = snapIn(monthOf(next, timeZone).subtract({ months: 1 }), snapDay, timeZone)
  const prorated = { part: secondsBetween(now, next), whole: secondsBetween(previous, next) }
  const share = firstCharge === 'delayed' ? nothing : isShortly || firstCharge === 'immediate' ? whole : prorated
  return { period: { startsAt: now, endsAt }, share, ...anchorAt(endsAt, snapDay, timeZone) }
}

/** Not what is charged once, or for what was used. */
const isForTime = ({ kind, isOneTime }: LineItem): boolean =>
  kind !== 'initial' && kind !== 'metered_component' && !isOneTime

/** The lines of a period for a part of it, before discounts and taxes; a setup fee, usage and what is charged once are charged in full. */
export const prorateLines = (lines: readonly LineItem[], share: Rest, unit: MinorUnit): LineItem[] =>
  lines
    .map((line) => (isForTime(line) ? { ...line, amount: prorate(line.amount, share, unit) } : line))
    .filter((line) => line.amount !== 0 || line.kind === 'baseline')

/**
 * Moves the renewals to another day: the current period ends on that day of the month in which it was to end, or of the next month
 * where that has passed. What was charged stays as it is. Refuses subscriptions without calendar billing.
 */
export function moveSnap(
  act: Act,
  subscription: Subscription,
  snapDay: string,
): { subscription: Subscription; period: PeriodMove } {
  if (subscription.snapDay === null) throw invalid('Snap day: goes with calendar billing only.')
  if (!may('moveBillingDate', subscription.state)) {
    throw invalid(`Snap day: cannot be changed on a subscription that is ${subscription.state}.`)
  }
  const { timeZone } = act.facts.site
  const { id: subscriptionId, periodNumber, currentPeriodEndsAt: from } = subscription
  const there = snapIn(monthOf(from, timeZone), snapDay, timeZone)
  const to = isAtOrBefore(there, act.now) ? nextSnap(act.now, snapDay, timeZone) : there
  const { anchor, periods } = anchorAt(to, snapDay, timeZone)
  const moved: Subscription = {
    ...subscription,
    snapDay,
    currentPeriodEndsAt: to,
    ...anchoredAt(anchor, periodNumber + periods),
    delayedCancelAt: subscription.cancelAtEndOfPeriod ? to : subscription.delayedCancelAt,
  }
  act.events.push(billingDateChange(act.subject, from, to, timeZone))
  return {
    subscription: withRetry(moved, subscription.retryAt),
    period: { subscriptionId, number: periodNumber, endsAt: to },
  }
}

/** The regular period of a subscription that ends with its current one, which may be shorter: the measure of a month's price. */
export const regularPeriod = (subscription: Subscription, { interval }: Pick<ProductTerms, 'interval'>): Period => ({
  startsAt: addIntervals(anchorOf(subscription), interval, subscription.periodNumber - subscription.anchorPeriodNumber),
  endsAt: subscription.currentPeriodEndsAt,
})

/**
 * What is left of the time that the prices of the current period are for, when quantities change in its middle. On calendar billing,
 * and until the first renewal of an import, they are for a regular period at least, also where the current one is shorter. Null where
 * a delayed first charge leaves that period free.
 */
export function restOfPrices({ subscription, product }: SubscriptionFacts, now: Temporal.Instant): Rest | null {
  const { currentPeriodStartedAt: startsAt, currentPeriodEndsAt: endsAt } = subscription
  const { snapDay, periodNumber, signupPaymentId } = subscription
  const isUncharged = periodNumber === 1 && signupPaymentId === 0
  if (snapDay === null && !isUncharged) return restOf({ startsAt, endsAt }, now)
  const isFree = snapDay !== null && isUncharged
  return isFree
    ? null
    : restOf({ startsAt: minOf(startsAt, regularPeriod(subscription, product).startsAt), endsAt }, now)
}
