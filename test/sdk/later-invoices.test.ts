/** The official SDK reads invoices in their later form: bills of card and of remittance, with every kind of line, and pays them. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type Invoice,
  InvoicePaymentMethodType,
  InvoicePaymentType,
  InvoiceStatus,
} from '@maxio-com/advanced-billing-sdk'
import { decliningCard, grace } from '../api/shop.ts'
import {
  act,
  assertSums,
  billsOf,
  buy,
  inCents,
  listOf,
  merchant,
  put,
  read,
  sellByRemittance,
  sellToAda,
  sellTrial,
  shop,
} from './billed-shop.ts'

const { invoices } = merchant
const kindsOf = (bill: Invoice | undefined) => bill?.lineItems?.map(({ kind }) => kind)
const summaryOf = ({ status, totalAmount, paidAmount, creditAmount, dueAmount }: Invoice) =>
  [status, totalAmount, paidAmount, creditAmount, dueAmount].join(' ')
const [card, remittance, trial] = [await sellToAda(), await sellByRemittance(), await sellTrial()]

describe('who pays by card', () => {
  test('the sign-up is a bill with a line of each kind, discounts, taxes and the payment', async () => {
    const [first] = await billsOf(card.id)
    assert.deepEqual(kindsOf(first), ['baseline', 'initial', 'quantity_based_component', 'on_off_component'])
    assert.equal(summaryOf(first!), 'paid 84.27 84.27 0.00 0.00')
    assert.deepEqual([first?.role, first?.collectionMethod, first?.currency], ['signup', 'automatic', 'USD'])
    assert.deepEqual(
      first?.discounts?.map(({ code, discountType, percentage, discountAmount }) => [
        code,
        discountType,
        percentage,
        discountAmount,
      ]),
      [
        ['TENTH', 'percentage', '10', '9.40'],
        ['TWO', 'flat_amount', undefined, '2.00'],
      ],
    )
    assert.deepEqual(
      first?.taxes?.map(({ title, percentage, taxableAmount, taxAmount }) => [
        title,
        percentage,
        taxableAmount,
        taxAmount,
      ]),
      [['Sales tax', '10', '16.70', '1.67']],
    )
    assert.deepEqual(first?.payments?.[0]?.paymentMethod?.maskedCardNumber, 'XXXX-XXXX-XXXX-1')
    assert.deepEqual([first?.customer?.reference, first?.customer?.chargifyId], ['ada', card.customer.id])
    assert.deepEqual([first?.seller?.address?.street, first?.shippingAddress?.city], ['1 Main St', 'Boston'])
    assert.deepEqual(
      [first?.lineItems?.[0]?.periodRangeStart, first?.lineItems?.[0]?.periodRangeEnd],
      ['2027-01-15', '2027-02-15'],
    )
  })

  test('what is charged in the middle of a period is pending, and is issued with the renewal under the same uid', async () => {
    const [, gathering] = await billsOf(card.id)
    assert.equal(gathering?.status, InvoiceStatus.Pending)
    assert.deepEqual(kindsOf(gathering), ['one_time', 'delay_capture', 'adjustment'])
    assert.equal(summaryOf(gathering!), 'pending 7.00 4.00 0.50 2.50')
    await shop.moveClock('2027-02-15T12:00:01Z')
    const bills = await billsOf(card.id)
    assert.deepEqual(bills.map(({ uid }) => uid).slice(0, 2), [bills[0]?.uid, gathering?.uid])
    const renewed = bills[1]!
    assert.deepEqual(
      [renewed.status, renewed.role, renewed.issueDate, renewed.paidDate],
      ['paid', 'renewal', '2027-02-15', '2027-02-15'],
    )
    assert.ok(kindsOf(renewed)?.includes('metered_component'))
    const usage = renewed.lineItems?.find(({ kind }) => kind === 'metered_component')
    assert.deepEqual(
      [usage?.title, usage?.periodRangeStart, usage?.periodRangeEnd],
      ['Calls', '2027-01-15', '2027-02-15'],
    )
  })

  test('a refund stands on the bill that its payment paid', async () => {
    const [first] = await billsOf(card.id)
    const payment_id = first?.payments?.[0]?.transactionId
    await act(card.id, 'refunds', { refund: { payment_id, amount: '10.00', memo: 'Broken' } })
    const [refunded] = await billsOf(card.id)
    assert.deepEqual([refunded?.refundAmount, refunded?.dueAmount], ['10.00', '0.00'])
    assert.deepEqual(
      refunded?.refunds?.map(({ paymentId, memo }) => [paymentId, memo]),
      [[payment_id, 'Broken']],
    )
  })

  test('a bill that the card did not pay is open, and is paid by hand', async () => {
    const failing = await buy({ customer_attributes: { ...grace, reference: 'fails' } })
    await put(`/subscriptions/${failing.id}.json`, { subscription: { credit_card_attributes: decliningCard } })
    await shop.moveClock('2027-03-16T12:00:00Z')
    const bills = await billsOf(failing.id)
    const open = bills.at(-1)!
    assert.equal(summaryOf(open), 'open 50.00 0.00 0.00 50.00')
    const paid = await invoices.recordPaymentForInvoice(open.uid ?? '', {
      type: InvoicePaymentType.External,
      payment: {
        amount: '20.00',
        memo: 'Cash',
        method: InvoicePaymentMethodType.Cash,
        details: 'at the door',
        receivedOn: '2027-03-01',
      },
    })
    assert.equal(summaryOf(paid.result), 'open 50.00 20.00 0.00 30.00')
    const [payment] = paid.result.payments ?? []
    assert.deepEqual(
      [payment?.paymentMethod?.kind, payment?.paymentMethod?.details, payment?.receivedOn],
      ['cash', 'at the door', '2027-03-01'],
    )
    const { result } = await invoices.recordPaymentForSubscription(failing.id, {
      payment: { amount: '35.00', memo: 'Rest', paymentDetails: '17', paymentMethod: InvoicePaymentMethodType.Check },
    })
    assert.deepEqual(result.paidInvoices, [
      { invoiceId: open.uid, status: 'paid', dueAmount: '0.00', paidAmount: '50.00' },
    ])
    assert.deepEqual(
      { ...result.prepayment },
      { subscriptionId: failing.id, amountInCents: 500n, endingBalanceInCents: 500n },
    )
    await billsOf(failing.id)
  })

  test('a trial that is paid, and what follows it', async () => {
    const [first, second] = await billsOf(trial.id)
    assert.deepEqual([kindsOf(first), first?.totalAmount], [['trial', 'initial'], '26.00'])
    assert.deepEqual([kindsOf(second), second?.totalAmount], [['baseline'], '50.00'])
  })
})

describe('who pays by remittance', () => {
  test('invoices, payments that are too much, and credit on the balance', async () => {
    const [first] = await billsOf(remittance.id)
    assert.deepEqual([first?.collectionMethod, first?.status, first?.number], ['remittance', 'open', '000001'])
    const { result } = await invoices.recordPaymentForInvoice(first?.uid ?? '', {
      payment: { amount: 500, memo: 'Wire' },
    })
    assert.deepEqual(
      [result.status, result.paidAmount, result.payments?.[0]?.originalAmount],
      ['paid', result.totalAmount, '500.00'],
    )
    await act(remittance.id, 'charges', { charge: { amount: '3.00', memo: 'Poster' } })
    const ids = await billsOfInvoices()
    assert.ok(ids.includes(first?.uid))
    await shop.moveClock('2027-04-16T12:00:00Z')
    const bills = await Promise.all((await listOf(remittance.id)).map(({ uid }) => read(uid)))
    for (const bill of bills) assertSums(bill)
    assert.ok(
      bills.some(
        ({ creditAmount, credits }) => inCents(creditAmount) > 0 && credits?.[0]?.memo === 'Credit on the balance',
      ),
    )
  })

  const billsOfInvoices = async () =>
    (await invoices.listInvoices({ customerIds: [remittance.customer.id] })).result.invoices.map(({ uid }) => uid)
})
