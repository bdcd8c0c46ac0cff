/** Days without the service: what was due meanwhile is done when it is back, once for each period, and ends where it should have ended. */
import assert from 'node:assert/strict'
import { patienceMs } from '../support/patience.ts'
import { rescue, untilQuiet } from './rescue.ts'
import { startService } from './service.ts'
import { type Cleaner, copyWorld, jumpTo, makeSeed, query } from './world.ts'

export type Downtime = { days: number; subscriptions: number }

const firstDay = Temporal.Instant.from('2026-01-10T12:00:00Z')
const expiresAfterDays = 2
const dunningAttempts = 3

/** What must have become of each kind of subscriber, told without our code: by counting days. */
const expected = (days: number) => ({
  // Every day began a period, and each was paid.
  daily: { state: 'active', periods: 1 + days, captured: 1 + days },
  // It ended with its second day.
  brief: { state: 'expired', periods: expiresAfterDays, captured: expiresAfterDays },
  // The first day was free; then three days were charged for in vain, the third failure being the last one.
  declined: { state: 'canceled', periods: 1 + dunningAttempts, captured: 0 },
})

export async function runDowntime(t: Cleaner, { days, subscriptions }: Downtime): Promise<void> {
  const seed = await makeSeed(t, {
    now: firstDay.toString(),
    products: [
      { handle: 'daily', interval: { count: 1, unit: 'day' } },
      { handle: 'brief', interval: { count: 1, unit: 'day' }, expiresAfter: { count: expiresAfterDays, unit: 'day' } },
      { handle: 'declined', interval: { count: 1, unit: 'day' } },
    ],
    subscribers: [
      { product: 'daily', count: subscriptions },
      { product: 'brief', count: subscriptions },
      { product: 'declined', count: subscriptions, declined: true },
    ],
    dunningAttempts,
  })
  const world = await copyWorld(t, seed)
  await jumpTo(world, firstDay.add({ hours: days * 24 + 1 }).toString())
  const service = await startService({ databaseUrl: world.url })
  await untilQuiet(world, { waitMs: patienceMs + subscriptions * days * 30 })
  assert.equal(await service.stop(), '0')
  await rescue(world)
  const found = await query(
    world,
    `select p.handle, s.state, s.period_number as periods, s.total_revenue_in_cents::int / 1000 as captured, count(*)::int
     from subscriptions s join products p on p.id = s.product_id group by 1, 2, 3, 4 order by 1`,
  )
  const told = Object.entries(expected(days)).map(([handle, what]) => ({ handle, ...what, count: subscriptions }))
  assert.deepEqual(
    found,
    told.toSorted((left, right) => left.handle.localeCompare(right.handle)),
  )
}
