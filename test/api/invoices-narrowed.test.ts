/** GET /invoices narrowed by customers, products, numbers and dates, in an order of the asker's choice; 422 for what is not here. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Reply } from '../support/test-app.ts'
import { ada, grace, made, openShop } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

const shop = await openShop()
const buy = async (changes: object): Promise<Reply['json']> =>
  (
    await made(shop, 'POST /subscriptions.json', {
      subscription: { product_handle: 'card-optional', payment_collection_method: 'invoice', ...changes },
    })
  ).subscription
const invoiceOf = async (id: number): Promise<number> =>
  (await shop.ask(`GET /invoices.json?subscription_id=${id}`)).json[0].invoice.id

/** In January Ada owes 50.00 and Grace 52.00; in February Grace owes 53.00 more to another product, and pays what she owed first. */
const first = await buy({ customer_attributes: ada })
const second = await buy({ customer_attributes: grace })
const [adas, graces] = [await invoiceOf(first.id), await invoiceOf(second.id)]
await made(shop, `POST /invoices/${graces}/charges.json`, { charge: { amount: '2.00', memo: 'Paper' } })
await shop.moveClock('2027-02-10T12:00:00Z')
const third = await buy({ product_handle: 'late-setup-fee', customer_id: second.customer.id })
await made(shop, `POST /subscriptions/${third.id}/charges.json`, { charge: { amount: '53.00', memo: 'Atlas' } })
const graceslast = await invoiceOf(third.id)
await made(shop, `POST /invoices/${graces}/payments.json`, { payment: { amount: '52.00', memo: 'Cheque' } })

for (const format of formats) {
  const say = speaker(shop, format)
  const listed = async (query: string): Promise<number[]> => {
    const said = await say(`GET /invoices?${query}`)
    assert.equal(said.status, 200, said.text)
    return said.tree.map(({ id }: { id: number }) => id)
  }
  const newestFirst = await listed('')

  describe(`200 in ${format}`, () => {
    test('only those of customers, to products, or with numbers', async () => {
      assert.deepEqual(await listed(`customer_ids=${first.customer.id}`), [adas])
      assert.deepEqual(await listed(`customer_ids=${first.customer.id},${second.customer.id}`), newestFirst)
      assert.deepEqual(await listed(`customer_ids[]=${second.customer.id}&status=paid`), [graces])
      assert.deepEqual(await listed(`product_ids=${shop.productIds['card-optional']}`), [graces, adas])
      assert.deepEqual(await listed('product_ids=1'), [])
      assert.deepEqual(await listed('number=1'), [adas])
      assert.deepEqual(await listed('number=000001,2'), [graces, adas])
    })

    test('a window is about the date that is named, in days or in moments', async () => {
      assert.deepEqual(await listed('start_date=2027-02-01'), newestFirst.slice(0, -2))
      assert.deepEqual(await listed('date_field=issue_date&end_date=2027-01-31'), [graces, adas])
      assert.deepEqual(await listed('date_field=paid_date&start_date=2027-02-10'), [graces])
      assert.deepEqual(await listed('date_field=updated_at&end_datetime=2027-02-01T00:00:00Z'), [adas])
    })

    test('the order is as asked, either way, in pages, and within states', async () => {
      assert.deepEqual(await listed('direction=asc'), newestFirst.toReversed())
      assert.deepEqual(await listed('sort=number&direction=asc'), newestFirst.toReversed())
      assert.deepEqual(
        (await listed('sort=total_amount&direction=asc')).filter((id) => [adas, graces].includes(id)),
        [adas, graces],
      )
      assert.equal((await listed('sort=due_amount&direction=asc'))[0], graces)
      assert.equal((await listed('sort=status&direction=asc'))[0], graces)
      assert.equal((await listed('sort=updated_at&direction=asc'))[0], adas)
      assert.deepEqual(await listed('status=unpaid&direction=asc&per_page=1'), [adas])
      assert.ok((await listed('status=unpaid&sort=total_amount')).includes(graceslast))
    })
  })

  test(`422 in ${format}: everything that cannot be asked is told at once`, async () => {
    const said = await say(
      'GET /invoices?customer_ids=ada&product_ids=1,x&number=A-1&date_field=due_date&sort=due_date&direction=up&subscription_group_uid=grp_1',
    )
    assert.equal(said.status, 422)
    assert.deepEqual(said.errors, [
      'Date field: must be one of created_at, updated_at, issue_date, paid_date.',
      'Customer ids: is not a number.',
      'Product ids: is not a number.',
      'Number: is not a number.',
      'Sort: must be one of created_at, issue_date, updated_at, number, status, total_amount, due_amount.',
      'Direction: must be one of asc, desc.',
      'subscription_group_uid: is no filter of this list.',
    ])
  })
}
