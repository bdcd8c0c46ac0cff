/** Invoices in JSON and in XML: made, listed, read, paid, credited, charged, archived; what clients may send wrongly. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { verify } from '../../src/actions/verify.ts'
import { findInvoiceDocument } from '../../src/store/invoice-documents.ts'
import type { Reply } from '../support/test-app.ts'
import { assertGolden } from './golden.ts'
import { ada, made, openOtherSite, openShop, type Shop, signup } from './shop.ts'
import { formats, type Said, speaker } from './two-formats.ts'

const shop = await openShop()
const other = await openOtherSite(shop)

/** A subscription that is paid by invoice, with a customer of its own. */
const buy = async (changes: object = {}, at: Shop = shop): Promise<Reply['json']> => {
  const order = { product_handle: 'card-optional', customer_attributes: ada, payment_collection_method: 'invoice' }
  return (await made(at, 'POST /subscriptions.json', { subscription: { ...order, ...changes } })).subscription
}

/** Oldest first. */
const invoicesOf = async (id: number, at: Shop = shop): Promise<Reply['json'][]> => {
  const listed = await at.ask(`GET /invoices.json?subscription_id=${id}&per_page=200`)
  return listed.json.map(({ invoice }: Reply['json']) => invoice).toReversed()
}

const post = (line: string, body: object): Promise<Reply['json']> => made(shop, `POST ${line}.json`, body)

/** What is told of an invoice in the recorded lists. */
const shownOf = (invoice: Reply['json']) => [
  invoice.total_amount_in_cents,
  invoice.amount_due_in_cents,
  invoice.state,
  invoice.payments_and_credits.map((entry: Reply['json']) => entry.amount_in_cents),
]

