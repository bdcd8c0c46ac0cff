/** What the rest of a period is worth: prices for the time from now to its end, by the second. */
import { type Period, secondsBetween } from './calendar.ts'
import { type Cents, cents, type MinorUnit, prorate } from './money.ts'

/** Seconds: those that are left, of those that the whole period has. */
export type Rest = { part: number; whole: number }

/** A moment before the period leaves all of it, a moment after it nothing. */
export function restOf(period: Period, now: Temporal.Instant): Rest {
  const whole = secondsBetween(period.startsAt, period.endsAt)
  const left = secondsBetween(now, period.endsAt)
  return { part: Math.min(Math.max(left, 0), whole), whole }
}

/**
 * What a change of price costs for the rest of a period; negative when it becomes cheaper. Each price is prorated for itself and the
 * difference is taken then: so changes of one moment come to the same whatever the steps, and undoing one gives back all of it.
 */
export const proratedChange = (from: Cents, to: Cents, rest: Rest, unit: MinorUnit): Cents =>
  cents(prorate(to, rest, unit) - prorate(from, rest, unit))
