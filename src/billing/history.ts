/** What a sign-up tells of the time before it, when the subscription was billed elsewhere. */
import { isAtOrBefore } from './calendar.ts'
import { invalid } from './refusal.ts'

export type History = {
  /** When the period began that `next_billing_at` ends. */
  previousBillingAt: Temporal.Instant | null
  /** Where nothing is said, with the period. */
  activatedAt: Temporal.Instant | null
}

/** Refuses a past without a next billing date, and one that has not come yet. */
export function refuseUnfitHistory(
  { previousBillingAt, activatedAt }: History,
  { nextBillingAt }: { nextBillingAt: Temporal.Instant | null },
  now: Temporal.Instant,
): void {
  const told = { 'Previous billing at': previousBillingAt, 'Activated at': activatedAt }
  for (const [name, at] of Object.entries(told)) {
    if (at === null) continue
    if (nextBillingAt === null) throw invalid(`${name}: can only be set together with next_billing_at.`)
    if (isAtOrBefore(now, at)) throw invalid(`${name}: must be in the past.`)
  }
}