for (const format of formats) {
  const say = speaker(shop, format)

  describe(`invoices in ${format}`, () => {
    test('golden bodies: a new one, a paid one, and both in a list', async () => {
      const own = await openShop(undefined, { timeZone: 'America/New_York' })
      const { id } = await buy({}, own)
      const first = (await invoicesOf(id, own))[0]!
      assertGolden(`invoice.${format}`, (await own.ask(`GET /invoices/${first.id}.${format}`)).text)
      const payment = { payment: { amount: '50.00', memo: 'Cheque 12' } }
      await made(own, `POST /invoices/${first.id}/payments.json`, payment)
      await made(own, `POST /subscriptions/${id}/charges.json`, { charge: { amount: '3.00', memo: 'Paper' } })
      assertGolden(`invoice-paid.${format}`, (await own.ask(`GET /invoices/${first.id}.${format}`)).text)
      assertGolden(`invoices.${format}`, (await own.ask(`GET /invoices.${format}`)).text)
    })

    test('a payment answers 201 with its row; what is too much stays as credit', async () => {
      const { id } = await buy()
      const [invoice] = await invoicesOf(id)
      const said = await say(`POST /invoices/${invoice.id}/payments`, {
        payment: { amount_in_cents: 10_000, memo: 'Wire' },
      })
      assert.equal(said.status, 201, said.text)
      const { payment } = said.tree
      assert.deepEqual(
        [payment.kind, payment.amount_in_cents, payment.starting_balance_in_cents, payment.ending_balance_in_cents],
        ['manual', 10_000, 5000, -5000],
      )
      const paid = (await say(`GET /invoices/${invoice.id}`)).tree.invoice
      assert.deepEqual(shownOf(paid), [5000, 0, 'paid', [10_000]])
      assert.deepEqual([paid.paid_at, paid.updated_at], [payment.created_at, payment.created_at])
      const listed = (await say(`GET /invoices/${invoice.id}/payments`)).tree
      assert.deepEqual(
        listed.map((one: Reply['json']) => one.id),
        [payment.id],
      )
    })

    test('a credit lowers what is due by a negative adjustment, and is called either name', async () => {
      const { id } = await buy()
      const [invoice] = await invoicesOf(id)
      const credited = await say(`POST /invoices/${invoice.id}/credits`, { credit: { amount: '7.00', memo: 'Sorry' } })
      const adjusted = await say(`POST /invoices/${invoice.id}/adjustments`, { adjustment: { amount_in_cents: 300 } })
      assert.deepEqual([credited.status, credited.tree.credit.amount_in_cents], [201, -700])
      assert.deepEqual([adjusted.status, adjusted.tree.adjustment.amount_in_cents], [201, -300])
      const [after] = await invoicesOf(id)
      assert.deepEqual(shownOf(after), [5000, 4000, 'partial', [-700, -300]])
      assert.deepEqual(after.paid_at, null)
    })

    test('a charge raises total and amount due, under either name, and no card is asked', async () => {
      const { id } = await buy()
      const [invoice] = await invoicesOf(id)
      const charged = await say(`POST /invoices/${invoice.id}/charges`, { charge: { amount: '2.50', memo: 'Stamps' } })
      assert.equal(charged.status, 201, charged.text)
      const { charge } = charged.tree
      assert.deepEqual([charge.amount_in_cents, charge.type, charge.payment_id], [250, 'Charge', null])
      const again = await say(`POST /invoices/${invoice.id}/charges`, { payment: { amount: '1.00', memo: 'More' } })
      assert.equal(again.status, 201)
      const [after, ...others] = await invoicesOf(id)
      assert.deepEqual(shownOf(after), [5350, 5350, 'unpaid', []])
      assert.deepEqual(others, [])
      const listed = (await say(`GET /invoices/${invoice.id}/charges`)).tree
      assert.deepEqual(
        listed.map((one: Reply['json']) => one.memo),
        ['Card Optional (01/15/2027 - 02/15/2027)', 'Stamps', 'More'],
      )
    })

    test('archived, it takes nothing any more; archiving again changes nothing', async () => {
      const { id } = await buy()
      const [invoice] = await invoicesOf(id)
      const archived = await say(`PUT /invoices/${invoice.id}/archive`)
      assert.deepEqual([archived.status, archived.tree.invoice.state], [200, 'archived'])
      assert.deepEqual((await say(`PUT /invoices/${invoice.id}/archive`)).tree, archived.tree)
      const refused = await say(`POST /invoices/${invoice.id}/payments`, { payment: { amount: '1.00' } })
      assert.deepEqual([refused.status, refused.errors], [422, ['Invoice: cannot be changed, since it is archived.']])
      await post(`/subscriptions/${id}/payments`, { payment: { amount: '50.00', memo: 'Late' } })
      assert.deepEqual(shownOf((await invoicesOf(id))[0]), [5000, 5000, 'archived', []])
    })

    test('lists are narrowed by days, states and subscription, and cut into pages', async () => {
      const { id } = await buy()
      const [invoice] = await invoicesOf(id)
      await post(`/subscriptions/${id}/charges`, { charge: { amount: '3.00', memo: 'Paper' } })
      await post(`/invoices/${invoice.id}/payments`, { payment: { amount: '50.00', memo: 'Cheque' } })
      const numbers = async (query: string): Promise<string[]> => {
        const said = await say(`GET /invoices?subscription_id=${id}${query}`)
        assert.equal(said.status, 200, said.text)
        return said.tree.map((one: Reply['json']) => one.state)
      }
      assert.deepEqual(await numbers(''), ['unpaid', 'paid'])
      assert.deepEqual(await numbers('&status[]=paid'), ['paid'])
      assert.deepEqual(await numbers('&status[]=paid&status[]=unpaid&status[]='), ['unpaid', 'paid'])
      assert.deepEqual(await numbers('&start_date=2027-01-15&end_date=2027-01-15'), ['unpaid', 'paid'])
      assert.deepEqual(await numbers('&start_date=2027-01-16'), [])
      assert.deepEqual(await numbers('&end_date=2027-01-14'), [])
      assert.deepEqual(await numbers('&per_page=1&page=2'), ['paid'])
      assert.deepEqual(await numbers('&page=1000000000000'), [])
      assert.equal((await say('GET /invoices?subscription_id=1')).tree.length, 0)
    })

    test('what makes no sense in a list is named, all of it at once', async () => {
      const refused = await say(
        'GET /invoices?status[]=lost&start_date=2027-02-30&end_date=tomorrow&subscription_id=x&page=0',
      )
      assert.equal(refused.status, 422)
      assert.deepEqual(refused.errors, [
        'Start date: is not a possible date.',
        'End date: must be a date in the form YYYY-MM-DD.',
        'Status: must be one of unpaid, partial, paid, archived.',
        'Subscription id: is not a number.',
        'invalid page: 0',
      ])
      assert.deepEqual((await say('GET /invoices?start_date=2027-02-02&end_date=2027-02-01')).errors, [
        'End date: must not be before the start date.',
      ])
    })

    test('what makes no sense on an invoice is a 422 that names the field, and nothing is written', async () => {
      const { id } = await buy()
      const [invoice] = await invoicesOf(id)
      const wrong: [string, object, string[]][] = [
        ['payments', { payment: {} }, ['Amount: is not a number.']],
        ['payments', { payment: { amount: 'much' } }, ['Amount: is not a number.']],
        ['payments', { payment: { amount: '-1.00' } }, ['Amount: must be greater than or equal to 0.']],
        ['charges', { charge: { amount: '1.00' } }, ['Memo: cannot be blank.']],
        ['charges', { charge: { amount: null, memo: 'x' } }, ['Amount: is not a number.']],
        ['credits', { credit: { amount_in_cents: 'x' } }, ['Amount: is not a number.']],
        [
          'credits',
          { credit: { amount: '1.00', memo: 'x'.repeat(70_000) } },
          ['Memo: is too long (maximum is 65535 characters).'],
        ],
      ]
      for (const [path, body, messages] of wrong) {
        const refused = await say(`POST /invoices/${invoice.id}/${path}`, body)
        assert.deepEqual([refused.status, refused.errors], [422, messages], path)
      }
      assert.deepEqual(shownOf((await invoicesOf(id))[0]), [5000, 5000, 'unpaid', []])
    })

    test('unknown invoices, and those of another site, are a 404 whatever is sent', async () => {
      const { id } = await buy()
      const [invoice] = await invoicesOf(id)
      const lines: [string, object?][] = [
        ['GET /invoices/'],
        ['GET /invoices/1'],
        ['GET /invoices/x'],
        ['POST /invoices/1/payments', { payment: {} }],
        ['PUT /invoices/1/archive'],
      ]
      for (const [line, body] of lines) assert.equal((await say(line, body)).status, 404, line)
      const theirs: [string, object?][] = [
        [`GET /invoices/${invoice.id}`],
        [`GET /invoices/${invoice.id}/payments`],
        [`POST /invoices/${invoice.id}/payments`, { payment: { amount: '1.00' } }],
        [`PUT /invoices/${invoice.id}/archive`],
      ]
      for (const [line, body] of theirs) {
        assert.equal((await say(line, body, { key: other.apiKey })).status, 404, line)
      }
      assert.deepEqual((await say('GET /invoices', undefined, { key: other.apiKey })).tree, [])
    })
  })
}

