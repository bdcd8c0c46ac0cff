/** A statement of who pays by invoice is settled when what it lists is paid, and reads, lists and prints as unpaid until then. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { verify } from '../../src/actions/verify.ts'
import { readPages } from '../support/pdf-text.ts'
import type { Reply } from '../support/test-app.ts'
import { ada, made, openShop } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

for (const format of formats) {
  const shop = await openShop()
  const say = speaker(shop, format)

  const bought = async (): Promise<number> => {
    const order = { product_handle: 'card-optional', customer_attributes: ada, payment_collection_method: 'invoice' }
    return (await made(shop, 'POST /subscriptions.json', { subscription: order })).subscription.id
  }
  const statementsOf = async (id: number): Promise<Reply['json'][]> =>
    (await say(`GET /subscriptions/${id}/statements`)).tree
  const isSettled = async (id: number): Promise<boolean[]> =>
    (await statementsOf(id)).filter((one) => one.closed_at !== null).map((one) => one.settled_at !== null)
  const keysOf = async (id: number): Promise<string[]> =>
    (await say(`GET /subscriptions/${id}/events?direction=asc`)).tree
      .map(({ key }: { key: string }) => key)
      .filter((key: string) => key.startsWith('statement_'))
  const invoicesOf = async (id: number): Promise<Reply['json'][]> =>
    (await say(`GET /invoices?subscription_id=${id}&direction=asc`)).tree
  const pay = (line: string, amount: string) => made(shop, `POST ${line}.json`, { payment: { amount, memo: 'Wire' } })
  const pagesOf = async (id: number): Promise<string> =>
    readPages((await shop.ask(`GET /statements/${id}.pdf`)).bytes)
      .flatMap(({ lines }) => lines)
      .join('\n')

  describe(`a statement that is paid by invoice, in ${format}`, () => {
    test('is closed and not settled while its invoice is open, everywhere that it is read', async () => {
      const id = await bought()
      const [first, second] = await statementsOf(id)
      assert.deepEqual([first.closed_at !== null, first.settled_at, first.ending_balance_in_cents], [true, null, 5000])
      assert.doesNotMatch(first.text_view, /Balance Paid/)
      assert.doesNotMatch(first.html_view, /Balance Paid/)
      assert.doesNotMatch(await pagesOf(first.id), /paid/i)
      assert.deepEqual(await keysOf(id), ['statement_closed'])
      const sorted = (await say('GET /statements/ids?sort=settled_at')).tree
      assert.ok(JSON.stringify(sorted).includes(String(first.id)))

      await pay(`/invoices/${(await invoicesOf(id))[0].id}/payments`, '20.00')
      assert.deepEqual(await isSettled(id), [false])
      await pay(`/subscriptions/${id}/payments`, '30.00')
      const [paid] = await statementsOf(id)
      assert.match(paid.text_view, /Balance Paid/)
      assert.match(await pagesOf(first.id), /PAID/)
      assert.deepEqual(await keysOf(id), ['statement_closed', 'statement_settled'])
      assert.equal(paid.future_payments.length, 2)
      assert.equal(second.closed_at, null)
    })

    test('is settled by what comes in for it, though the next period is owed already', async () => {
      const id = await bought()
      await shop.moveClock(format === 'json' ? '2027-02-16T00:00:00Z' : '2027-02-17T00:00:00Z')
      const later = await bought()
      assert.deepEqual(await isSettled(id), [false, false])
      await pay(`/invoices/${(await invoicesOf(id))[0].id}/payments`, '50.00')
      assert.deepEqual(await isSettled(id), [true, false])
      await made(shop, `POST /subscriptions/${id}/credits.json`, { credit: { amount: '50.00', memo: 'Sorry' } })
      assert.deepEqual(await isSettled(id), [true, true])
      assert.deepEqual(await isSettled(later), [false])
      const told = ['statement_closed', 'statement_closed', 'statement_settled', 'statement_settled']
      assert.deepEqual(await keysOf(id), told)
    })

    test('is settled at once where nothing is owed', async () => {
      const id = await bought()
      await pay(`/subscriptions/${id}/payments`, '200.00')
      await shop.moveClock(format === 'json' ? '2027-04-01T00:00:00Z' : '2027-04-02T00:00:00Z')
      assert.ok((await isSettled(id)).every(Boolean))
      const { text, differences } = await verify(shop.app)
      assert.equal(differences, 0, text)
    })
  })
}
