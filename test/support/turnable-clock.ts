/** A wall clock that a test can turn on; otherwise it stands still. */
import type { Clock } from '../../src/host/clock.ts'

export function turnableClock(startsAt: string): Clock & { turn(minutes: number): void } {
  let at = Temporal.Instant.from(startsAt)
  return {
    now: () => at,
    turn: (minutes) => {
      at = at.add({ minutes })
    },
  }
}
