/** What an assessment decides: the next period, whether a gateway is asked, and how a subscription ends. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  assessed,
  at,
  card,
  declined,
  having,
  keysOf,
  product,
  signedUp,
  written,
  wrong,
} from '../../test/support/story-facts.ts'
import { BrokenInvariant } from './assert.ts'
import type { ProductTerms } from './catalog.ts'
import { cents } from './money.ts'
import { decideAssessment, nextPeriod } from './renewal.ts'
import type { SubscriptionState } from './subscription.ts'

const freeTrial = (type: 'no_obligation' | 'payment_expected'): Partial<ProductTerms> => ({
  requireCreditCard: false,
  trial: { price: cents(0), interval: { count: 7, unit: 'day' }, type },
})

describe('a renewal', () => {
  test('puts charge, period and attempt on record before anybody is asked, and advances the period', () => {
    const lived = signedUp()
    const { changes } = assessed(lived)
    const { subscription, attempt } = changes
    assert.deepEqual(
      changes.transactions?.map(({ kind, amount }) => [kind, Number(amount)]),
      [['baseline', 5000]],
    )
    assert.deepEqual([attempt?.reason, attempt?.amount, attempt?.periodNumber], ['renewal', 5000, 2])
    assert.equal(subscription?.collectingAttemptId, attempt?.id)
    assert.equal(String(subscription?.currentPeriodStartedAt), '2026-02-28T12:00:00Z')
    assert.equal(String(subscription?.currentPeriodEndsAt), '2026-03-31T12:00:00Z')
    assert.deepEqual(keysOf(changes), [])
    assert.deepEqual(changes.statements, [])
  })

  test('starts its period where the last one ended, however late it is', () => {
    const { facts, ids } = signedUp()
    const late = at('2026-02-28T18:00:00Z')
    const { subscription, periods, transactions } = decideAssessment(facts, late, ids)
    assert.equal(String(subscription?.currentPeriodStartedAt), '2026-02-28T12:00:00Z')
    assert.ok(periods?.[0]?.assessedAt.equals(late) && transactions?.[0]?.createdAt.equals(late))
  })

  test('asks for the whole balance, old debts included', () => {
    const owing = having(signedUp(), { balance: cents(1234) })
    assert.equal(assessed(owing).changes.attempt?.amount, 6234)
  })

  test('takes less where there is credit, and asks nobody where credit covers all', () => {
    assert.equal(assessed(having(signedUp(), { balance: cents(-4999) })).changes.attempt?.amount, 1)
    const { changes } = assessed(having(signedUp(), { balance: cents(-5000) }))
    assert.equal(changes.attempt, undefined)
    assert.deepEqual(keysOf(changes), ['renewal_success', 'statement_settled'])
    assert.equal(changes.subscription?.balance, 0)
  })

  test('is what its preview reads: the same period and lines', () => {
    const lived = signedUp({
      product: product({ initialCharge: cents(700), initialChargeAfterTrial: true, ...freeTrial('payment_expected') }),
    })
    const { period, number, assessment } = nextPeriod(lived.facts)
    const { changes } = assessed(lived)
    assert.deepEqual(
      changes.transactions?.map(({ memo, amount }) => [memo, amount]),
      assessment.lines.map(({ memo, amount }) => [memo, amount]),
    )
    assert.deepEqual(
      changes.periods?.map((one) => [one.number, String(one.endsAt)]),
      [[number, String(period.endsAt)]],
    )
  })

  test('charges the setup fee that waited for the trial once', () => {
    const terms = product({
      initialCharge: cents(700),
      initialChargeAfterTrial: true,
      ...freeTrial('payment_expected'),
    })
    const first = assessed(signedUp({ product: terms }))
    const second = assessed(first)
    const kinds = [first, second].map(({ changes }) => changes.transactions?.map(({ kind }) => kind))
    assert.deepEqual(kinds, [['baseline', 'initial'], ['baseline']])
  })

  test('never goes back in time: what is on record already is not followed by something earlier', () => {
    const seen = at('2026-03-05T00:00:00Z')
    const { facts, ids } = having(signedUp(), { updatedAt: seen })
    const { transactions, periods } = decideAssessment(facts, at('2026-02-28T12:00:00Z'), ids)
    assert.ok(transactions?.[0]?.createdAt.equals(seen) && periods?.[0]?.assessedAt.equals(seen))
  })
})

describe('without a card', () => {
  const lived = () =>
    having(signedUp({ product: product({ price: cents(0), requireCreditCard: false }), card: null }), {
      balance: cents(300),
    })

  test('an info row stands where the payment would, and nobody is asked', () => {
    const { changes } = assessed(lived())
    assert.deepEqual(
      changes.transactions?.map(({ type, amount }) => [type, Number(amount)]),
      [
        ['charge', 0],
        ['info', 0],
      ],
    )
    assert.equal(changes.attempt, undefined)
    assert.equal(changes.subscription?.state, 'past_due')
  })

  test('the renewal fails, but no payment did', () => {
    const keys = ['renewal_failure', 'subscription_state_change', 'statement_closed']
    assert.deepEqual(keysOf(assessed(lived()).changes), keys)
  })
})

describe('the end of a trial', () => {
  type End = {
    type: 'no_obligation' | 'payment_expected'
    hasCard?: boolean
    balance?: number
    answer?: typeof declined
  }
  const stateAfter = ({ type, hasCard = false, balance = 0, answer }: End): [SubscriptionState, boolean] => {
    const lived = having(signedUp({ product: product(freeTrial(type)), card: hasCard ? card : null }), {
      balance: cents(balance),
    })
    const { state, activatedAt } = assessed(lived, answer).facts.subscription
    return [state, activatedAt !== null]
  }
  const cases: [title: string, end: End, state: SubscriptionState, isActivated: boolean][] = [
    ['with a card that pays is active', { type: 'no_obligation', hasCard: true }, 'active', true],
    [
      'with a declined card is unpaid when it obliged to nothing',
      { type: 'no_obligation', hasCard: true, answer: declined },
      'unpaid',
      true,
    ],
    [
      'with a declined card is past due when payment was expected',
      { type: 'payment_expected', hasCard: true, answer: declined },
      'past_due',
      true,
    ],
    [
      'with a gateway in trouble is a soft failure',
      { type: 'no_obligation', hasCard: true, answer: wrong },
      'soft_failure',
      true,
    ],
    ['without a card ends for good when it obliged to nothing', { type: 'no_obligation' }, 'trial_ended', false],
    ['without a card and with too little credit too', { type: 'no_obligation', balance: -4999 }, 'trial_ended', false],
    [
      'without a card is active when credit covers all that is due',
      { type: 'no_obligation', balance: -5000 },
      'active',
      true,
    ],
    ['without a card is past due when payment was expected', { type: 'payment_expected' }, 'past_due', true],
  ]
  for (const [title, end, state, isActivated] of cases) {
    test(title, () => assert.deepEqual(stateAfter(end), [state, isActivated]))
  }

  test('for good charges nothing, begins no period, and closes its statement without a word', () => {
    const lived = signedUp({ product: product(freeTrial('no_obligation')), card: null })
    const { changes } = assessed(lived)
    assert.deepEqual([changes.transactions, changes.periods, changes.newStatements], [[], undefined, []])
    assert.deepEqual(keysOf(changes), ['subscription_state_change'])
    assert.ok(changes.statements?.[0]?.closedAt)
    assert.equal(changes.subscription?.openStatementId, null)
  })

  test('is when it was activated, however late the assessment', () => {
    const { facts, ids } = signedUp({ product: product(freeTrial('payment_expected')) })
    const { subscription } = decideAssessment(facts, at('2026-03-01T00:00:00Z'), ids)
    assert.equal(String(subscription?.activatedAt), '2026-02-07T12:00:00Z')
  })
})

describe('an end', () => {
  const lived = signedUp()
  const end = lived.facts.subscription.currentPeriodEndsAt
  const dunned = { retryAt: end, dunningAttempts: 2, dunningSince: end }

  for (const [state, change] of [
    ['canceled', { cancelAtEndOfPeriod: true, delayedCancelAt: end }],
    ['expired', { expiresAt: end }],
  ] as const) {
    test(`as ${state} charges nothing and leaves dates, balance and statement as they are`, () => {
      const before = having(lived, { ...change, balance: cents(70), ...dunned })
      const { changes } = assessed(before)
      const { subscription } = before.facts
      assert.deepEqual([changes.transactions, changes.periods, changes.statements], [[], undefined, []])
      assert.deepEqual(keysOf(changes), ['subscription_state_change'])
      const {
        state: ended,
        canceledAt,
        cancellationMethod,
        updatedAt,
        retryAt,
        dunningAttempts,
        dunningSince,
        ...rest
      } = changes.subscription!
      assert.deepEqual([ended, retryAt, dunningAttempts, dunningSince], [state, null, 0, null])
      assert.deepEqual(
        [String(canceledAt), cancellationMethod],
        state === 'canceled' ? [String(end), 'merchant_api'] : ['null', null],
      )
      assert.deepEqual({ ...subscription, ...rest }, subscription)
    })
  }
})

describe('in unpaid', () => {
  test('a period is charged, its renewal fails, and nobody is asked', () => {
    const lived = having(signedUp(), { state: 'unpaid', balance: cents(5000) })
    const { changes, facts } = assessed(lived)
    assert.equal(changes.attempt, undefined)
    assert.deepEqual(keysOf(changes), ['renewal_failure', 'statement_closed'])
    assert.deepEqual(
      [facts.subscription.state, facts.subscription.balance, facts.subscription.retryAt],
      ['unpaid', 10_000, null],
    )
  })
})

describe('a bug is caught', () => {
  const broken = (words: RegExp) => (error: unknown) => error instanceof BrokenInvariant && words.test(error.message)

  test('when an assessment comes early, in an end state, or while a payment is under way', () => {
    const lived = signedUp()
    const due = lived.facts.subscription.nextAssessmentAt
    const assess = ({ facts, ids }: typeof lived, moment = due) => decideAssessment(facts, moment, ids)
    assert.throws(() => assess(lived, due.subtract({ seconds: 1 })), broken(/never early/))
    for (const state of ['canceled', 'expired', 'trial_ended'] as const) {
      assert.throws(() => assess({ ...lived, ...having(lived, { state }) }), broken(/never assessed/))
    }
    const asked = written(lived, assess(lived))
    assert.throws(() => decideAssessment(asked.facts, at('2027-01-01T00:00:00Z'), asked.ids), broken(/under way/))
  })
})
