/** When a subscription may be put on hold, when it goes on, and at what price. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { holding, meteredComponent, pricedWith } from '../../test/support/component-facts.ts'
import {
  approved,
  assessed,
  at,
  declined,
  having,
  keysOf,
  type Lived,
  product,
  signedUp,
  written,
} from '../../test/support/story-facts.ts'
import { decideHold, decideHoldChange, decideResumption, decideResumptionPayment } from './hold.ts'
import { cents } from './money.ts'
import { may, type Subscription, subscriptionStates } from './subscription.ts'

const begun = { now: '2026-06-01T00:00:00Z' }
const hold = (lived: Lived, moment: string, resumeAt: string | null = null) =>
  decideHold(lived.facts, resumeAt === null ? null : at(resumeAt), at(moment), lived.ids)

const held = (change: Partial<Subscription> = {}, terms: Parameters<typeof signedUp>[0] = {}): Lived =>
  having(signedUp({ ...begun, ...terms }), { state: 'on_hold', onHoldAt: at('2026-06-10T00:00:00Z'), ...change })

/** Both halves: decided, and settled where money was due. */
function resumed(lived: Lived, moment: string, outcome: typeof approved | typeof declined = approved) {
  const changes = decideResumption(lived.facts, at(moment), lived.ids)
  const { attempt } = changes
  if (attempt === undefined) return { asked: 0, changes, after: changes.subscription! }
  const { facts } = written(lived, changes)
  const settled = decideResumptionPayment(facts, attempt, outcome, at(moment), lived.ids)
  return { asked: attempt.amount, changes: settled, after: settled.subscription! }
}

describe('a hold', () => {
  test('is for two states', () => {
    for (const state of subscriptionStates) {
      const act = () => hold(having(signedUp(begun), { state }), '2026-06-10T00:00:00Z')
      if (may('hold', state)) assert.deepEqual(keysOf(act()), ['subscription_state_change'])
      else assert.throws(act, /^Refusal: This subscription is not eligible to be put on hold\.$/, state)
    }
  })

  test('begins a day before the next billing date at the latest, and never before a cancellation', () => {
    assert.equal(hold(signedUp(begun), '2026-06-30T00:00:00Z').subscription?.state, 'on_hold')
    assert.throws(() => hold(signedUp(begun), '2026-06-30T00:00:01Z'), /not eligible/)
    const leaving = having(signedUp(begun), { cancelAtEndOfPeriod: true })
    assert.throws(() => hold(leaving, '2026-06-10T00:00:00Z'), /not eligible/)
  })

  test('waits for a payment that is under way', () => {
    const asked = having(signedUp(begun), { collectingAttemptId: 5 })
    assert.throws(() => hold(asked, '2026-06-10T00:00:00Z'), /is being processed/)
  })

  test('ends by itself a day later at the earliest, which may be changed and called off', () => {
    const { subscription } = hold(signedUp(begun), '2026-06-10T00:00:00Z', '2026-06-11T00:00:00Z')
    assert.equal(String(subscription?.nextAssessmentAt), '2026-06-11T00:00:00Z')
    assert.throws(() => hold(signedUp(begun), '2026-06-10T00:00:01Z', '2026-06-11T00:00:00Z'), /at least 24 hours/)
    const { facts, ids } = held({ automaticallyResumeAt: at('2026-06-20T00:00:00Z') })
    const off = decideHoldChange(facts, null, at('2026-06-12T00:00:00Z'), ids).subscription!
    assert.deepEqual([off.automaticallyResumeAt, off.nextAssessmentAt], [null, off.currentPeriodEndsAt])
    assert.deepEqual(decideHoldChange(facts, undefined, at('2026-06-12T00:00:00Z'), ids), {})
  })
})

