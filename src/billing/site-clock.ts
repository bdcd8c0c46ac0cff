/** What a site's clock shows: wall time, or wall time from where it was put, or the instant it has reached on its way. */

export type SiteClock = {
  /** Null while the clock was never moved. */
  setTo: Temporal.Instant | null
  /** The wall time at which it was put there. */
  setAt: Temporal.Instant | null
  /** Where it is being moved to; it stands still at `setTo` meanwhile. */
  advancingTo: Temporal.Instant | null
  movedBy: number | null
}

export const wallClockOfSite: SiteClock = { setTo: null, setAt: null, advancingTo: null, movedBy: null }

export function siteNow(clock: SiteClock, wall: Temporal.Instant): Temporal.Instant {
  if (clock.setTo === null || clock.setAt === null) return wall
  return clock.advancingTo === null ? clock.setTo.add(clock.setAt.until(wall)) : clock.setTo
}
