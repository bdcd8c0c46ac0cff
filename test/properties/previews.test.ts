/** Over HTTP, too, the preview is the next renewal: of random products, components, coupons, taxes, balances and billing dates. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { stoppedClock } from '../../src/host/clock.ts'
import { sql } from '../../src/store/sql.ts'
import { openedAt } from '../api/shop.ts'
import { openTwins, signUp, type Twin } from '../api/twin-shops.ts'
import { search } from '../support/campaign.ts'
import { type TestApp, testApp } from '../support/test-app.ts'

const quantity = fc.integer({ min: 0, max: 30 })
const cents = fc.integer({ min: -9000, max: 9000 })
const buyer = fc.record({
  product_handle: fc.constantFrom('monthly', 'dear', 'tried'),
  users: quantity,
  support: fc.boolean(),
  calls: quantity,
  coupons: fc.subarray(['HALF', 'FIXED', 'TENTH']),
  exempt: fc.boolean(),
  country: fc.constantFrom('US', 'DE', null),
  owed: cents,
  laterHours: fc.integer({ min: 0, max: 700 }),
  next: fc.constantFrom(null, null, 'monthly', 'dear'),
})
type Buyer = typeof buyer extends fc.Arbitrary<infer Value> ? Value : never

async function subscribe(twin: Twin, wish: Buyer, name: string): Promise<number> {
  const { users, support, calls } = twin.components
  const { id } = await signUp(twin, name, {
    product_handle: wish.product_handle,
    components: [
      { component_id: users, allocated_quantity: wish.users },
      { component_id: support, enabled: wish.support },
      { component_id: calls, unit_balance: wish.calls },
    ],
    coupon_codes: wish.coupons,
    customer_attributes: {
      ...{ first_name: name, last_name: 'Foreseen', email: 'foreseen@example.com' },
      ...{ country: wish.country, tax_exempt: wish.exempt },
    },
  })
  const path = `/subscriptions/${id}`
  const due = Temporal.Instant.from('2027-02-15T00:00:00Z').add({ hours: wish.laterHours })
  await twin.ask(`PUT ${path}.json`, { subscription: { next_billing_at: String(due) } })
  if (wish.next !== null) {
    await twin.ask(`PUT ${path}.json`, { subscription: { product_handle: wish.next, product_change_delayed: true } })
  }
  await twin.ask(`POST ${path}/adjustments.json`, { adjustment: { amount_in_cents: wish.owed, memo: 'Owed before' } })
  return id
}

/** The charges and discounts of the newest period, as a preview shows lines; and what was asked of the card. */
async function renewalOf({ app }: TestApp, { siteId }: Twin, id: number): Promise<{ lines: unknown[]; paid: number }> {
  const rows = await app.db.arrays(sql`
    select t.type, t.kind, t.amount_in_cents, t.memo, t.discount_amount_in_cents, t.taxable_amount_in_cents from transactions t
    where t.site_id = ${siteId} and t.subscription_id = ${id}
      and t.period_number = (select max(p.number) from periods p where p.site_id = ${siteId} and p.subscription_id = ${id})
    order by t.id`)
  const lines = rows.filter(([type]) => type === 'charge' || type === 'adjustment')
  return { lines, paid: rows.reduce((sum, [type, , amount]) => sum + (type === 'payment' ? (amount as number) : 0), 0) }
}

test('what a preview says over HTTP is what the renewal writes and collects, line by line', async (t) => {
  const app = await testApp(t, { clock: stoppedClock(openedAt) })
  const [twin] = await openTwins(app)
  const { numRuns, seed } = search(t, 12)
  const promises: [number, string, Record<string, unknown>][] = []
  for (const wish of fc.sample(buyer, { numRuns, seed })) {
    const id = await subscribe(twin, wish, 'ada')
    const { json } = await twin.ask(`POST /subscriptions/${id}/renewals/preview.json`)
    promises.push([id, JSON.stringify(wish), json.renewal_preview])
  }
  const dateOf = (promised: Record<string, unknown>) => Temporal.Instant.from(promised.next_assessment_at as string)
  promises.sort(([, , one], [, , other]) => Temporal.Instant.compare(dateOf(one), dateOf(other)))
  for (const [id, wish, promised] of promises) {
    await twin.ask('PUT /test_clock.json', { test_clock: { now: promised.next_assessment_at } })
    const { lines, paid } = await renewalOf(app, twin, id)
    const shown = promised.line_items as Record<string, unknown>[]
    assert.deepEqual(
      lines,
      shown.map((line) => [
        line.transaction_type,
        line.kind,
        line.amount_in_cents,
        line.memo,
        line.discount_amount_in_cents,
        line.taxable_amount_in_cents,
      ]),
      wish,
    )
    assert.equal(paid, Math.max(0, promised.total_amount_due_in_cents as number), wish)
  }
})
