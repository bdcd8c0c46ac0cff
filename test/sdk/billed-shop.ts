/** A shop whose site shows invoices in the later form, with a tax, a component of every kind and coupons of both. */
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { Direction, type Invoice } from '@maxio-com/advanced-billing-sdk'
import { grace, made, openShop, signup } from '../api/shop.ts'
import type { Reply } from '../support/test-app.ts'
import { testTls } from '../support/tls.ts'
import { openMerchant } from './merchant.ts'

export const shop = await openShop(undefined, { timeZone: 'America/New_York' })
export const merchant = openMerchant({ ...shop, subdomain: 'acme', certificate: testTls.cert })
after(() => merchant.leave())
const { invoices } = merchant

export const put = async (line: string, body: object): Promise<Reply> => {
  const reply = await shop.ask(`PUT ${line}`, { body })
  assert.equal(reply.status, 200, reply.text)
  return reply
}
await put('/site.json', { site: { relationship_invoicing_enabled: true, country: 'US', address: '1 Main St' } })
await made(shop, 'POST /taxes.json', { tax: { name: 'Sales tax', rate: '10', country: 'US' } })
const component = async (kind: string, fields: object): Promise<number> => {
  const path = `POST /product_families/${shop.familyId}/${kind}s.json`
  return (await made(shop, path, { [kind]: { taxable: true, ...fields } })).component.id
}
export const seats = await component('quantity_based_component', {
  name: 'Seats',
  unit_name: 'seat',
  pricing_scheme: 'per_unit',
  unit_price: '3.00',
})
export const support = await component('on_off_component', { name: 'Support', unit_price: '7.00' })
const calls = await component('metered_component', {
  name: 'Calls',
  unit_name: 'call',
  pricing_scheme: 'per_unit',
  unit_price: '0.05',
})
const coupon = async (fields: object) =>
  made(shop, 'POST /coupons.json', { coupon: { product_family_id: shop.familyId, recurring: true, ...fields } })
await coupon({ name: 'Tenth', code: 'TENTH', percentage: '10' })
await coupon({ name: 'Two off', code: 'TWO', amount_in_cents: 200 })

export const inBoston = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  country: 'US',
  state: 'MA',
}
export const everything = {
  customer_attributes: {
    ...inBoston,
    reference: 'ada',
    organization: 'Engines',
    address: '2 Byron St',
    city: 'Boston',
    zip: '02101',
  },
  components: [
    { component_id: seats, allocated_quantity: 4 },
    { component_id: support, enabled: true },
  ],
  coupon_codes: ['TENTH', 'TWO'],
}
export const buy = async (changes: object): Promise<Reply['json']> =>
  (await made(shop, 'POST /subscriptions.json', signup(changes))).subscription
export const listOf = async (subscriptionId: number): Promise<Invoice[]> =>
  (await invoices.listInvoices({ subscriptionId, direction: Direction.Asc, perPage: 200 })).result.invoices
export const read = async (uid: string | undefined): Promise<Invoice> => (await invoices.readInvoice(uid ?? '')).result

export const inCents = (text: string | undefined): number => Math.round(Number(text) * 100)

/** What holds of every bill, whatever stands on it. */
export function assertSums(bill: Invoice): void {
  const { subtotalAmount, discountAmount, taxAmount, totalAmount, creditAmount, paidAmount, dueAmount, refundAmount } =
    bill
  const sum = (values: readonly (string | undefined)[] = []): number =>
    values.map(inCents).reduce((all, one) => all + one, 0)
  assert.match(String(totalAmount), /^\d+\.\d\d$/)
  assert.equal(
    inCents(subtotalAmount) - inCents(discountAmount) + inCents(taxAmount),
    inCents(totalAmount),
    String(bill.uid),
  )
  assert.equal(inCents(totalAmount) - inCents(creditAmount) - inCents(paidAmount), inCents(dueAmount), String(bill.uid))
  assert.equal(sum(bill.lineItems?.map((line) => line.subtotalAmount)), inCents(subtotalAmount))
  assert.equal(sum(bill.lineItems?.map((line) => line.taxAmount)), inCents(taxAmount))
  assert.equal(sum(bill.discounts?.map((one) => one.discountAmount)), inCents(discountAmount))
  assert.equal(sum(bill.taxes?.map((one) => one.taxAmount)), inCents(taxAmount))
  assert.equal(sum(bill.credits?.map((one) => one.appliedAmount)), inCents(creditAmount))
  assert.equal(sum(bill.payments?.map((one) => one.appliedAmount)), inCents(paidAmount))
  assert.equal(sum(bill.refunds?.map((one) => one.appliedAmount)), inCents(refundAmount))
  for (const { discountAmount: whole, lineItemBreakouts } of bill.discounts ?? []) {
    if (lineItemBreakouts?.length) assert.equal(sum(lineItemBreakouts.map((one) => one.discountAmount)), inCents(whole))
  }
  for (const { taxAmount: whole, lineItemBreakouts } of bill.taxes ?? []) {
    assert.equal(sum(lineItemBreakouts?.map((one) => one.taxAmount)), inCents(whole))
  }
}

const balanceOf = async (id: number): Promise<number> =>
  (await shop.ask(`GET /subscriptions/${id}.json`)).json.subscription.balance_in_cents

/** All bills of a subscription, oldest first: each adds up, and what is due on them is what the subscriber owes. */
export async function billsOf(id: number): Promise<Invoice[]> {
  const bills = await Promise.all((await listOf(id)).map(({ uid }) => read(uid)))
  for (const bill of bills) assertSums(bill)
  const due = bills.reduce((sum, { dueAmount }) => sum + inCents(dueAmount), 0)
  assert.equal(due, Math.max(0, await balanceOf(id)))
  return bills
}

export const use = (id: number, quantity: number): Promise<Reply> =>
  shop.ask(`POST /subscriptions/${id}/components/${calls}/usages.json`, { body: { usage: { quantity } } })
export const act = (id: number, name: string, body: object): Promise<Reply['json']> =>
  made(shop, `POST /subscriptions/${id}/${name}.json`, body)

/** Ada pays by card for everything there is, and has charges, a correction and a credit in the middle of a period. */
export async function sellToAda(): Promise<Reply['json']> {
  const card = await buy({ product_handle: 'with-setup-fee', ...everything })
  await act(card.id, 'charges', { charge: { amount: '4.00', memo: 'Poster' } })
  await act(card.id, 'charges', { charge: { amount: '2.00', memo: 'Stamps', delay_capture: true } })
  await act(card.id, 'adjustments', { adjustment: { amount: '1.00', memo: 'Too little before' } })
  await act(card.id, 'credits', { credit: { amount: '0.50', memo: 'Sorry' } })
  await use(card.id, 20)
  return card
}

/** The same for somebody who is sent invoices. */
export const sellByRemittance = (): Promise<Reply['json']> =>
  buy({
    product_handle: 'card-optional',
    ...everything,
    customer_attributes: { ...inBoston, reference: 'remits' },
    payment_profile_attributes: undefined,
    payment_collection_method: 'remittance',
  })

export const sellTrial = (): Promise<Reply['json']> => buy({ product_handle: 'paid-trial', customer_attributes: grace })
