/** How an endpoint that keeps failing is treated: it is slowed down and told of, never switched off, and catches up when it is back. */

/** By the wall clock. */
export type EndpointHealth = {
  failuresInARow: number
  failingSince: Temporal.Instant | null
  /** One attempt at a time, and none before this; null while it is not slowed. */
  slowedUntil: Temporal.Instant | null
}

/** After so many failed attempts without an accepted one, an endpoint is slowed down. */
export const failuresBeforeSlowing = 25

const gapMinSeconds = 10
const gapMaxSeconds = 600

export const healthy: EndpointHealth = { failuresInARow: 0, failingSince: null, slowedUntil: null }

/** The gap between attempts is a quarter of the time for which it has been failing. */
export function afterFailure(health: EndpointHealth, now: Temporal.Instant): EndpointHealth {
  const failuresInARow = health.failuresInARow + 1
  const failingSince = health.failingSince ?? now
  if (failuresInARow < failuresBeforeSlowing) return { failuresInARow, failingSince, slowedUntil: null }
  const failingSeconds = failingSince.until(now).total('seconds')
  const gap = Math.min(gapMaxSeconds, Math.max(gapMinSeconds, Math.ceil(failingSeconds / 4)))
  return { failuresInARow, failingSince, slowedUntil: now.add({ seconds: gap }) }
}

export const isSlowed = ({ slowedUntil }: EndpointHealth): boolean => slowedUntil !== null
