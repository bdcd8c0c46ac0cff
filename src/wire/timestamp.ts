/** Which forms of date and time the API reads, and how it writes them. */

import { latestInstant } from '../billing/calendar.ts'

/** How long a text may be that is read as a date: JavaScript names the zone in words. */
export const dateTextMax = 96

/** 1 January 1970 to 30 December 9999: every instant in between has four digits of a year in every zone's form. */
const earliestMilliseconds = 0
const latestMilliseconds = latestInstant.epochMilliseconds

const maxTextLength = dateTextMax

const fullMonthNames = 'january february march april may june july august september october november december'.split(
  ' ',
)
const monthNames = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const weekdayNames = 'mon tue wed thu fri sat sun'.split(' ')

/**
 * Minutes east of UTC. The four American families mean what RFC 2822 says they mean. What stands for several zones is missing on
 * purpose: IST, BST, AST, SST and the like are refused, since a guess would move a payment by hours.
 */
const zoneAbbreviations: Readonly<Record<string, number>> = {
  Z: 0,
  UT: 0,
  UTC: 0,
  GMT: 0,
  EST: -300,
  EDT: -240,
  CST: -360,
  CDT: -300,
  MST: -420,
  MDT: -360,
  PST: -480,
  PDT: -420,
  AKST: -540,
  AKDT: -480,
  HST: -600,
  NST: -210,
  NDT: -150,
  WET: 0,
  WEST: 60,
  CET: 60,
  CEST: 120,
  EET: 120,
  EEST: 180,
  JST: 540,
  AEST: 600,
  AEDT: 660,
  NZST: 720,
  NZDT: 780,
}

const offset = '[+-]\\d\\d(?::?\\d\\d)?'
// -04:00 · EDT · GMT-0400 (Eastern Daylight Time), as JavaScript has it
const zone = `(?<zone>(?:gmt|utc)?${offset}|[a-z]{1,4})(?: \\([a-z .'-]*\\))?`
const clock = '(?<hour>\\d{1,2}):(?<minute>\\d\\d)(?::(?<second>\\d\\d)(?:[.,]\\d{1,9})?)?'
const half = '(?: ?(?<half>[ap]m))?'
const time = `${clock}${half}`
const hourAlone = '(?<hour>\\d{1,2}) ?(?<half>[ap]m)'
/** What may follow a date. */
const moment = `(?:(?:,? at |, ?| )(?:${time}|${hourAlone})(?: ?${zone})?)?`
const restOfWeekday = '(?<=mon|fri|sun)day|(?<=tue)s(?:day)?|(?<=wed)nesday|(?<=thu)r?s(?:day)?|(?<=sat)urday'
const weekday = `(?:(?<weekday>${weekdayNames.join('|')})(?:${restOfWeekday})?,? )?`
const monthName = `(?<monthName>${monthNames.join('|')})(?<monthRest>[a-z]{1,6})?\\.?`
const day = '(?<day>\\d{1,2})'
const nth = `${day}(?:st|nd|rd|th)?`
const year = '(?<year>\\d{4})'

/** Blanks are single by the time these are asked; each form is anchored. */
const forms = [
  // 2010-08-06T11:34:00-04:00
  `${year}-(?<month>\\d\\d)-(?<day>\\d\\d)t(?=\\d\\d:)${clock}(?: ?${zone})?`,
  // 20100806T153400Z · 20100806
  `${year}(?<month>\\d\\d)(?<day>\\d\\d)(?:t(?<hour>\\d\\d)(?<minute>\\d\\d)(?:(?<second>\\d\\d)(?:[.,]\\d{1,9})?)?(?:${zone})?)?`,
  // 2010-08-06 · 2010-08-06 15:34Z · 2010/8/6 3:34 pm GMT
  `${year}(?<mark>[-/])(?<month>\\d{1,2})\\k<mark>${day}${moment}`,
  // 8/6/2010 11:34:00 EDT · 8/6/2010, 11:34:00 AM
  `(?<month>\\d{1,2})/${day}/${year}${moment}`,
  // Fri, 06 Aug 2010 11:34:00 -0400 · 6 August 2010 · 06-Aug-2010
  `${weekday}${nth}(?<mark>[ -])${monthName}(?:\\k<mark>|, )${year}${moment}`,
  // August 6, 2010 · Fri Aug 06 2010 11:34:00 GMT-0400 (Eastern Daylight Time)
  `${weekday}${monthName} ${nth},? ${year}${moment}`,
  // Fri Aug 06 11:34:00 EDT 2010 · Aug 06 11:34 -0400 2010
  `${weekday}${monthName} ${day} ${time}(?: ${zone})? ${year}`,
  // 2010-Aug-06
  `${year}-${monthName}-${day}${moment}`,
  // 13.8.2010 · 13-8-2010: resolved where only one of both can be the day
  `(?<one>\\d{1,2})(?<mark>[.-])(?<other>\\d{1,2})\\k<mark>${year}${moment}`,
].map((form) => new RegExp(`^${form}$`, 'i'))

