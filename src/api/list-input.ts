/** What a list can be narrowed by, read from the query: windows of dates and times, words, ids. Pages and directions are in wire/paging. */
import { latestInstant, minOf } from '../billing/calendar.ts'
import type { Narrowing } from '../store/narrowing.ts'
import { InputErrors } from '../wire/input.ts'
import { readId } from '../wire/paging.ts'
import type { Query } from '../wire/request.ts'
import { parseTimestamp } from '../wire/timestamp.ts'
import { unreadable } from './date-input.ts'
import { textFrom } from './handler.ts'
import { Problems } from './problems.ts'

/** Both ends belong to the window; null is an open end. */
export type TimeWindow = { readonly since: Temporal.Instant | null; readonly until: Temporal.Instant | null }

/** The names of the two ends in the query, for example `since_date` and `until_date`. */
export type WindowNames = readonly [since: string, until: string]

/** What no row lies before or after; dates beyond it are taken as it, so that the database can read them. */
const earliest = Temporal.Instant.from('1970-01-01T00:00:00Z')

const withinReach = (at: Temporal.Instant): Temporal.Instant => {
  if (Temporal.Instant.compare(at, earliest) < 0) return earliest
  return minOf(at, latestInstant)
}

/** `since_date` is complained about as `Since date`, `filter[ids]` by its name. */
const labelOf = (name: string): string =>
  name.includes('[') ? name : name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')

function readDate(query: Query, name: string): Temporal.PlainDate | null {
  const text = textFrom(query, name)
  if (text === undefined) return null
  const [, year, month, day] = (/^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []).map(Number)
  if (year === undefined || month === undefined || day === undefined) {
    throw new InputErrors([`${labelOf(name)}: must be a date in the form YYYY-MM-DD.`])
  }
  const isPossible = month >= 1 && month <= 12 && day >= 1 && day <= new Temporal.PlainDate(year, month, 1).daysInMonth
  if (!isPossible) throw new InputErrors([`${labelOf(name)}: is not a possible date.`])
  return new Temporal.PlainDate(year, month, day)
}

/**
 * Whole days in the site's zone: from the first moment of the one to 23:59:59 of the other. Throws `InputErrors` for what is no
 * date, for a day that does not exist, and when the second day comes before the first.
 */
export function readDateWindow(
  query: Query,
  timeZone: string,
  names: WindowNames = ['since_date', 'until_date'],
): TimeWindow {
  const [first, last] = readEnds(names, (name) => readDate(query, name), Temporal.PlainDate.compare)
  return {
    since: first && withinReach(first.toZonedDateTime(timeZone).toInstant()),
    until: last && withinReach(last.add({ days: 1 }).toZonedDateTime(timeZone).toInstant().subtract({ seconds: 1 })),
  }
}

/** Moments, in any form in which the API reads them; one without an offset is wall time of the site. Throws `InputErrors`. */
export function readTimeWindow(query: Query, timeZone: string, names: WindowNames): TimeWindow {
  const read = (name: string): Temporal.Instant | null => {
    const text = textFrom(query, name)
    if (text === undefined) return null
    const at = parseTimestamp(text, { timeZone })
    if (at === undefined) throw new InputErrors([`${labelOf(name)}: ${unreadable(text, 'is not a date and time.')}`])
    return at
  }
  const [since, until] = readEnds(names, read, Temporal.Instant.compare)
  return { since, until }
}

/**
 * `start_date` and `end_date`, or `start_datetime` and `end_datetime`, which win where both are named; `nameOf` tells where they stand
 * in the query. Throws `InputErrors`.
 */
export function readDaysOrMoments(
  query: Query,
  timeZone: string,
  nameOf: (name: string) => string = (name) => name,
): TimeWindow {
  const problems = new Problems()
  const days = problems.gather(() => readDateWindow(query, timeZone, [nameOf('start_date'), nameOf('end_date')]))
  const moments = problems.gather(() =>
    readTimeWindow(query, timeZone, [nameOf('start_datetime'), nameOf('end_datetime')]),
  )
  problems.tell()
  return { since: moments?.since ?? days?.since ?? null, until: moments?.until ?? days?.until ?? null }
}

