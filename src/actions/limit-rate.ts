/** Says no to who does something too often. */
import { Refusal } from '../billing/refusal.ts'
import { countOnce, type Rate } from '../store/rate-counts.ts'
import type { App } from './app.ts'

export type { Rate } from '../store/rate-counts.ts'

export const tooOften = ({ minutes }: Rate): Refusal =>
  new Refusal('too_many_requests', [`Please wait ${minutes} minutes and try again.`])

/** Counts one more, whatever becomes of the rest; refuses what is more than the most. */
export async function limitRate(app: App, siteId: number, rate: Rate, subject: string): Promise<void> {
  const count = await countOnce(app.db, siteId, rate, subject, app.clock.now())
  if (count > rate.most) throw tooOften(rate)
}
