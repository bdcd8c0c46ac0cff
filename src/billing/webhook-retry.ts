/** When a webhook that was not accepted is sent again, and when nothing is sent any more. */

/** After each failure of the first four attempts. */
const quickGapsSeconds = [10, 15, 90, 180]

const minute = 60
const hour = 60 * minute
const laterGapsSeconds = [
  10 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  8 * hour,
  12 * hour,
  12 * hour,
  12 * hour,
  12 * hour,
]

/** How far a later gap strays to either side, so that what failed together does not come back together. */
const jitterShare = 0.1

export const attemptsMax = quickGapsSeconds.length + laterGapsSeconds.length + 1

/** The clock tells whole seconds, cut: up to one more had passed when an attempt failed, and a gap is never shorter than it says. */
const cutSeconds = 1

const daysMax = 3
const retryAfterMaxSeconds = 24 * hour

export type FailedTry = {
  /** Attempts since the webhook was created or replayed, the one that has just failed included. */
  tries: number
  /** When the first of them was made. */
  triedSince: Temporal.Instant
  now: Temporal.Instant
  /** What the receiver asked for. */
  retryAfterSeconds: number | null
  /** From 0 up to 1: where within its jitter a gap falls. */
  chance: number
}

/**
 * By the wall clock; null when three days or all attempts are used up. A longer wait that the receiver asks for is kept; one that leads
 * beyond the three days ends with them.
 */
export function nextAttempt({ tries, triedSince, now, retryAfterSeconds, chance }: FailedTry): Temporal.Instant | null {
  const quick = quickGapsSeconds[tries - 1]
  const later = laterGapsSeconds[tries - 1 - quickGapsSeconds.length]
  const planned = quick ?? (later && later * (1 + jitterShare * (2 * chance - 1)))
  if (planned === undefined) return null
  const seconds = Math.max(planned, Math.min(retryAfterSeconds ?? 0, retryAfterMaxSeconds))
  const at = now.add({ seconds: Math.ceil(seconds) + cutSeconds })
  const end = triedSince.add({ hours: 24 * daysMax })
  if (Temporal.Instant.compare(at, end) <= 0) return at
  return Temporal.Instant.compare(now, end) < 0 ? end : null
}

/** Seconds, or a date of HTTP; null for anything else. A date that has passed asks for nothing. */
export function readRetryAfter(text: string | null, now: Temporal.Instant): number | null {
  if (text === null) return null
  if (/^\s*\d{1,9}\s*$/.test(text)) return Number(text)
  const at = /^[A-Za-z]{3}, [\w :]{1,40}$/.test(text.trim()) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now.epochMilliseconds) / 1000))
}

/** `404 Resource Not Found (retry 5 of 15)`. */
export const errorOfTry = (error: string, tries: number): string => `${error} (retry ${tries} of ${attemptsMax})`
