/** A first billing whose process is lost on the way is taken once, and begins as if nothing had happened. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { activateSubscription } from '../src/actions/activate-subscription.ts'
import type { App } from '../src/actions/app.ts'
import { assessDueSubscriptions } from '../src/actions/assess-due-subscriptions.ts'
import { recoverPayments } from '../src/actions/recover-payments.ts'
import { verify } from '../src/actions/verify.ts'
import type { FailPoint } from '../src/host/fail-points.ts'
import { sql } from '../src/store/sql.ts'
import { made, openedAt, openShop, signup } from './api/shop.ts'
import { turnableClock } from './support/turnable-clock.ts'

const later = '2027-03-01T09:00:00Z'
const minutes = Temporal.Instant.from(openedAt).until(later).total('minutes') + 30
const points = [
  'renewal: attempts on record',
  'renewal: gateway answered',
  'renewal: outcomes written',
  'renewal: before settlement commits',
] as const satisfies readonly FailPoint[]

const lostAt = (app: App, point: FailPoint): App => ({
  ...app,
  reach: (reached) => {
    if (reached === point) throw new Error(`lost at ${point}`)
  },
})

test('its payment is one, wherever the process is lost and whoever began it', async (t) => {
  const clock = turnableClock(openedAt)
  const shop = await openShop(t, { clock })
  const { app, siteId } = shop
  const work = (on: App) => assessDueSubscriptions(on, siteId, { limit: 10, asDue: false })
  const recover = async (): Promise<void> => {
    await app.db.run(sql`
      update payment_attempts set next_check_at = now() where site_id = ${siteId} and settled_at is null`)
    await recoverPayments(app)
  }
  const sign = async (): Promise<number> =>
    (await made(shop, 'POST /subscriptions.json', signup({ initial_billing_at: later }))).subscription.id
  const isBegunOnce = async (id: number, startedAt: string, where: string): Promise<void> => {
    const { subscription } = (await shop.ask(`GET /subscriptions/${id}.json`)).json
    const { state, total_revenue_in_cents: revenue, current_period_started_at: started } = subscription
    assert.deepEqual([state, revenue, started], ['active', 5000, startedAt], where)
    const calls = await shop.ask('GET /bogus_gateway/calls.json?per_page=200')
    const captured = calls.json.filter(
      ({ call }: { call: Record<string, unknown> }) => call.subscription_id === id && call.outcome === 'approved',
    )
    assert.equal(captured.length, 1, where)
  }
  const waiting: number[] = []
  for (const point of points) {
    waiting.push(await sign())
    const id = await sign()
    await assert.rejects(activateSubscription(lostAt(app, point), siteId, id, { revertsOnFailure: true }), /lost at/)
    await recover()
    await isBegunOnce(id, '2027-01-15T12:00:00+00:00', point)
  }
  clock.turn(minutes)
  for (const point of points) await work(lostAt(app, point)).catch(() => undefined)
  await recover()
  await work(app)
  for (const id of waiting) await isBegunOnce(id, '2027-03-01T09:00:00+00:00', 'by the worker')
  const { text, differences } = await verify(app)
  assert.equal(differences, 0, text)
})
