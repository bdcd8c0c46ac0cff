/** What time it is: the only reader of the wall clock. Everything else is given `now` as an argument. */

/** Instants are whole seconds, truncated, so that what is shown is what is due. */
export type Clock = { now(): Temporal.Instant }

export const wallClock: Clock = { now: () => wholeSeconds(Temporal.Instant.fromEpochMilliseconds(Date.now())) }

/** A clock that always tells the same time, for tests. */
export const stoppedClock = (at: Temporal.Instant | string): Clock => {
  const instant = wholeSeconds(Temporal.Instant.from(at))
  return { now: () => instant }
}

const wholeSeconds = (instant: Temporal.Instant): Temporal.Instant =>
  instant.round({ smallestUnit: 'second', roundingMode: 'floor' })
