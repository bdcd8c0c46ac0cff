/** Who may come back, at what price, with which dates; and what a payment that failed leaves. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { holding, meteredComponent, pricedWith, quantityComponent } from '../../test/support/component-facts.ts'
import { percentOff } from '../../test/support/coupons-and-taxes.ts'
import {
  approved,
  at,
  declined,
  having,
  keysOf,
  type Lived,
  product,
  signedUp,
  written,
} from '../../test/support/story-facts.ts'
import { cents } from './money.ts'
import { decideReactivation, decideReactivationPayment, type Reactivation } from './reactivation.ts'
import { Refusal } from './refusal.ts'
import { may, type Subscription, subscriptionStates } from './subscription.ts'

const plain: Reactivation = {
  includeTrial: false,
  preserveBalance: false,
  resume: false,
  requireResume: false,
  forgiveBalance: false,
  coupon: null,
}
const canceledAt = at('2026-06-15T00:00:00Z')

const canceled = (change: Partial<Subscription> = {}, terms: Parameters<typeof signedUp>[0] = {}): Lived =>
  having(signedUp({ now: '2026-06-01T00:00:00Z', ...terms }), { state: 'canceled', canceledAt, ...change })

/** Both halves: decided, and settled where money was due. */
function reactivated(lived: Lived, wish: Partial<Reactivation> = {}, moment = '2026-07-02T00:00:00Z') {
  const changes = decideReactivation(lived.facts, { ...plain, ...wish }, at(moment), lived.ids)
  const { attempt } = changes
  if (attempt === undefined) return { asked: 0, changes, after: changes.subscription! }
  const intent = JSON.parse(JSON.stringify(attempt.intent)) as typeof attempt.intent
  const settled = decideReactivationPayment(
    written(lived, changes).facts,
    { ...attempt, intent },
    approved,
    at(moment),
    lived.ids,
  )
  return { asked: attempt.amount, changes: settled, after: settled.subscription! }
}

const rows = ({ changes }: ReturnType<typeof reactivated>) =>
  changes.transactions?.map(({ type, kind, amount, endingBalance }) => [`${type}/${kind}`, amount, endingBalance])

