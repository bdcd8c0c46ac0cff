/** When periods begin and end: the anchor's wall time in its zone, k intervals on, clamped to the month's end. */
import { assert } from './assert.ts'
import { invalid } from './refusal.ts'

/** No date that we write is earlier or later: every zone writes its year with four digits. */
export const earliestInstant = Temporal.Instant.from('0001-01-02T00:00:00Z')
export const latestInstant = Temporal.Instant.from('9999-12-30T23:59:59Z')

const earliestMilliseconds = earliestInstant.epochMilliseconds
const latestMilliseconds = latestInstant.epochMilliseconds

/** The instant given, or a refusal of one that is out of bounds: it could be written, and not be read by those who ask for it. */
export function withinBounds(at: Temporal.Instant): Temporal.Instant {
  const { epochMilliseconds } = at
  if (epochMilliseconds < earliestMilliseconds || epochMilliseconds > latestMilliseconds) throw outOfBounds()
  return at
}

const outOfBounds = () => invalid('Dates: one that follows from this would be later than 30 December 9999.')

export type Interval = { count: number; unit: 'day' | 'month' }

/**
 * The moment from which a subscription's periods are counted, and the zone whose wall clock they keep. What periods of other lengths
 * took is added to it before anything else, so that its day of the month is never lost to a shorter month.
 */
export type Anchor = { at: Temporal.Instant; timeZone: string; elapsed?: CalendarSpan }

/** Months and days on a wall calendar: the months are added first, clamped to the month's end, then the days. */
export type CalendarSpan = { months: number; days: number }

export type Period = { startsAt: Temporal.Instant; endsAt: Temporal.Instant }

/**
 * The anchor plus k intervals, always counted from the anchor and never from the period before: 31 January, 28 February, 31 March.
 * The wall time is kept across daylight saving. A wall time that the zone skips moves forward by the gap, one that occurs twice is the
 * earlier. k may be negative. Where a zone dropped a whole day (Apia, 30 December 2011) that day's period is empty. Refuses an end that
 * is out of bounds.
 */
export function addIntervals(anchor: Anchor, interval: Interval, k: number): Temporal.Instant {
  const { count } = interval
  assert(Number.isSafeInteger(count) && count > 0, `an interval must be a positive whole number, not ${count}`)
  assert(Number.isSafeInteger(k), `a period's number must be whole, not ${k}`)
  assert(anchor.at.epochMilliseconds % 1000 === 0, `an anchor must be a whole second, not ${anchor.at}`)
  const span = spanAfter(anchor, interval, k)
  const { months, days } = span
  if (months === 0 && days === 0) return anchor.at
  // Farther than calendars reach.
  if (Math.abs(months) > 120_000 || Math.abs(days) > 3_660_000) throw outOfBounds()
  if (anchor.timeZone === 'UTC') return withinBounds(addInUtc(anchor.at, span))
  const wall = anchor.at.toZonedDateTimeISO(anchor.timeZone).toPlainDateTime()
  return withinBounds(wall.add({ months }).add({ days }).toZonedDateTime(anchor.timeZone).toInstant())
}

/** How far after the anchor's moment k intervals end. */
export function spanAfter({ elapsed }: Anchor, { count, unit }: Interval, k: number): CalendarSpan {
  const { months, days } = elapsed ?? { months: 0, days: 0 }
  return unit === 'day' ? { months, days: days + count * k } : { months: months + count * k, days }
}

/** The general path's answer for UTC, in a sixth of its time: most sites keep UTC, and each renewal asks several times. */
function addInUtc(at: Temporal.Instant, { months, days }: CalendarSpan): Temporal.Instant {
  const millisecondsPerDay = 86_400_000
  const from = new Date(at.epochMilliseconds)
  const year = from.getUTCFullYear()
  const month = from.getUTCMonth() + months
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const midnight = Date.UTC(year, month, Math.min(from.getUTCDate(), lastDay) + days)
  const timeOfDay = ((at.epochMilliseconds % millisecondsPerDay) + millisecondsPerDay) % millisecondsPerDay
  return Temporal.Instant.fromEpochMilliseconds(midnight + timeOfDay)
}