describe('a resumption', () => {
  test('a second before the billing date keeps the dates; at the date it begins a period and pays', () => {
    const early = resumed(held(), '2026-06-30T23:59:59Z')
    assert.deepEqual([early.asked, early.after.state, early.after.periodNumber], [0, 'active', 1])
    const late = resumed(held(), '2026-07-01T00:00:00Z')
    assert.deepEqual(
      [late.asked, late.after.state, late.after.periodNumber, late.after.onHoldAt],
      [5000, 'active', 2, null],
    )
    assert.equal(late.changes.periods?.[0]?.begunBy, 'resumption')
    const told = ['subscription_state_change', 'renewal_success', 'payment_success', 'statement_settled']
    assert.deepEqual(keysOf(late.changes), told)
    assert.equal(late.after.totalRevenue, 10_000)
  })

  test('settles what was waiting for money', () => {
    const { facts, ids } = held()
    const { changes } = resumed(
      { facts: { ...facts, unsettledStatements: [{ id: 77, owed: cents(1_000_000) }] }, ids },
      '2026-07-05T00:00:00Z',
    )
    assert.ok(changes.statements?.some(({ id, settledAt }) => id === 77 && settledAt !== null))
  })

  test('collects what was owed before, and credit pays first', () => {
    assert.equal(resumed(held({ balance: cents(100) }), '2026-07-05T00:00:00Z').asked, 5100)
    const credit = resumed(held({ balance: cents(-6000) }), '2026-07-05T00:00:00Z')
    assert.deepEqual([credit.asked, credit.after.balance, credit.after.state], [0, -1000, 'active'])
    const invoiced = held({ paymentCollectionMethod: 'invoice' })
    assert.equal(resumed(invoiced, '2026-07-05T00:00:00Z').after.balance, 5000)
  })

  test('bills the usage that was waiting', () => {
    const lived = held({}, { pricing: pricedWith(holding(meteredComponent(), '0', '1000')) })
    const { changes } = resumed(lived, '2026-07-05T00:00:00Z')
    assert.deepEqual(
      changes.transactions?.map(({ kind }) => kind),
      ['baseline', 'metered_component', null],
    )
    assert.equal(changes.billedUsage?.length, 1)
  })

  test('of a trial whose end has passed activates, with the setup fee that was to come', () => {
    const trial = { price: cents(0), interval: { count: 10, unit: 'day' }, type: 'no_obligation' } as const
    const lived = held({}, { product: product({ trial, initialCharge: cents(900), initialChargeAfterTrial: true }) })
    const { asked, after } = resumed(lived, '2026-06-20T00:00:00Z')
    assert.deepEqual([asked, after.state, String(after.activatedAt)], [5900, 'active', '2026-06-20T00:00:00Z'])
    assert.equal(resumed(lived, '2026-06-10T12:00:00Z').after.state, 'trialing')
  })

  test('that is declined leaves it on hold, with the failed payment', () => {
    const { changes, after } = resumed(held(), '2026-07-05T00:00:00Z', declined)
    assert.deepEqual([after.state, after.balance, after.periodNumber], ['on_hold', 0, 1])
    assert.deepEqual(keysOf(changes), ['payment_failure'])
  })

  test('of what has expired meanwhile ends it; of nothing held, and without a card, it is refused', () => {
    const expired = resumed(held({ expiresAt: at('2026-07-04T00:00:00Z') }), '2026-07-04T00:00:00Z')
    assert.deepEqual([expired.asked, expired.after.state, expired.after.onHoldAt], [0, 'expired', null])
    assert.throws(() => resumed(signedUp(begun), '2026-07-04T00:00:00Z'), /Only subscriptions that are on hold/)
    const { facts, ids } = held()
    const bare = { facts: { ...facts, card: null }, ids }
    assert.throws(() => resumed(bare, '2026-07-05T00:00:00Z'), /could not be charged/)
  })
})

describe('a hold that ends by itself', () => {
  const until = (moment: string, change: Partial<Subscription> = {}): Lived =>
    held({ automaticallyResumeAt: at(moment), nextAssessmentAt: at(moment), ...change })

  test('goes by its own moment, however late it is looked at', () => {
    const { facts, ids } = until('2026-06-20T00:00:00Z')
    const { changes } = assessed({ facts: { ...facts }, ids })
    const { state, nextAssessmentAt, automaticallyResumeAt } = changes.subscription!
    assert.deepEqual([state, String(nextAssessmentAt), automaticallyResumeAt], ['active', '2026-07-01T00:00:00Z', null])
  })

  test('after the billing date a period begins then, and a card that fails makes it past due', () => {
    const { changes, settled } = assessed(until('2026-07-10T00:00:00Z'), declined)
    assert.deepEqual(
      [String(changes.periods?.[0]?.startedAt), changes.periods?.[0]?.begunBy],
      ['2026-07-10T00:00:00Z', 'resumption'],
    )
    assert.deepEqual(keysOf(changes), ['subscription_state_change'])
    assert.equal(settled.subscription?.state, 'past_due')
  })

  test('has expired if that day has come first', () => {
    const { changes } = assessed(until('2026-07-10T00:00:00Z', { expiresAt: at('2026-07-10T00:00:00Z') }))
    assert.deepEqual([changes.subscription?.state, changes.subscription?.periodNumber], ['expired', 1])
  })
})

test('what goes on names its payment, and revenue rises by that; what credit covers names its charge and adds nothing', () => {
  const told = (balance: number) => {
    const { asked, changes, after } = resumed(
      held({ balance: cents(balance), totalRevenue: cents(100) }),
      '2026-07-05T00:00:00Z',
    )
    const renewal = changes.events!.find(({ key }) => key === 'renewal_success')
    const payment = changes.transactions!.find(({ type }) => type === 'payment')
    const charge = changes.transactions!.find(({ kind }) => kind === 'baseline')
    assert.equal(renewal?.eventSpecificData?.account_transaction_id, (payment ?? charge)?.id)
    return [asked, payment?.amount, after.totalRevenue]
  }
  assert.deepEqual(told(0), [5000, 5000, 5100])
  assert.deepEqual(told(-4999), [1, 1, 101])
  assert.deepEqual(told(-5000), [0, undefined, 100])
})
