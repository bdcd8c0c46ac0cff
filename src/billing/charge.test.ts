/** What a charge by hand captures, what it leaves on the balance, and what its answer leads to. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  approved,
  at,
  declined,
  having,
  keysOf,
  type Lived,
  signedUp,
  written,
  wrong,
} from '../../test/support/story-facts.ts'
import type { Changes, SettledOutcome } from './changes.ts'
import { type Charge, decideCharge } from './charge.ts'
import type { Transaction } from './ledger.ts'
import { cents } from './money.ts'
import { noCardOnFile } from './payment-attempt.ts'
import { Refusal } from './refusal.ts'
import { settlements } from './settlement.ts'
import { type SubscriptionState, subscriptionStates } from './subscription.ts'
import type { Tax } from './tax.ts'

const now = at('2026-02-10T08:00:00Z')

const charge = (change: Partial<Charge> = {}): Charge => ({
  amount: cents(100),
  memo: 'Setup help',
  useNegativeBalance: false,
  delayCapture: false,
  accrueOnFailure: false,
  taxable: false,
  collectionMethod: null,
  ...change,
})

const owing = (balance: number, change: Parameters<typeof having>[1] = {}): Lived =>
  having(signedUp(), { balance: cents(balance), ...change })

const told = ({ type, kind, amount, startingBalance, endingBalance }: Transaction) =>
  `${type}/${kind} ${amount} ${startingBalance}→${endingBalance}`

const rowsOf = (changes: Changes): string[] => (changes.transactions ?? []).map(told)

/** Both halves: decided, and settled with the outcome. */
function charged(
  lived: Lived,
  asked: Charge,
  outcome: SettledOutcome = approved,
): { asked: Changes; settled: Changes } {
  const decided = decideCharge(lived.facts, asked, now, lived.ids)
  if (decided.attempt === undefined) return { asked: decided, settled: decided }
  const after = written(lived, decided)
  // What a settlement reads comes back from the database as JSON.
  const attempt = { ...decided.attempt, intent: JSON.parse(JSON.stringify(decided.attempt.intent)) }
  return { asked: decided, settled: settlements.charge(after.facts, attempt, outcome, now, lived.ids) }
}

const refusalOf = (work: () => unknown): readonly string[] => {
  try {
    work()
  } catch (error) {
    if (error instanceof Refusal) return error.messages
    throw error
  }
  return []
}

describe('a charge that is captured at once', () => {
  test('recorded ledger of 14593192: one_time 100 leads from 15000 to 15100, and only the 100 is captured', () => {
    const { asked, settled } = charged(owing(15_000), charge())
    assert.deepEqual([asked.attempt?.amount, asked.attempt?.reason, rowsOf(asked)], [100, 'charge', []])
    assert.deepEqual(rowsOf(settled), ['charge/one_time 100 15000→15100', 'payment/one_time 100 15100→15000'])
    const [line, payment] = settled.transactions ?? []
    assert.deepEqual([line?.memo, payment?.memo], ['Setup help', 'Payment for: Setup help'])
    assert.equal(payment?.coversAfterId, line!.id - 1, 'the charge is covered by the payment')
    assert.deepEqual(keysOf(settled), ['payment_success'])
    assert.equal(settled.subscription?.totalRevenue, 5100)
    assert.equal(settled.subscription?.openStatementTotal, 100)
    assert.equal(settled.subscription?.collectingAttemptId, null)
  })

  test('takes the card whatever credit there is, and the credit stays', () => {
    const { settled } = charged(owing(-1000), charge())
    assert.deepEqual(rowsOf(settled), ['charge/one_time 100 -1000→-900', 'payment/one_time 100 -900→-1000'])
    assert.equal(settled.transactions?.[1]?.coversAfterId, settled.transactions![0]!.id - 1)
  })

  test('takes credit first where that is asked for, and captures the rest', () => {
    const withCredit = { useNegativeBalance: true, amount: cents(2500) }
    assert.deepEqual(rowsOf(charged(owing(-1000), charge(withCredit)).settled), [
      'charge/one_time 2500 -1000→1500',
      'payment/one_time 1500 1500→0',
    ])
    assert.deepEqual(rowsOf(charged(owing(-2500), charge(withCredit)).settled), ['charge/one_time 2500 -2500→0'])
    assert.deepEqual(rowsOf(charged(owing(700), charge(withCredit)).settled), [
      'charge/one_time 2500 700→3200',
      'payment/one_time 2500 3200→700',
    ])
  })

  test('of 0 is written and asks nobody', () => {
    assert.deepEqual(rowsOf(charged(owing(0), charge({ amount: cents(0) })).asked), ['charge/one_time 0 0→0'])
  })

  test('is taxed where it is taxable, and the tax is captured with it', () => {
    const tax: Tax = { siteId: 1, id: 4, name: 'CO Tax', rate: '8.845', country: 'US', state: 'CO' }
    const lived = owing(0)
    const facts = { ...lived.facts, pricing: { ...lived.facts.pricing, taxes: [tax] } }
    const taxed = charged({ ...lived, facts }, charge({ amount: cents(2000), taxable: true })).settled
    assert.deepEqual(rowsOf(taxed), [
      'charge/one_time 2000 0→2000',
      'charge/tax 177 2000→2177',
      'payment/one_time 2177 2177→0',
    ])
    assert.equal(
      taxed.transactions?.[2]?.coversAfterId,
      taxed.transactions![0]!.id - 1,
      'the payment covers the tax too',
    )
    const untaxed = charged({ ...lived, facts }, charge({ amount: cents(2000) })).settled
    assert.deepEqual(rowsOf(untaxed), ['charge/one_time 2000 0→2000', 'payment/one_time 2000 2000→0'])
  })
})