describe('as the recorded invoices of the reference tell', () => {
  const list = (said: Said | Reply['json'][]): Reply['json'][] => (Array.isArray(said) ? said : said.tree)

  test('two payments of 0 make it partial', async () => {
    const { id } = await buy()
    const [invoice] = await invoicesOf(id)
    for (const memo of ['First', 'Second'])
      await post(`/invoices/${invoice.id}/payments`, { payment: { amount: 0, memo } })
    assert.deepEqual(shownOf((await invoicesOf(id))[0]), [5000, 5000, 'partial', [0, 0]])
  })

  test('a trial of 0 is paid when it is made', async () => {
    const { id } = await buy({ product_handle: 'free-trial' })
    const [invoice] = await invoicesOf(id)
    assert.deepEqual(shownOf(invoice), [0, 0, 'paid', []])
    assert.equal(invoice.paid_at, invoice.created_at)
  })

  test('a one-time charge has an invoice of its own, due in full whatever there is in credit', async () => {
    const { id } = await buy()
    await post(`/subscriptions/${id}/payments`, { payment: { amount: '128.23', memo: 'Transfer' } })
    await post(`/subscriptions/${id}/charges`, { charge: { amount: '50.00', memo: 'Training' } })
    assert.deepEqual(list(await invoicesOf(id)).map(shownOf), [
      [5000, 0, 'paid', [5000]],
      [5000, 5000, 'unpaid', []],
    ])
  })

  test('a payment of the subscription pays the oldest invoice first', async () => {
    const { id } = await buy()
    await post(`/subscriptions/${id}/charges`, { charge: { amount: '20.00', memo: 'Training' } })
    await post(`/subscriptions/${id}/payments`, { payment: { amount: '60.00', memo: 'Transfer' } })
    assert.deepEqual(list(await invoicesOf(id)).map(shownOf), [
      [5000, 0, 'paid', [5000]],
      [2000, 1000, 'partial', [1000]],
    ])
  })
})

test('the same payment with the same key is written once', async () => {
  const { id } = await buy()
  const [invoice] = await invoicesOf(id)
  const ask = () =>
    shop.ask(`POST /invoices/${invoice.id}/payments.json`, {
      body: { payment: { amount: '10.00', memo: 'Cheque' } },
      headers: { 'Idempotency-Key': 'cheque-1' },
    })
  assert.equal((await ask()).text, (await ask()).text)
  assert.deepEqual(shownOf((await invoicesOf(id))[0]), [5000, 4000, 'partial', [1000]])
})

test('an invoice stays as it was when customer, product and seller change', async () => {
  const bought = await buy()
  const [before] = await invoicesOf(bought.id)
  const changes: [string, object][] = [
    [`PUT /customers/${bought.customer.id}.json`, { customer: { first_name: 'Augusta', address: 'Elsewhere 1' } }],
    [`PUT /products/${bought.product.id}.json`, { product: { name: 'Renamed', price_in_cents: 9900 } }],
    ['PUT /site.json', { site: { name: 'New name', address: 'Elsewhere 2' } }],
  ]
  const document = await findInvoiceDocument(shop.app.db, shop.siteId, before.id)
  for (const [line, body] of changes) assert.equal((await shop.ask(line, { body })).status, 200, line)
  assert.deepEqual((await invoicesOf(bought.id))[0], before)
  assert.deepEqual(await findInvoiceDocument(shop.app.db, shop.siteId, before.id), document)
  assert.deepEqual([document?.buyer.firstName, document?.seller.name], ['Ada', 'acme'])
})

test('who is paid by card has no invoices', async () => {
  const { subscription } = await made(shop, 'POST /subscriptions.json', signup())
  assert.deepEqual(await invoicesOf(subscription.id), [])
})

test('the books agree', async () => {
  const { text, differences } = await verify(shop.app)
  assert.equal(differences, 0, text)
})
