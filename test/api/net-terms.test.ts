/** `net_terms` of a subscription: days from the making of an invoice until it is due, on the later form, on paper and in lists. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sendLetters } from '../../src/actions/send-letters.ts'
import { readPages } from '../support/pdf-text.ts'
import { keepingPost, office } from '../support/post-office.ts'
import { ada, made, openShop, signup } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

const shop = await openShop(undefined, { timeZone: 'Europe/Berlin' })
await shop.ask('PUT /site.json', { body: { site: { relationship_invoicing_enabled: true } } })
const invoiced = {
  product_handle: 'card-optional',
  customer_attributes: ada,
  payment_collection_method: 'remittance',
  payment_profile_attributes: undefined,
}
const subscribe = async (changes: object = {}) =>
  (await made(shop, 'POST /subscriptions.json', signup({ ...invoiced, ...changes }))).subscription
const bills = async (query: string) => (await shop.ask(`GET /invoices.json?${query}`)).json.invoices
const billOf = async (id: number) => (await bills(`subscription_id=${id}`))[0]
const datesOf = ({ issue_date, due_date, net_terms }: Record<string, unknown>) => [issue_date, due_date, net_terms]

for (const format of formats) {
  const say = speaker(shop, format)

  describe(`net_terms in ${format}`, () => {
    test('are kept by sign-ups, imports and updates, as a number or its digits', async () => {
      for (const [sent, more] of [
        [30, {}],
        ['45', { next_billing_at: '2027-03-01T00:00:00Z' }],
        [0, {}],
      ] as const) {
        const { status, tree, text } = await say(
          'POST /subscriptions',
          signup({ ...invoiced, net_terms: sent, ...more }),
        )
        assert.deepEqual([status, tree.subscription?.net_terms], [201, Number(sent)], text)
      }
      const { id } = await subscribe({ net_terms: 30 })
      const shownAfter = async (fields: object) =>
        (await say(`PUT /subscriptions/${id}`, { subscription: fields })).tree.subscription.net_terms
      assert.equal(await shownAfter({ net_terms: '' }), 30)
      assert.equal(await shownAfter({ net_terms: 60 }), 60)
      assert.equal(await shownAfter({ net_terms: null }), null)
    })

    test('that are no number of days up to 180 are refused', async () => {
      for (const [sent, sentence] of [
        [181, 'Net terms: must be less than or equal to 180.'],
        [-1, 'Net terms: must be greater than or equal to 0.'],
        ['soon', 'Net terms: is not a number.'],
      ] as const) {
        for (const line of ['POST /subscriptions', 'POST /subscriptions/preview']) {
          assert.deepEqual((await say(line, signup({ ...invoiced, net_terms: sent }))).errors, [sentence])
        }
      }
    })
  })

  describe(`receives_invoice_emails in ${format}`, () => {
    test('is kept and changed', async () => {
      const { tree } = await say('POST /subscriptions', signup({ receives_invoice_emails: 'false' }))
      const { id, receives_invoice_emails: shown } = tree.subscription
      assert.equal(shown, false)
      const updated = await say(`PUT /subscriptions/${id}`, { subscription: { receives_invoice_emails: true } })
      assert.equal(updated.tree.subscription.receives_invoice_emails, true)
    })
  })
}

test('an invoice is due so many days after its issue, counted on the calendar of the site', async () => {
  const { id } = await subscribe({ net_terms: 90 })
  assert.deepEqual(datesOf(await billOf(id)), ['2027-01-15', '2027-04-15', 90])
  const { id: plain } = await subscribe()
  assert.deepEqual(datesOf(await billOf(plain)), ['2027-01-15', '2027-01-15', 0])
  const due = 'date_field=due_date&start_date=2027-04-15&end_date=2027-04-15'
  assert.deepEqual(
    (await bills(due)).map((bill: { subscription_id: number }) => bill.subscription_id),
    [id],
  )
  const [last] = await bills('sort=due_date&direction=desc&per_page=1')
  assert.equal(last.subscription_id, id)
})

test('later terms are those of later invoices alone', async () => {
  const { id } = await subscribe({ net_terms: 10 })
  await shop.ask(`PUT /subscriptions/${id}.json`, { body: { subscription: { net_terms: 20 } } })
  await shop.moveClock('2027-02-16T00:00:00Z')
  const shown = await bills(`subscription_id=${id}&direction=asc`)
  assert.deepEqual(shown.map(datesOf), [
    ['2027-01-15', '2027-01-25', 10],
    ['2027-02-15', '2027-03-07', 20],
  ])
})

test('the page of an invoice says when it is due', async () => {
  const { id } = await subscribe({ net_terms: 14 })
  const { issue_date: issued, uid } = await billOf(id)
  assert.equal(issued, '2027-02-16')
  const { bytes } = await shop.ask(`GET /invoices/${uid}.pdf`)
  const words = JSON.stringify(readPages(bytes))
  assert.match(words, /Due/)
  assert.match(words, /March 2, 2027|2 March 2027|Mar 2, 2027/)
})

test('without invoice emails no receipt is sent, and it is on record why', async (t) => {
  const other = await openShop(t)
  const silent = await made(other, 'POST /subscriptions.json', signup({ receives_invoice_emails: false }))
  const told = await made(other, 'POST /subscriptions.json', signup({ receives_invoice_emails: true }))
  const post = keepingPost()
  await sendLetters(other.app, office(post))
  assert.equal(post.mails.length, 1)
  const { json } = await other.ask('GET /letters.json')
  const status = (id: number) =>
    json.find(({ letter }: { letter: { subscription_id: number } }) => letter.subscription_id === id).letter.status
  assert.deepEqual([status(silent.subscription.id), status(told.subscription.id)], ['given_up', 'sent'])
})
