/** Every act that moves money, read through the official SDK as invoices of the later form: each adds up, and what is due is the balance. */
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { decliningCard, grace, made } from '../api/shop.ts'
import type { Reply } from '../support/test-app.ts'
import { act, billsOf, buy, everything, inBoston, put, seats, shop, support, use } from './billed-shop.ts'

let sold = 0
const customer = (changes: object = {}) => ({ ...inBoston, reference: `buyer-${++sold}`, ...changes })
const subscribe = (changes: object = {}): Promise<Reply['json']> =>
  buy({ product_handle: 'with-setup-fee', ...everything, customer_attributes: customer(), ...changes })
const allocate = (id: number, componentId: number, allocation: object): Promise<Reply['json']> =>
  made(shop, `POST /subscriptions/${id}/components/${componentId}/allocations.json`, { allocation })

let day = Temporal.PlainDate.from('2027-01-15')
/** Each test begins at noon of a day of its own, and moves the clock by days. */
const wait = async (days: number): Promise<void> => {
  day = day.add({ days })
  await shop.moveClock(`${day}T12:00:00Z`)
}
beforeEach(() => wait(1))

const statusesOf = async (id: number) =>
  (await billsOf(id)).map(({ status, role, lineItems }) => [status, role, lineItems?.length])

describe('the bills add up', () => {
  test('after allocations that are prorated, charged at once and left for the renewal, and given back', async () => {
    const { id } = await subscribe()
    await wait(10)
    const now = {
      upgrade_charge: 'prorated',
      accrue_charge: false,
      proration_upgrade_scheme: 'prorate-attempt-capture',
    }
    await allocate(id, seats, { quantity: 9, ...now })
    await billsOf(id)
    await allocate(id, seats, { quantity: 12, proration_upgrade_scheme: 'prorate-delay-capture' })
    await billsOf(id)
    await allocate(id, seats, { quantity: 2, proration_downgrade_scheme: 'prorate' })
    await allocate(id, support, { quantity: 0, proration_downgrade_scheme: 'prorate' })
    await use(id, 33)
    const [, pending] = await billsOf(id)
    assert.equal(pending?.status, 'pending')
    await wait(25)
    const bills = await billsOf(id)
    assert.deepEqual(
      bills.map(({ status }) => status),
      ['paid', 'paid'],
    )
    await wait(40)
    await billsOf(id)
  })

  test('after migrations up and down, a product change, a cancellation and a reactivation', async () => {
    const { id } = await subscribe()
    await wait(5)
    await made(shop, `POST /subscriptions/${id}/migrations.json`, { migration: { product_handle: 'monthly' } }).catch(
      (error: Error) => assert.match(error.message, /: 200 /),
    )
    await billsOf(id)
    await wait(5)
    await put(`/subscriptions/${id}.json`, { subscription: { product_handle: 'card-optional' } })
    await wait(40)
    await billsOf(id)
    assert.equal((await shop.ask(`DELETE /subscriptions/${id}.json`)).status, 200)
    await billsOf(id)
    await wait(3)
    await put(`/subscriptions/${id}/reactivate.json`, {})
    assert.ok((await billsOf(id)).every(({ status }) => status !== 'open'))
    await wait(40)
    await billsOf(id)
  })

  test('after payments ahead, adjustments, credits and refunds', async () => {
    const { id } = await subscribe()
    const pay = (amount: string) => act(id, 'payments', { payment: { amount, memo: 'Wire' } })
    await pay('120.00')
    await act(id, 'charges', { charge: { amount: '9.00', memo: 'Atlas', use_negative_balance: true } })
    await act(id, 'adjustments', { adjustment: { amount: '-3.00', memo: 'Kindness' } })
    await billsOf(id)
    await wait(33)
    await billsOf(id)
    await act(id, 'credits', { credit: { amount: '500.00', memo: 'Prize' } })
    await wait(33)
    const bills = await billsOf(id)
    assert.equal(bills.at(-1)?.paidAmount, '0.00')
    assert.deepEqual(
      bills.at(-1)?.credits?.map(({ memo }) => memo),
      ['Credit on the balance', 'Prize'],
    )
    const [first] = bills
    const payment_id = first?.payments?.[0]?.transactionId
    await act(id, 'refunds', { refund: { payment_id, amount: '1.00', memo: 'One' } })
    await act(id, 'refunds', { refund: { payment_id, amount: '2.00', memo: 'Two', external: true } })
    assert.equal((await billsOf(id))[0]?.refundAmount, '3.00')
  })

  test('of who does not pay, in dunning, by part and in the end', async () => {
    const { id } = await subscribe({ customer_attributes: customer(grace), coupon_codes: ['TENTH'] })
    await put(`/subscriptions/${id}.json`, { subscription: { credit_card_attributes: decliningCard } })
    await wait(32)
    assert.equal((await statusesOf(id)).at(-1)?.[0], 'open')
    await act(id, 'charges', { charge: { amount: '6.00', memo: 'Late', delay_capture: true } })
    await billsOf(id)
    await act(id, 'payments', { payment: { amount: '10.00', memo: 'Some' } })
    await billsOf(id)
    await act(id, 'credits', { credit: { amount: '5.00', memo: 'Some' } })
    await billsOf(id)
    await act(id, 'payments', { payment: { amount: '100.00', memo: 'All' } })
    const bills = await billsOf(id)
    assert.ok(bills.every(({ dueAmount }) => dueAmount === '0.00'))
    await wait(40)
    await billsOf(id)
  })

  test('of an unpaid subscription that is charged on', async () => {
    const { id } = await subscribe({ product_handle: 'monthly', components: [], coupon_codes: [] })
    await put('/site.json', { site: { dunning_final_action: 'unpaid', dunning_attempts: 2 } })
    await put(`/subscriptions/${id}.json`, { subscription: { credit_card_attributes: decliningCard } })
    await wait(40)
    await billsOf(id)
    await wait(40)
    await billsOf(id)
    await act(id, 'payments', { payment: { amount: '60.00', memo: 'Some' } })
    await billsOf(id)
  })

  test('of who changes from card to invoices and back', async () => {
    const { id } = await subscribe()
    await act(id, 'charges', { charge: { amount: '6.00', memo: 'Later', delay_capture: true } })
    await put(`/subscriptions/${id}.json`, { subscription: { payment_collection_method: 'invoice' } })
    await wait(35)
    const bills = await billsOf(id)
    assert.equal(bills.at(-1)?.collectionMethod, 'remittance')
    await put(`/subscriptions/${id}.json`, { subscription: { payment_collection_method: 'automatic' } })
    await wait(35)
    const after = await billsOf(id)
    assert.ok(after.every(({ dueAmount }) => dueAmount === '0.00'))
  })
})