function readEnds<End>(
  [sinceName, untilName]: WindowNames,
  read: (name: string) => End | null,
  compare: (one: End, other: End) => number,
): [since: End | null, until: End | null] {
  const problems = new Problems()
  const since = problems.gather(() => read(sinceName)) ?? null
  const until = problems.gather(() => read(untilName)) ?? null
  if (since !== null && until !== null && compare(until, since) < 0) {
    problems.add(`${labelOf(untilName)}: must not be before the ${labelOf(sinceName).toLowerCase()}.`)
  }
  problems.tell()
  return [since, until]
}

/**
 * `name[]=a&name[]=b`, `name=a` or `name=a,b`, each word once and in the order of `allowed`; null when none was sent.
 * A word that is not allowed throws `InputErrors`, which tells those that are.
 */
export function readWords<const Word extends string>(
  query: Query,
  name: string,
  allowed: readonly Word[],
): Word[] | null {
  const sent = query[name]
  if (sent === undefined) return null
  const words = (typeof sent === 'string' ? [sent] : sent).flatMap((text) => text.split(',')).map((word) => word.trim())
  const known = new Set<string>(allowed)
  if (words.some((word) => !known.has(word))) throw unknownWord(name, allowed)
  return allowed.filter((word) => words.includes(word))
}

/** One word of several; `usual` when none was sent. Throws `InputErrors` as `readWords` does. */
export function readWord<const Word extends string, Usual extends Word | null>(
  query: Query,
  name: string,
  allowed: readonly Word[],
  usual: Usual,
): Word | Usual {
  const text = textFrom(query, name)
  if (text === undefined) return usual
  const word = allowed.find((one) => one === text.trim())
  if (word === undefined) throw unknownWord(name, allowed)
  return word
}

const unknownWord = (name: string, allowed: readonly string[]): InputErrors =>
  new InputErrors([`${labelOf(name)}: must be one of ${allowed.join(', ')}.`])

/** Codes and the like: `name=a,b`, `name[]=a&name[]=b`, trimmed; null when none was sent. */
export function readTexts(query: Query, name: string): string[] | null {
  const sent = query[name]
  if (sent === undefined) return null
  return [sent].flat().flatMap((text) => text.split(',').map((one) => one.trim()))
}

/** Several ids, sent as codes are; null when none was sent. Throws `InputErrors` for what is no number. */
export const readIds = (query: Query, name: string): number[] | null =>
  readTexts(query, name)?.map((text) => readId({ [name]: text }, name, labelOf(name)) ?? 0) ?? null

/** The dates of what is neither subscription nor invoice. */
const basicDates = ['created_at', 'updated_at'] as const

/** `date_field` and its window; ids are no limit. Throws `InputErrors` with every problem at once. */
export function readDated(
  query: Query,
  timeZone: string,
  nameOf: (name: string) => string = (name) => name,
): Narrowing {
  const problems = new Problems()
  const dateField = problems.gather(() => readWord(query, nameOf('date_field'), basicDates, 'created_at'))
  const window = problems.gather(() => readDaysOrMoments(query, timeZone, nameOf))
  problems.tell()
  return { ids: null, dateField: dateField!, ...window! }
}

const inFilter = (name: string): string => `filter[${name}]`

/** There are no currencies beside a site's own, and no price points beside the default. */
const notHere = [inFilter('use_site_exchange_rate'), inFilter('prepaid_product_price_point')]

/** What lists of the catalog are narrowed by; of coupons the dates stand in the filter too. Throws `InputErrors`. */
export function readNarrowing(query: Query, timeZone: string, datesIn: 'query' | 'filter' = 'query'): Narrowing {
  const problems = new Problems()
  const dated = problems.gather(() => readDated(query, timeZone, datesIn === 'filter' ? inFilter : undefined))
  const ids = problems.gather(() => readIds(query, inFilter('ids'))) ?? null
  problems.gather(() => refuseFilters(query, notHere))
  problems.tell()
  return { ...dated!, ids }
}

/**
 * Filters that the API is known for, on what does not exist here. Throws `InputErrors` for those that were sent, by their names, inner
 * ones (`filter[ids]`) too: a list that ignores one would show what was not asked for.
 */
export function refuseFilters(query: Query, names: readonly string[]): void {
  const sent = Object.keys(query).filter((key) => names.some((name) => key === name || key.startsWith(`${name}[`)))
  if (sent.length > 0) throw new InputErrors(sent.map((key) => `${key}: is no filter of this list.`))
}

/** `subscription_id` and the like; null when it was not sent. An id that names nothing finds nothing; what is no number throws `InputErrors`. */
export const readIdFilter = (query: Query, name: string): number | null => readId(query, name, labelOf(name))
