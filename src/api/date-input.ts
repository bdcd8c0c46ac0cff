/** Dates as requests send them: in any form that the API reads, wall time of the site where they name no offset. */
import { InputErrors, isBlank } from '../wire/input.ts'
import { parseTimestamp, readingsOf } from '../wire/timestamp.ts'

/** What is wrong with a text that is no one date: what it may mean, if that is more than one thing. */
export function unreadable(sent: string, sentence: string): string {
  const readings = readingsOf(sent)
  return readings.length === 0 ? sentence : `may mean ${readings.join(' or ')}; please send which is meant.`
}

/** Throws `InputErrors`. */
export function readMoment(sent: string, label: string, timeZone: string): Temporal.Instant {
  const at = parseTimestamp(sent, { timeZone })
  if (at === undefined) throw new InputErrors([`${label}: ${unreadable(sent, 'is not a date that can be read.')}`])
  return at
}

/** Undefined when it was not sent, null when it was cleared. Throws `InputErrors`. */
export const readDate = (
  sent: string | null | undefined,
  label: string,
  timeZone: string,
): Temporal.Instant | null | undefined =>
  sent === undefined ? undefined : sent === null || isBlank(sent) ? null : readMoment(sent, label, timeZone)