describe('a charge that is not captured', () => {
  test('leaves the failed payment alone when it is declined', () => {
    const { settled } = charged(owing(300), charge(), declined)
    assert.deepEqual(rowsOf(settled), ['payment/null 100 300→300'])
    assert.deepEqual([settled.transactions?.[0]?.success, settled.transactions?.[0]?.memo], [false, declined.message])
    assert.deepEqual(keysOf(settled), ['payment_failure'])
    assert.equal(settled.subscription?.balance, 300)
    assert.equal(settled.subscription?.collectingAttemptId, null)
  })

  test('leaves nothing when the gateway fails', () => {
    const { settled } = charged(owing(300), charge(), wrong)
    assert.deepEqual([rowsOf(settled), keysOf(settled)], [[], []])
    assert.deepEqual([settled.subscription?.balance, settled.subscription?.collectingAttemptId], [300, null])
  })

  for (const [outcome, rows, told] of [
    [declined, ['payment/null 100 400→400'], ['payment_failure']],
    [wrong, [], []],
  ] as const) {
    test(`stays on the balance when it may accrue and is ${outcome.result}`, () => {
      const { settled } = charged(owing(300), charge({ accrueOnFailure: true }), outcome)
      assert.deepEqual(rowsOf(settled), ['charge/delay_capture 100 300→400', ...rows])
      assert.deepEqual(keysOf(settled), told)
      assert.equal(settled.subscription?.openStatementTotal, 100)
    })
  }

  test('was there first: it accrues, or is paid, on a subscription that was canceled while the gateway was asked', () => {
    const lived = owing(0)
    const { attempt, subscription } = decideCharge(lived.facts, charge({ accrueOnFailure: true }), now, lived.ids)
    const canceled = having(written(lived, { subscription: subscription! }), { state: 'canceled' }).facts
    assert.deepEqual(rowsOf(settlements.charge(canceled, attempt!, declined, now, lived.ids)), [
      'charge/delay_capture 100 0→100',
      'payment/null 100 100→100',
    ])
    assert.deepEqual(rowsOf(settlements.charge(canceled, attempt!, approved, now, lived.ids)), [
      'charge/one_time 100 0→100',
      'payment/one_time 100 100→0',
    ])
  })

  test('recorded ledger of 14900541: delay_capture 100 leads from 2750 to 2850 without a payment', () => {
    const { asked } = charged(owing(2750), charge({ delayCapture: true }))
    assert.deepEqual(rowsOf(asked), ['charge/delay_capture 100 2750→2850'])
    assert.equal(asked.attempt, undefined)
  })

  test('recorded ledger of 14823387: on invoice, one_time 5000 leads from -7823 to -2823 without a payment', () => {
    const byInvoice = owing(-7823, { paymentCollectionMethod: 'invoice' })
    assert.deepEqual(rowsOf(charged(byInvoice, charge({ amount: cents(5000) })).asked), [
      'charge/one_time 5000 -7823→-2823',
    ])
  })

  test('the charge itself says who collects it, before the subscription does', () => {
    assert.equal(charged(owing(0), charge({ collectionMethod: 'invoice' })).asked.attempt, undefined)
    const byInvoice = owing(0, { paymentCollectionMethod: 'invoice' })
    assert.equal(charged(byInvoice, charge({ collectionMethod: 'automatic' })).asked.attempt?.amount, 100)
  })

  test('without a card it is refused, or accrues with a note in place of the payment', () => {
    const lived = owing(0)
    const bare = { ...lived, facts: { ...lived.facts, card: null } }
    assert.deepEqual(
      refusalOf(() => charged(bare, charge())),
      [noCardOnFile],
    )
    const { asked } = charged(bare, charge({ accrueOnFailure: true }))
    assert.deepEqual(rowsOf(asked), ['charge/delay_capture 100 0→100', 'info/null 0 100→100'])
  })

  test('it is refused in every state in which nothing falls due', () => {
    const charges = (state: SubscriptionState): boolean =>
      refusalOf(() => charged(owing(0, { state }), charge({ delayCapture: true }))).length === 0
    assert.deepEqual(subscriptionStates.filter(charges), ['trialing', 'active', 'past_due', 'soft_failure', 'unpaid'])
  })
})

test('whatever is charged, the balance moves by what was charged less what was captured', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -5000, max: 5000 }),
      fc.integer({ min: 0, max: 5000 }),
      fc.record({ useNegativeBalance: fc.boolean(), delayCapture: fc.boolean(), accrueOnFailure: fc.boolean() }),
      fc.constantFrom(approved, declined, wrong),
      (balance, amount, how, outcome) => {
        const { asked, settled } = charged(owing(balance), charge({ ...how, amount: cents(amount) }), outcome)
        const captured = asked.attempt?.amount ?? 0
        const isCharged = asked.attempt === undefined || outcome.result === 'approved' || how.accrueOnFailure
        const paid = outcome.result === 'approved' ? captured : 0
        assert.equal(settled.subscription?.balance, balance + (isCharged ? amount : 0) - paid)
        if (how.useNegativeBalance && !how.delayCapture)
          assert.equal(captured, Math.max(0, amount - Math.max(0, -balance)))
      },
    ),
  )
})