describe('a reactivation', () => {
  test('is for three states', () => {
    for (const state of subscriptionStates) {
      const lived = canceled({ state })
      const reactivate = () => reactivated(lived)
      if (may('reactivate', state)) assert.equal(reactivate().after.state, 'active')
      else assert.throws(reactivate, /^Refusal: Cannot reactivate a subscription that is not marked/, state)
    }
  })

  test('charges one period from now on, which the next ones are counted from', () => {
    const { asked, changes, after } = reactivated(canceled())
    assert.equal(asked, 5000)
    assert.deepEqual(
      [after.periodNumber, String(after.currentPeriodStartedAt), String(after.currentPeriodEndsAt)],
      [2, '2026-07-02T00:00:00Z', '2026-08-02T00:00:00Z'],
    )
    assert.deepEqual([String(after.anchorAt), after.anchorPeriodNumber], ['2026-07-02T00:00:00Z', 2])
    assert.ok(after.nextAssessmentAt.equals(after.currentPeriodEndsAt))
    assert.equal(changes.periods?.[0]?.begunBy, 'reactivation')
    assert.deepEqual(keysOf(changes), ['subscription_state_change', 'payment_success', 'statement_settled'])
    assert.equal(after.totalRevenue, 10_000)
  })

  test('forgets the cancellation and the dunning, and settles what was waiting for money', () => {
    const noted = { cancellationMessage: 'Bye', cancellationMethod: 'dunning', reasonCode: 'R' } as const
    const dunned = { retryAt: canceledAt, dunningAttempts: 3, dunningSince: canceledAt }
    const late = { cancelAtEndOfPeriod: true, delayedCancelAt: canceledAt, ...dunned }
    for (const wish of [{}, { requireResume: true }]) {
      const lived = canceled({ ...noted, ...late })
      const facts = { ...lived.facts, unsettledStatements: [{ id: 77, owed: cents(1_000_000) }] }
      const { changes, after } = reactivated({ facts, ids: lived.ids }, wish, '2026-06-20T00:00:00Z')
      const { cancellationMessage, cancellationMethod, reasonCode, cancelAtEndOfPeriod, delayedCancelAt } = after
      assert.deepEqual(
        [cancellationMessage, cancellationMethod, reasonCode, after.canceledAt],
        [null, null, null, null],
      )
      assert.deepEqual(
        [cancelAtEndOfPeriod, delayedCancelAt, after.retryAt, after.dunningAttempts, after.dunningSince],
        [false, null, null, 0, null],
      )
      assert.ok(changes.statements?.some(({ id, settledAt }) => id === 77 && settledAt !== null))
    }
  })

  test('owing $20 with a $20 product: $40 are charged when the balance is kept, $20 when it is not', () => {
    const twenty = { product: product({ price: cents(2000) }) }
    const owing = canceled({ balance: cents(2000) }, twenty)
    assert.deepEqual(rows(reactivated(owing, { preserveBalance: true })), [
      ['charge/baseline', 2000, 4000],
      ['payment/null', 4000, 0],
    ])
    assert.deepEqual(rows(reactivated(owing)), [
      ['adjustment/null', -2000, 0],
      ['charge/baseline', 2000, 2000],
      ['payment/null', 2000, 0],
    ])
  })

  test('a credit of $19 with a $19 product: kept it pays the period, forgotten it is written off', () => {
    const credit = canceled({ balance: cents(-1900) }, { product: product({ price: cents(1900) }) })
    const kept = reactivated(credit, { preserveBalance: true })
    assert.deepEqual([kept.asked, rows(kept)], [0, [['charge/baseline', 1900, 0]]])
    assert.deepEqual(rows(reactivated(credit)), [
      ['adjustment/null', 1900, 0],
      ['charge/baseline', 1900, 1900],
      ['payment/null', 1900, 0],
    ])
  })

  test('created on June 1 and canceled on June 15 it can be resumed on June 28, not on July 2', () => {
    const resumed = reactivated(canceled(), { resume: true }, '2026-06-28T00:00:00Z')
    assert.deepEqual([resumed.asked, resumed.after.periodNumber, rows(resumed)], [0, 1, []])
    assert.equal(resumed.after.nextAssessmentAt, resumed.after.currentPeriodEndsAt)
    assert.deepEqual(keysOf(resumed.changes), ['subscription_state_change'])
    assert.equal(reactivated(canceled(), { resume: true }, '2026-07-02T00:00:00Z').after.periodNumber, 2)
    assert.throws(
      () => reactivated(canceled(), { requireResume: true }, '2026-07-01T00:00:00Z'),
      new Refusal('invalid', ["Request was 'resume only', but this subscription cannot be resumed."]),
    )
  })

  test('resumed, it collects what is owed, unless that is forgiven', () => {
    const owing = canceled({ balance: cents(700) })
    const moment = '2026-06-28T00:00:00Z'
    assert.deepEqual(rows(reactivated(owing, { resume: true }, moment)), [['payment/null', 700, 0]])
    const forgiven = reactivated(owing, { resume: true, forgiveBalance: true }, moment)
    assert.deepEqual(rows(forgiven), [['adjustment/null', -700, 0]])
    assert.equal(forgiven.after.openStatementTotal, -700)
  })

  test('no setup fee, no usage of the period that was not finished; quantities as ever', () => {
    const pricing = pricedWith(holding(quantityComponent(), '3'), holding(meteredComponent(), '0', '1000'))
    const terms = { pricing, product: product({ initialCharge: cents(900) }) }
    const back = reactivated(canceled({ initialChargeDue: true }, terms))
    assert.deepEqual(
      rows(back)?.map(([kind]) => kind),
      ['charge/baseline', 'charge/quantity_based_component', 'payment/null'],
    )
    assert.equal(back.changes.billedUsage?.length, 1)
  })

  test('into a trial the price of the trial alone, and the paid periods are counted from its end', () => {
    const trial = { price: cents(300), interval: { count: 10, unit: 'day' }, type: 'payment_expected' } as const
    const terms = {
      product: product({ trial, initialCharge: cents(900), initialChargeAfterTrial: true }),
      pricing: pricedWith(holding(quantityComponent(), '3')),
    }
    const back = reactivated(canceled({}, terms), { includeTrial: true })
    assert.deepEqual(rows(back), [
      ['charge/trial', 300, 300],
      ['payment/null', 300, 0],
    ])
    const { state, anchorPeriodNumber, anchorAt, trialEndedAt, initialChargeDue } = back.after
    assert.deepEqual([state, anchorPeriodNumber, initialChargeDue], ['trialing', 3, false])
    assert.deepEqual([String(anchorAt), String(trialEndedAt)], ['2026-07-12T00:00:00Z', '2026-07-12T00:00:00Z'])
  })

  test('a coupon that comes with it is used for the first time, and redeemed', () => {
    const { after, asked, changes } = reactivated(canceled(), { coupon: percentOff('50') })
    assert.equal(asked, 2500)
    assert.deepEqual(changes.subscriptionCoupons, [
      { siteId: 1, subscriptionId: 9, couponId: 70, place: 1, code: 'SAVE', useCount: 1, usesAllowed: null },
    ])
    assert.deepEqual(
      changes.redemptions?.map(({ couponId, subscriptionId }) => [couponId, subscriptionId]),
      [[70, after.id]],
    )
  })

  test('by invoice nobody is asked; the statement closes unpaid', () => {
    const back = reactivated(canceled({ paymentCollectionMethod: 'invoice' }, { card: null }))
    assert.deepEqual([back.asked, back.after.balance], [0, 5000])
    assert.deepEqual(keysOf(back.changes), ['subscription_state_change', 'statement_closed', 'invoice_issued'])
  })

  test('without a card for what is due it is refused', () => {
    const lived = canceled({}, { card: null, collectionMethod: 'invoice' })
    const bare = having(lived, { paymentCollectionMethod: 'automatic' })
    assert.throws(() => reactivated(bare), /^Refusal: The credit card on file could not be charged\.$/)
  })

  test('declined, nothing stays but the failed payment and its event', () => {
    const lived = canceled()
    const { attempt, ...asked } = decideReactivation(lived.facts, plain, at('2026-07-02T00:00:00Z'), lived.ids)
    assert.deepEqual(Object.keys(asked), ['subscription'])
    const { facts } = written(lived, asked)
    const settled = decideReactivationPayment(facts, attempt!, declined, at('2026-07-02T00:00:05Z'), lived.ids)
    const { updatedAt: _, coveredThroughId: __, ...after } = settled.subscription!
    const { updatedAt: ___, coveredThroughId: ____, ...before } = lived.facts.subscription
    assert.deepEqual(after, before)
    assert.deepEqual(
      settled.transactions?.map(({ type, success }) => [type, success]),
      [['payment', false]],
    )
    assert.deepEqual(keysOf(settled), ['payment_failure'])
  })

  test('a trial that led nowhere gets a statement for its return, closed and settled, and the next one', () => {
    const lived = canceled({ state: 'trial_ended', openStatementId: null })
    const { changes, after } = reactivated(lived)
    assert.deepEqual(
      changes.newStatements?.map(({ closedAt, total }) => [closedAt !== null, total]),
      [
        [true, 5000],
        [false, 0],
      ],
    )
    assert.deepEqual([after.openStatementId, changes.statements], [changes.newStatements?.[1]?.id, []])
  })
})