/** Period k of an anchor, from 0: it ends at the instant at which period k + 1 begins. */
export const periodBoundaries = (anchor: Anchor, interval: Interval, k: number): Period => ({
  startsAt: addIntervals(anchor, interval, k),
  endsAt: addIntervals(anchor, interval, k + 1),
})

/** Absolute hours, whatever the wall clocks do: the spacing of dunning. */
export const addHours = (instant: Temporal.Instant, hours: number): Temporal.Instant =>
  withinBounds(instant.add({ hours }))

/** Days of exactly 24 hours: the life of links. Periods and trials keep the wall time: `addIntervals`. */
export const addDays = (instant: Temporal.Instant, days: number): Temporal.Instant => addHours(instant, 24 * days)

/** Whole seconds from one instant to another, negative when `to` is the earlier; the measure of proration. */
export const secondsBetween = (from: Temporal.Instant, to: Temporal.Instant): number =>
  Math.trunc((to.epochMilliseconds - from.epochMilliseconds) / 1000)

/** Drops the fraction of a second, towards the past. */
export const truncateToSecond = (instant: Temporal.Instant): Temporal.Instant =>
  Temporal.Instant.fromEpochMilliseconds(Math.floor(instant.epochMilliseconds / 1000) * 1000)

/** To the millisecond, which whole seconds never notice and which takes a fifth of the time of an exact comparison. */
export const isBefore = (left: Temporal.Instant, right: Temporal.Instant): boolean =>
  left.epochMilliseconds < right.epochMilliseconds

export const isAtOrBefore = (left: Temporal.Instant, right: Temporal.Instant): boolean => !isBefore(right, left)

export const minOf = (first: Temporal.Instant, ...others: Temporal.Instant[]): Temporal.Instant =>
  others.reduce((least, other) => (isBefore(other, least) ? other : least), first)

export const maxOf = (first: Temporal.Instant, ...others: Temporal.Instant[]): Temporal.Instant =>
  others.reduce((greatest, other) => (isBefore(greatest, other) ? other : greatest), first)

/** MM/DD/YYYY on the zone's wall calendar, as memos tell it. */
export function formatDay(instant: Temporal.Instant, timeZone: string): string {
  const day = instant.toZonedDateTimeISO(timeZone)
  return `${twoDigits(day.month)}/${twoDigits(day.day)}/${String(day.year).padStart(4, '0')}`
}

export const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** YYYY-MM-DD on the zone's wall calendar, as machines read it. */
export const dayOf = (instant: Temporal.Instant, timeZone: string): string =>
  instant.toZonedDateTimeISO(timeZone).toPlainDate().toString()

/** Of a day as `dayOf` gives it. */
export const daysAfter = (day: string, days: number): string => Temporal.PlainDate.from(day).add({ days }).toString()

/** The first second of a day 'YYYY-MM-DD' in the zone, also where midnight is skipped. Undefined when there is no such day. */
export const startOfDay = (date: string, timeZone: string): Temporal.Instant | undefined =>
  readDay(date)?.toZonedDateTime(timeZone).toInstant()

/** The last second of a day 'YYYY-MM-DD' in the zone. Undefined when there is no such day. */
export const endOfDay = (date: string, timeZone: string): Temporal.Instant | undefined =>
  readDay(date)?.add({ days: 1 }).toZonedDateTime(timeZone).toInstant().subtract({ seconds: 1 })

function readDay(date: string): Temporal.PlainDate | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return undefined
  try {
    return Temporal.PlainDate.from(date)
  } catch {
    return undefined
  }
}

/** Whether this is the name of a zone with rules, in its proper spelling ('America/New_York', 'UTC'). A bare offset is not one. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]{1,63}$/.test(name)) return false
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId === name
  } catch {
    return false
  }
}
