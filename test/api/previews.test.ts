/** The preview is the renewal: what it promises is what the ledger says afterwards, and asking changes nothing. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from '../../src/store/sql.ts'
import { decliningCard, made, openShop, type ProductHandle, type Shop, signup } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

const subscribe = async (shop: Shop, changes: object): Promise<number> =>
  (await made(shop, 'POST /subscriptions.json', signup(changes))).subscription.id

const preview = async (shop: Shop, id: number) => {
  const reply = await shop.ask(`POST /subscriptions/${id}/renewals/preview.json`)
  assert.equal(reply.status, 200, reply.text)
  return reply.json.renewal_preview
}

/** The rows of the newest period without its payment, as a preview shows lines. */
async function linesOfNewestPeriod(shop: Shop, id: number): Promise<unknown[]> {
  const { json } = await shop.ask(`GET /subscriptions/${id}/transactions.json?direction=asc&per_page=200`)
  const rows = json.map(({ transaction }: { transaction: object }) => transaction)
  const periods = await shop.app.db.arrays(sql`
    select t.id, t.period_number from transactions t
    where t.site_id = ${shop.siteId} and t.subscription_id = ${id} and t.type in ('charge', 'adjustment')`)
  const newest = Math.max(...periods.map((row) => row[1] as number))
  const ids = new Set(periods.filter((row) => row[1] === newest).map((row) => row[0]))
  return rows
    .filter((row: { id: number }) => ids.has(row.id))
    .map((row: Record<string, unknown>) => [row.transaction_type, row.kind, row.amount_in_cents, row.memo])
}

describe('a renewal preview', () => {
  const offers: [ProductHandle, object][] = [
    ['monthly', {}],
    ['with-setup-fee', {}],
    ['late-setup-fee', {}],
    ['card-trial', {}],
    ['free', { payment_profile_attributes: null }],
  ]
  for (const [handle, changes] of offers) {
    test(`promises what the renewal of ${handle} charges`, async (t) => {
      const shop = await openShop(t)
      const id = await subscribe(shop, { product_handle: handle, ...changes })
      const promised = await preview(shop, id)
      assert.deepEqual(await preview(shop, id), promised, 'asking again gives the same')
      await shop.moveClock(promised.next_assessment_at)
      const lines = promised.line_items.map((line: Record<string, unknown>) => [
        line.transaction_type,
        line.kind,
        line.amount_in_cents,
        line.memo,
      ])
      assert.deepEqual(await linesOfNewestPeriod(shop, id), lines)
      assert.equal(promised.total_amount_due_in_cents, promised.existing_balance_in_cents + promised.total_in_cents)
    })
  }

  test('of a past due subscription shows the next period and what is owed already', async (t) => {
    const shop = await openShop(t)
    const id = await subscribe(shop, { product_handle: 'card-trial', payment_profile_attributes: decliningCard })
    await shop.moveClock('2027-02-20T00:00:00Z')
    const promised = await preview(shop, id)
    assert.equal(promised.existing_balance_in_cents, 5000)
    assert.equal(promised.total_amount_due_in_cents, 10_000)
    assert.equal(promised.next_assessment_at, '2027-03-15T12:00:00+00:00')
  })

  test('of a subscription that has ended is empty', async (t) => {
    const shop = await openShop(t)
    const id = await subscribe(shop, {})
    await shop.ask(`DELETE /subscriptions/${id}.json`)
    const promised = await preview(shop, id)
    assert.deepEqual(promised.line_items, [])
    assert.equal(promised.total_in_cents, 0)
  })

  for (const format of formats) {
    test(`has all its fields in ${format}, and is a 404 for a subscription that is not there`, async (t) => {
      const shop = await openShop(t)
      const id = await subscribe(shop, {})
      const say = speaker(shop, format)
      const { status, tree } = await say(`POST /subscriptions/${id}/renewals/preview`)
      assert.equal(status, 200)
      assert.deepEqual(tree, {
        renewal_preview: {
          next_assessment_at: '2027-02-15T12:00:00+00:00',
          subtotal_in_cents: 5000,
          total_discount_in_cents: 0,
          total_tax_in_cents: 0,
          total_in_cents: 5000,
          existing_balance_in_cents: 0,
          total_amount_due_in_cents: 5000,
          uncalculated_taxes: false,
          line_items: [
            {
              transaction_type: 'charge',
              kind: 'baseline',
              amount_in_cents: 5000,
              memo: 'Monthly (02/15/2027 - 03/15/2027)',
              discount_amount_in_cents: 0,
              taxable_amount_in_cents: 0,
              component_id: null,
              component_handle: null,
              component_name: null,
              product_id: shop.productIds.monthly,
              product_handle: 'monthly',
              product_name: 'Monthly',
              period_range_start: '15 Feb 2027',
              period_range_end: '15 Mar 2027',
            },
          ],
        },
      })
      assert.equal((await say('POST /subscriptions/1/renewals/preview')).status, 404)
    })
  }
})