type Parts = Partial<Record<string, string>>

/**
 * Reads a date and time. Its own offset, Z or zone abbreviation wins; without one it is the site's wall time, and a bare date is
 * midnight there. A fraction of a second is dropped. Undefined for everything else: an impossible date, a weekday that is not that
 * date's, what may mean two dates (`readingsOf` names them), a year before 1970 or after 9999.
 */
export function parseTimestamp(text: string, { timeZone }: { timeZone: string }): Temporal.Instant | undefined {
  const parts = partsOf(text)
  return parts && resolve(parts, timeZone)
}

function partsOf(text: string): Parts | undefined {
  if (text.length > maxTextLength) return undefined
  const single = text.trim().replace(/[ \t]+/g, ' ')
  for (const form of forms) {
    const parts = form.exec(single)?.groups
    if (parts) return parts.one === undefined ? parts : withOnlyOrder(parts)
  }
  return undefined
}

/** Two numbers before the year: the day is the one that can be no month, or either where they are equal. */
function withOnlyOrder(parts: Parts): Parts {
  const { one = '', other = '' } = parts
  if (Number(one) > 12 || Number(one) === Number(other)) return { ...parts, day: one, month: other }
  return Number(other) > 12 ? { ...parts, day: other, month: one } : parts
}

const ambiguousZones: Readonly<Record<string, readonly string[]>> = {
  AST: ['-04:00 (Atlantic)', '+03:00 (Arabia)'],
  BST: ['+01:00 (Britain)', '+06:00 (Bangladesh)'],
  IST: ['+05:30 (India)', '+02:00 (Israel)', '+01:00 (Ireland)'],
  SST: ['-11:00 (Samoa)', '+08:00 (Singapore)'],
}

/** What an ambiguous date or zone may mean, each as it would be read; empty for a text that is no date or has one meaning. */
export function readingsOf(text: string): readonly string[] {
  const parts = partsOf(text)
  if (parts === undefined) return []
  const { one, other, year, month, zone: name } = parts
  if (one !== undefined && other !== undefined && month === undefined) {
    const written = (monthText: string, dayText: string): string =>
      `${year}-${monthText.padStart(2, '0')}-${dayText.padStart(2, '0')}`
    const isDate = Number(one) > 0 && Number(other) > 0
    return isDate ? [written(one, other), written(other, one)] : []
  }
  return (name !== undefined && ambiguousZones[name.toUpperCase()]) || []
}

function resolve(parts: Parts, timeZone: string): Temporal.Instant | undefined {
  const wall = readWallTime(parts)
  if (!wall) return undefined
  if (parts.weekday && weekdayNames[wall.dayOfWeek - 1] !== parts.weekday.toLowerCase()) return undefined
  const offset = parts.zone === undefined ? undefined : readOffset(parts.zone)
  if (parts.zone !== undefined && offset === undefined) return undefined
  const zoned = wall.toZonedDateTime(offset === undefined ? timeZone : 'UTC')
  const milliseconds = zoned.epochMilliseconds - (offset ?? 0) * 60_000
  if (milliseconds < earliestMilliseconds || milliseconds > latestMilliseconds) return undefined
  return Temporal.Instant.fromEpochMilliseconds(milliseconds)
}

