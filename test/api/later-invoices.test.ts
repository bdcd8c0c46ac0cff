/** Invoices in the later form, in JSON and in XML: switched on and off, read, narrowed, paid, and what clients may send wrongly. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { verify } from '../../src/actions/verify.ts'
import { readPages } from '../support/pdf-text.ts'
import { buy, openLaterShop, sendsInvoices, type Tree } from './later-invoice-shop.ts'
import { ada, decliningCard, grace, made, openOtherSite } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

for (const format of formats) {
  const shop = await openLaterShop()
  const say = speaker(shop, format)
  /** JSON wraps the list in its name, XML is it. */
  const listed = async (query: string): Promise<Tree[]> => {
    const said = await say(`GET /invoices?${query}`)
    assert.equal(said.status, 200, said.text)
    return format === 'json' ? said.tree.invoices : said.tree
  }
  const bare = (tree: Tree): Tree => (format === 'json' ? tree : tree.invoice)
  const read = async (uid: string): Promise<Tree> => bare((await say(`GET /invoices/${uid}`)).tree)

  describe(`later invoices in ${format}`, () => {
    test('are bills of everybody, under uids, with amounts as decimal text', async () => {
      const [card, remitted] = [await buy(shop, {}), await buy(shop, sendsInvoices)]
      const [paid] = await listed(`subscription_id=${card.id}`)
      const [due] = await listed(`subscription_id=${remitted.id}`)
      const shown = ({ uid, status, total_amount, paid_amount, due_amount, collection_method }: Tree) => [
        /^inv_[is]\d+$/.test(uid),
        [status, total_amount, paid_amount, due_amount, collection_method],
      ]
      assert.deepEqual(shown(paid), [true, ['paid', '50.00', '50.00', '0.00', 'automatic']])
      assert.deepEqual(shown(due), [true, ['open', '50.00', '0.00', '50.00', 'remittance']])
      assert.equal(paid.line_items, undefined)
      const whole = await read(paid.uid)
      assert.equal(whole.line_items[0].description, 'Monthly (01/15/2027 - 02/15/2027)')
      assert.equal(whole.payments[0].payment_method.masked_card_number, 'XXXX-XXXX-XXXX-1')
      const bank_account_attributes = { bank_name: 'Hoare', bank_iban: 'GB82WEST12345698765432' }
      const account = await buy(shop, { payment_profile_attributes: undefined, bank_account_attributes })
      const [{ uid }] = (await listed(`subscription_id=${account.id}`)) as [Tree]
      assert.deepEqual((await read(uid)).payments[0].payment_method, {
        ...{ type: 'bank_account', last_four: '5432' },
        ...{ masked_account_number: 'XXXX5432', masked_routing_number: '' },
      })
      const [withLines] = await listed(`subscription_id=${card.id}&line_items=true&payments=1&taxes=false`)
      assert.deepEqual([withLines.line_items, withLines.payments], [whole.line_items, whole.payments])
      assert.equal(withLines.taxes, undefined)
    })

    test('are pages too: those of the invoice, or of the statement', async () => {
      const [card, remitted] = [await buy(shop, {}), await buy(shop, sendsInvoices)]
      for (const { id } of [card, remitted]) {
        const [{ uid }] = (await listed(`subscription_id=${id}`)) as [Tree]
        const reply = await shop.ask(`GET /invoices/${uid}.pdf`)
        assert.equal(reply.headers['content-type'], 'application/pdf')
        assert.match(JSON.stringify(readPages(reply.bytes)), /50\.00/)
      }
    })

    test('what is no uid, or one of another site or of nothing, is not found', async () => {
      const other = await openOtherSite(shop, `other-${format}`)
      const { id } = await buy(shop, {})
      const [{ uid }] = (await listed(`subscription_id=${id}`)) as [Tree]
      const asked = ['500001', 'inv_', 'inv_s', 'inv_x500001', 'inv_s999999', 'inv_i999999', `${uid}0`]
      for (const name of asked) {
        assert.equal((await say(`GET /invoices/${name}`)).status, 404, name)
        assert.equal((await say(`POST /invoices/${name}/payments`, { payment: { amount: 'x' } })).status, 404, name)
      }
      const body = { site: { relationship_invoicing_enabled: true } }
      const theirs = { key: other.apiKey, headers: { host: `${other.subdomain}.example.com` } }
      assert.equal((await say('PUT /site', body, theirs)).status, 200)
      assert.equal((await say(`GET /invoices/${uid}`, undefined, theirs)).status, 404)
      assert.equal((await say('GET /invoices/events', undefined, theirs)).status, 200)
    })

    test('a payment answers 201 with the invoice, and says how it was made', async () => {
      const { id } = await buy(shop, sendsInvoices)
      const [{ uid }] = (await listed(`subscription_id=${id}`)) as [Tree]
      const payment = { amount: '20.00', memo: 'Cheque', method: 'check', details: '# 17', received_on: '2027-01-14' }
      const said = await say(`POST /invoices/${uid}/payments`, { payment })
      assert.equal(said.status, 201, said.text)
      const paid = bare(said.tree)
      assert.deepEqual([paid.status, paid.paid_amount, paid.due_amount], ['open', '20.00', '30.00'])
      const [{ payment_method: method, received_on }] = paid.payments
      assert.deepEqual(
        [method.type, method.kind, method.details, method.memo, received_on],
        ['external', 'check', '# 17', 'Cheque', '2027-01-14'],
      )
      assert.deepEqual(await read(uid), paid)
    })

    test('a payment of a subscription answers with the invoices that it paid, and with what is left', async () => {
      const { id } = await buy(shop, sendsInvoices)
      await made(shop, `POST /subscriptions/${id}/charges.json`, { charge: { amount: '8.00', memo: 'Poster' } })
      const [second, first] = (await listed(`subscription_id=${id}`)) as [Tree, Tree]
      const pay = async (amount: string): Promise<Tree> => {
        const said = await say(`POST /subscriptions/${id}/payments`, {
          payment: { amount, memo: 'Wire', payment_details: 'ref 1', payment_method: 'ach' },
        })
        assert.equal(said.status, 201, said.text)
        return format === 'json' ? said.tree : said.tree.payment
      }
      const part = await pay('52.00')
      assert.deepEqual(part.paid_invoices, [
        { invoice_id: first.uid, status: 'paid', due_amount: '0.00', paid_amount: '50.00' },
        { invoice_id: second.uid, status: 'open', due_amount: '6.00', paid_amount: '2.00' },
      ])
      assert.equal(part.prepayment, null)
      const rest = await pay('10.00')
      assert.deepEqual(rest.paid_invoices, [
        { invoice_id: second.uid, status: 'paid', due_amount: '0.00', paid_amount: '8.00' },
      ])
      assert.deepEqual(rest.prepayment, { subscription_id: id, amount_in_cents: 400, ending_balance_in_cents: 400 })
      assert.equal((await read(second.uid)).payments[1].payment_method.kind, 'ach')
    })

    test('what a payment may say is known in this form, and told to be ignored in the earlier one', async () => {
      const own = await openLaterShop()
      const ask = speaker(own, format)
      const { id } = await buy(own, sendsInvoices)
      const asking = { headers: { 'Kalends-Ignored': 'tell' } }
      const payment = { amount: '1.00', memo: 'Cash', payment_method: 'cash', payment_details: 'at the door' }
      const told = async () =>
        (await ask(`POST /subscriptions/${id}/payments`, { payment }, asking)).headers['kalends-ignored']
      assert.equal(await told(), '')
      assert.equal((await ask('PUT /site', { site: { relationship_invoicing_enabled: false } })).status, 200)
      assert.equal(await told(), 'payment.payment_method, payment.payment_details')
    })

    test('a payment with an idempotency key is made once', async () => {
      const { id } = await buy(shop, sendsInvoices)
      const [{ uid }] = (await listed(`subscription_id=${id}`)) as [Tree]
      const headers = { 'idempotency-key': `pay-${format}` }
      const pay = () => say(`POST /invoices/${uid}/payments`, { payment: { amount: '20.00' } }, { headers })
      const [one, again] = [await pay(), await pay()]
      assert.deepEqual([one.status, again.status, again.text], [201, 201, one.text])
      assert.equal((await read(uid)).paid_amount, '20.00')
    })

    test('what makes no sense of a payment is named, all of it at once', async () => {
      const { id } = await buy(shop, sendsInvoices)
      const [{ uid }] = (await listed(`subscription_id=${id}`)) as [Tree]
      const refused = await say(`POST /invoices/${uid}/payments`, {
        payment: { amount: '0', method: 'barter', received_on: '2027-02-30', payment_profile_id: 7 },
      })
      assert.equal(refused.status, 422)
      assert.deepEqual(refused.errors, [
        'Method: must be one of credit_card, check, cash, money_order, ach, other.',
        'Payment profile id: is not supported; a payment of an invoice is recorded, and no card is asked.',
      ])
      const wrong = async (payment: object): Promise<string[]> =>
        (await say(`POST /invoices/${uid}/payments`, { payment })).errors
      assert.deepEqual(await wrong({ amount: '0', received_on: '2027-02-30' }), [
        'Received on: is not a date that can be read.',
        'Amount: must be greater than 0.',
      ])
      assert.deepEqual(await wrong({ amount: '1', received_on: '2027-01-16' }), [
        'Received on: must not be in the future.',
      ])
      assert.deepEqual(await wrong({ memo: 'Nothing' }), ['Amount: is not a number.'])
      const nothing = await say(`POST /subscriptions/${id}/payments`, { payment: { memo: 'Nothing' } })
      assert.deepEqual([nothing.status, nothing.errors], [422, ['Amount: is not a number.']])
      assert.equal((await read(uid)).paid_amount, '0.00')
    })

    test('of statements the oldest is paid first; paid and pending ones are refused', async () => {
      const { id } = await buy(shop, { customer_attributes: grace })
      await made(shop, `POST /subscriptions/${id}/charges.json`, {
        charge: { amount: '4.00', memo: 'Later', delay_capture: true },
      })
      const [pending, paid] = (await listed(`subscription_id=${id}`)) as [Tree, Tree]
      assert.deepEqual([pending.status, paid.status], ['pending', 'paid'])
      const pay = (uid: string) => say(`POST /invoices/${uid}/payments`, { payment: { amount: '1.00' } })
      assert.deepEqual((await pay(pending.uid)).errors, ['Invoice: cannot be paid, since it is pending.'])
      assert.deepEqual((await pay(paid.uid)).errors, ['Invoice: cannot be paid, since it is paid.'])
    })

    test('archived unpaid, one is voided and takes no payment', async () => {
      const { id } = await buy(shop, sendsInvoices)
      const [{ uid }] = (await listed(`subscription_id=${id}`)) as [Tree]
      await shop.ask(`PUT /invoices/${uid.slice('inv_i'.length)}/archive.json`)
      assert.deepEqual(
        (await listed(`status=voided&subscription_id=${id}`)).map((one) => one.uid),
        [uid],
      )
      const refused = await say(`POST /invoices/${uid}/payments`, { payment: { amount: '1.00' } })
      assert.deepEqual([refused.status, refused.errors], [422, ['Invoice: cannot be changed, since it is archived.']])
    })

    test('what makes no sense in a list is named, all of it at once', async () => {
      const refused = await say(
        'GET /invoices?status=unpaid&sort=total_amount&line_items=maybe&number=x&subscription_group_uid=grp&date_field=never&page=0',
      )
      assert.equal(refused.status, 422)
      assert.deepEqual(refused.errors, [
        'Date field: must be one of created_at, issue_date, due_date, updated_at, paid_date.',
        'Status: must be one of draft, open, paid, pending, voided, canceled, processing.',
        'Number: is not the number of an invoice.',
        'invalid page: 0',
        'Sort: must be one of created_at, issue_date, due_date, updated_at, number, status.',
        'Line items: must be one of true, false, 1, 0.',
        'subscription_group_uid: is no filter of this list.',
      ])
      const events = await say('GET /invoices/events?since_id=x&invoice_uid=7&event_types=paid&since_date=soon')
      assert.deepEqual(events.errors, [
        'Since date: is not a date and time.',
        'Since id: is not a number.',
        'Invoice uid: is not the uid of an invoice.',
        `Event types: must be one of ${eventTypes}.`,
      ])
    })

    test('events show what happened, with the invoice as it stands', async () => {
      const { id } = await buy(shop, {})
      const [{ uid }] = (await listed(`subscription_id=${id}`)) as [Tree]
      const said = await say(`GET /invoices/events?invoice_uid=${uid}`)
      assert.equal(said.status, 200, said.text)
      const { events } = format === 'json' ? said.tree : said.tree.invoice_events
      assert.deepEqual(
        events.map(({ event_type, invoice }: Tree) => [event_type, invoice.uid]),
        [
          ['apply_payment', uid],
          ['issue_invoice', uid],
        ],
      )
      assert.deepEqual(events[0].event_data.applied_amount, '50.00')
      assert.deepEqual(await read(uid), events[0].invoice)
    })

    test('switched off, everything is in the earlier form again', async () => {
      const own = await openLaterShop()
      const ask = speaker(own, format)
      const { id } = await buy(own, sendsInvoices)
      const said = await ask('GET /invoices')
      const [{ uid }] = format === 'json' ? said.tree.invoices : said.tree
      assert.equal((await ask('PUT /site', { site: { relationship_invoicing_enabled: false } })).status, 200)
      const [invoice] = (await ask('GET /invoices')).tree
      assert.deepEqual([invoice.state, invoice.total_amount_in_cents, invoice.subscription_id], ['unpaid', 5000, id])
      assert.equal((await ask(`GET /invoices/${uid}`)).status, 404)
      assert.equal((await ask('GET /invoices/events')).status, 404)
      const paid = await ask(`POST /invoices/${invoice.id}/payments`, { payment: { amount: '50.00' } })
      assert.equal(paid.tree.payment.kind, 'manual')
      const more = await ask(`POST /subscriptions/${id}/payments`, { payment: { amount: '1.00', memo: 'Cash' } })
      assert.equal(more.tree.payment.amount_in_cents, 100)
      assert.equal((await verify(own.app)).differences, 0)
    })

    test('a currency without cents shows whole amounts', async () => {
      const own = await openLaterShop()
      const ask = speaker(own, format)
      assert.equal((await ask('PUT /site', { site: { currency: 'JPY' } })).status, 200)
      await buy(own, { customer_attributes: ada, product_handle: 'with-setup-fee' })
      const said = await ask('GET /invoices?line_items=true')
      const [bill] = format === 'json' ? said.tree.invoices : said.tree
      assert.deepEqual([bill.currency, bill.total_amount, bill.line_items[1].unit_price], ['JPY', '75', '25'])
    })

    test('a card that declines leaves an open invoice, and its failures are told', async () => {
      const own = await openLaterShop()
      const ask = speaker(own, format)
      const { id } = await buy(own, {})
      const body = { subscription: { credit_card_attributes: decliningCard } }
      assert.equal((await own.ask(`PUT /subscriptions/${id}.json`, { body })).status, 200)
      await own.moveClock('2027-02-17T12:00:00Z')
      const said = await ask('GET /invoices?status=open')
      const [bill] = format === 'json' ? said.tree.invoices : said.tree
      assert.deepEqual([bill.due_amount, bill.issue_date, bill.paid_date], ['50.00', '2027-02-15', null])
      const told = (await ask(`GET /invoices/events?invoice_uid=${bill.uid}`)).tree
      const { events } = format === 'json' ? told : told.invoice_events
      assert.deepEqual(
        events.map((event: Tree) => event.event_type),
        ['failed_payment', 'issue_invoice', 'failed_payment', 'failed_payment'],
      )
    })
  })
}

const eventTypes =
  'issue_invoice, apply_payment, failed_payment, refund_invoice, apply_credit_note, create_credit_note, apply_debit_note, ' +
  'create_debit_note, void_invoice, void_remainder, backport_invoice, change_invoice_status, change_invoice_collection_method, ' +
  'remove_payment, change_chargeback_status'
