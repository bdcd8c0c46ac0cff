/** The official SDK lists invoices in their later form by everything that it knows, and what happened to them. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  Direction,
  InvoiceDateField,
  InvoiceEventType,
  InvoiceSortField,
  InvoiceStatus,
} from '@maxio-com/advanced-billing-sdk'
import { decliningCard, grace } from '../api/shop.ts'
import { act, buy, listOf, merchant, put, read, sellByRemittance, sellToAda, sellTrial, shop } from './billed-shop.ts'

const { invoices, sites } = merchant
const card = await sellToAda()
const [remitted] = await listOf((await sellByRemittance()).id)
await sellTrial()
const failing = await buy({ customer_attributes: { ...grace, reference: 'fails' } })
await put(`/subscriptions/${failing.id}.json`, { subscription: { credit_card_attributes: decliningCard } })
const [first] = await listOf(card.id)
const payment_id = (await read(first?.uid)).payments?.[0]?.transactionId
await act(card.id, 'refunds', { refund: { payment_id, amount: '10.00', memo: 'Broken' } })
await shop.moveClock('2027-03-16T12:00:00Z')
await invoices.recordPaymentForInvoice(remitted?.uid ?? '', { payment: { amount: '500.00', memo: 'Wire' } })
await act(card.id, 'charges', { charge: { amount: '4.00', memo: 'Poster' } })

const uidsOf = async (filter: object): Promise<(string | undefined)[]> =>
  (await invoices.listInvoices({ perPage: 200, ...filter })).result.invoices.map(({ uid }) => uid)

const statuses = [
  InvoiceStatus.Open,
  InvoiceStatus.Paid,
  InvoiceStatus.Pending,
  InvoiceStatus.Voided,
  InvoiceStatus.Draft,
]
const sorts = [
  InvoiceSortField.CreatedAt,
  InvoiceSortField.UpdatedAt,
  InvoiceSortField.IssueDate,
  InvoiceSortField.DueDate,
  InvoiceSortField.Number,
  InvoiceSortField.Status,
]

describe('lists', () => {
  test('every bill is in one status', async () => {
    const all = await uidsOf({})
    assert.equal(new Set(all).size, all.length)
    const byStatus = await Promise.all(statuses.map((status) => uidsOf({ status })))
    assert.deepEqual(byStatus.flat().toSorted(), all.toSorted())
    assert.deepEqual(
      byStatus.map((found) => found.length > 0),
      [true, true, true, false, false],
    )
  })

  for (const sort of sorts) {
    test(`by ${sort}, either way and in pages`, async () => {
      const up = await uidsOf({ sort, direction: Direction.Asc })
      const pages = await Promise.all(
        [1, 2, 3].map((page) => uidsOf({ sort, direction: Direction.Asc, perPage: 3, page })),
      )
      assert.ok(up.length >= 9)
      assert.deepEqual(pages.flat(), up.slice(0, 9))
      assert.deepEqual(await uidsOf({ sort, direction: Direction.Desc }), up.toReversed())
    })
  }

  test('an order by amounts is refused', async () => {
    for (const sort of [InvoiceSortField.TotalAmount, InvoiceSortField.DueAmount]) {
      await assert.rejects(invoices.listInvoices({ sort }), /422|unprocessable/i)
    }
  })

  test('windows of each date, customers, products and numbers', async () => {
    const all = await uidsOf({})
    for (const dateField of Object.values(InvoiceDateField)) {
      const found = await uidsOf({ dateField, startDate: '2027-02-01', endDate: '2027-02-28' })
      assert.ok(found.length > 0 && found.length < all.length, dateField)
    }
    const of = async (filter: object) => (await invoices.listInvoices({ perPage: 200, ...filter })).result.invoices
    const hers = await of({ customerIds: [card.customer.id] })
    assert.ok(hers.length > 0 && hers.every(({ customerId }) => customerId === card.customer.id))
    const sold = await of({ productIds: [shop.productIds['with-setup-fee']] })
    assert.ok(sold.length > 0 && sold.every(({ productName }) => productName === 'With Setup Fee'))
    const number = sold[0]?.number ?? ''
    const numbers = (await of({ mNumber: [number, '000001'] })).map((one) => one.number)
    assert.deepEqual(numbers.toSorted(), ['000001', number])
  })

  test('breakdowns are there where they are asked for', async () => {
    const [bare] = (await invoices.listInvoices({ subscriptionId: card.id })).result.invoices
    assert.deepEqual([bare?.lineItems, bare?.payments, bare?.customFields], [undefined, undefined, undefined])
    const all = { lineItems: true, discounts: true, taxes: true, credits: true, payments: true, refunds: true }
    const { result } = await invoices.listInvoices({ subscriptionId: card.id, ...all, customFields: true })
    for (const one of result.invoices) assert.deepEqual({ ...one }, { ...(await read(one.uid)) })
  })

  test('events tell of each issue, payment, failure and refund, oldest first and without a gap', async () => {
    const { result } = await invoices.listInvoiceEvents({ perPage: 200 })
    const events = result.events ?? []
    const types = new Set(events.map(({ eventType }) => eventType))
    assert.deepEqual([...types].toSorted(), ['apply_payment', 'failed_payment', 'issue_invoice', 'refund_invoice'])
    const ids = events.map(({ id }) => Number(id))
    assert.deepEqual(
      ids,
      ids.toSorted((one, other) => one - other),
    )
    const issued = events
      .filter(({ eventType }) => eventType === InvoiceEventType.IssueInvoice)
      .map(({ invoice }) => invoice?.uid)
    const listed = (await invoices.listInvoices({ perPage: 200 })).result.invoices
    assert.deepEqual(
      issued.toSorted(),
      listed
        .filter(({ status }) => status !== 'pending')
        .map(({ uid }) => uid)
        .toSorted(),
    )
    const after = await invoices.listInvoiceEvents({ sinceId: events[2]!.id, perPage: 2 })
    assert.deepEqual(
      after.result.events?.map(({ id }) => id),
      [events[3]!.id, events[4]!.id],
    )
    const own = await invoices.listInvoiceEvents({ invoiceUid: first?.uid ?? '' })
    assert.deepEqual(
      own.result.events?.map(({ eventType }) => eventType),
      ['apply_payment', 'issue_invoice', 'refund_invoice'],
    )
    const refunds = await invoices.listInvoiceEvents({
      eventTypes: [InvoiceEventType.RefundInvoice, InvoiceEventType.VoidInvoice],
    })
    assert.equal(refunds.result.events?.length, 1)
    assert.deepEqual((await invoices.listInvoiceEvents({ sinceDate: '2028-01-01' })).result.events, [])
  })

  test('the site says that it has the later form', async () => {
    assert.equal((await sites.readSite()).result.site.relationshipInvoicingEnabled, true)
  })
})