function readWallTime(parts: Parts): Temporal.PlainDateTime | undefined {
  if (parts.month === undefined && parts.monthName === undefined) return undefined
  const { year, month, monthName, day, hour = '0', minute = '0', second = '0' } = parts
  const monthNumber = monthName ? readMonthName(monthName, parts.monthRest ?? '') : Number(month)
  const hours = readHour(Number(hour), parts.half)
  // The constructor would refuse each of these by throwing; a caller's slip is no exception.
  if (monthNumber < 1 || monthNumber > 12 || hours > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const firstOfMonth = new Temporal.PlainDate(Number(year), monthNumber, 1)
  if (Number(day) < 1 || Number(day) > firstOfMonth.daysInMonth) return undefined
  return new Temporal.PlainDateTime(Number(year), monthNumber, Number(day), hours, Number(minute), Number(second))
}

/** From 1; 0 for what is neither the name of a month nor its beginning of three letters, or `sept`. */
function readMonthName(beginning: string, rest: string): number {
  const index = monthNames.indexOf(beginning.toLowerCase())
  const name = (beginning + rest).toLowerCase()
  return rest === '' || name === fullMonthNames[index] || name === 'sept' ? index + 1 : 0
}

/** 12 am is midnight and 12 pm noon; beyond every day for what no clock of twelve hours shows. */
function readHour(hour: number, half: string | undefined): number {
  if (half === undefined) return hour
  if (hour < 1 || hour > 12) return 24
  return (hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)
}

/** Minutes east of UTC: of 'EDT', '+02', '+0200', '+02:00'. Undefined for an abbreviation that we do not know or offsets that nobody keeps. */
function readOffset(text: string): number | undefined {
  if (!/[+-]/.test(text)) return zoneAbbreviations[text.toUpperCase()]
  if (/^[a-z]/i.test(text)) return readOffset(text.slice('GMT'.length))
  const hours = Number(text.slice(1, 3))
  const minutes = Number(text.slice(3).replace(':', '') || '0')
  if (hours > 14 || minutes > 59) return undefined
  return (text.startsWith('-') ? -1 : 1) * (60 * hours + minutes)
}

/** ISO 8601 with the zone's offset at that instant: '2026-11-20T12:00:00-05:00'; UTC is '+00:00'. */
export function formatTimestamp(instant: Temporal.Instant, timeZone: string): string {
  const milliseconds = instant.epochMilliseconds
  const span = spanAt(milliseconds, timeZone)
  return wallText(milliseconds + span.offsetMinutes * 60_000) + span.suffix
}

/** ISO 8601 in UTC: '2026-11-20T17:00:00Z'. */
export const formatUtc = (instant: Temporal.Instant): string => `${wallText(instant.epochMilliseconds)}Z`

const wallText = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, -'.000Z'.length)

/** A stretch of time in which a zone's clocks do not change. */
type Span = { fromMilliseconds: number; untilMilliseconds: number; offsetMinutes: number; suffix: string }

const spansOfZone = new Map<string, Span[]>()
const maxSpansOfZone = 32

/** An answer holds dozens of timestamps from a few spans, and finding the span again takes a tenth of the time of asking Temporal. */
function spanAt(milliseconds: number, timeZone: string): Span {
  const spans = spansOfZone.get(timeZone) ?? []
  for (const span of spans)
    if (span.fromMilliseconds <= milliseconds && milliseconds < span.untilMilliseconds) return span
  const span = readSpan(milliseconds, timeZone)
  spansOfZone.set(timeZone, [...spans.slice(1 - maxSpansOfZone), span])
  return span
}

function readSpan(milliseconds: number, timeZone: string): Span {
  const at = Temporal.Instant.fromEpochMilliseconds(milliseconds).toZonedDateTimeISO(timeZone)
  // A transition at this very instant begins the span, and 'previous' means strictly before.
  const from = at.add({ milliseconds: 1 }).getTimeZoneTransition('previous')
  const until = at.getTimeZoneTransition('next')
  // Offsets are written in whole minutes; Monrovia's of 1971 is not one, and what is written must read back as the same instant.
  const offsetMinutes = Math.round(at.offsetNanoseconds / 60e9)
  const magnitude = Math.abs(offsetMinutes)
  const suffix = `${offsetMinutes < 0 ? '-' : '+'}${twoDigits(Math.floor(magnitude / 60))}:${twoDigits(magnitude % 60)}`
  return {
    fromMilliseconds: from?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    untilMilliseconds: until?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offsetMinutes,
    suffix,
  }
}

const twoDigits = (value: number): string => String(value).padStart(2, '0')
