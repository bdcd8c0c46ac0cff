/** What a sign-up charges now, which dates it sets, and what it refuses. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { at, keysOf, product, signedUp, site } from '../../test/support/story-facts.ts'
import type { ProductTerms } from './catalog.ts'
import { cents } from './money.ts'
import { Refusal } from './refusal.ts'
import { planSignup, requireCard } from './signup.ts'
import { type CollectionMethod, plainPricing } from './subscription.ts'

const month = { count: 1, unit: 'month' } as const
const week = { count: 7, unit: 'day' } as const
const freeTrial: Partial<ProductTerms> = { trial: { price: cents(0), interval: week, type: 'payment_expected' } }
const paidTrial: Partial<ProductTerms> = { trial: { price: cents(995), interval: month, type: 'payment_expected' } }
const fee: Partial<ProductTerms> = { initialCharge: cents(1500) }

describe('a sign-up charges', () => {
  const cases: [title: string, terms: Partial<ProductTerms>, lines: number[]][] = [
    ['the first period', {}, [5000]],
    ['the first period and the setup fee', fee, [5000, 1500]],
    [
      'the setup fee at once where there is no trial to wait for',
      { ...fee, initialChargeAfterTrial: true },
      [5000, 1500],
    ],
    ['nothing for a free trial, in a row of 0', freeTrial, [0]],
    ['the price of a trial', paidTrial, [995]],
    ['the price of a trial and the setup fee', { ...paidTrial, ...fee }, [995, 1500]],
    ['the setup fee with a free trial', { ...freeTrial, ...fee }, [0, 1500]],
    [
      'only the trial where the setup fee waits for its end',
      { ...paidTrial, ...fee, initialChargeAfterTrial: true },
      [995],
    ],
    ['nothing for a free product, in a row of 0', { price: cents(0) }, [0]],
  ]
  for (const [title, terms, lines] of cases) {
    test(title, () => {
      const { changes, facts } = signedUp({ product: product(terms) })
      const rows = changes.transactions ?? []
      const charged = rows.filter(({ type }) => type === 'charge').map(({ amount }) => Number(amount))
      const total = lines.reduce((sum, amount) => sum + amount, 0)
      assert.deepEqual(charged, lines)
      assert.deepEqual(
        rows.filter(({ type }) => type === 'payment').map(({ amount }) => Number(amount)),
        total > 0 ? [total] : [],
      )
      const { balance, signupRevenue, totalRevenue, signupPaymentId } = facts.subscription
      assert.deepEqual([balance, signupRevenue, totalRevenue], [0, total, total])
      assert.equal(signupPaymentId, total > 0 ? rows.at(-1)?.id : rows[0]?.id)
    })
  }

  test('nothing when the subscription was billed elsewhere until its next billing date', () => {
    const { changes, facts } = signedUp({
      product: product({ ...paidTrial, ...fee }),
      nextBillingAt: at('2026-05-05T00:00:00Z'),
    })
    assert.deepEqual(changes.transactions, [])
    assert.deepEqual(keysOf(changes), ['signup_success', 'billing_date_change'])
    const { state, initialChargeDue, signupPaymentId, trialEndedAt } = facts.subscription
    assert.deepEqual([state, initialChargeDue, signupPaymentId, trialEndedAt], ['active', false, 0, null])
  })

  test('a balance that is not collected when it is paid by invoice', () => {
    const { facts, changes } = signedUp({ collectionMethod: 'invoice', product: product(fee), card: null })
    assert.deepEqual([facts.subscription.balance, facts.subscription.signupRevenue], [6500, 0])
    assert.equal(
      changes.transactions?.some(({ type }) => type === 'payment'),
      false,
    )
  })
})

describe('the dates of a sign-up', () => {
  const datesOf = (terms: Partial<ProductTerms>, nextBillingAt: Temporal.Instant | null = null) => {
    const zone = site({ timeZone: 'America/New_York' })
    const { subscription: s } = signedUp({
      site: zone,
      product: product(terms),
      nextBillingAt,
      now: '2026-02-28T17:00:00Z',
    }).facts
    return [
      s.currentPeriodStartedAt,
      s.currentPeriodEndsAt,
      s.nextAssessmentAt,
      s.anchorAt,
      s.activatedAt,
      s.trialStartedAt,
      s.trialEndedAt,
      s.expiresAt,
    ].map(String)
  }
  const now = '2026-02-28T17:00:00Z'

  test('without a trial: active from now, one interval long on the wall clock of the site', () => {
    const end = '2026-03-28T16:00:00Z'
    assert.deepEqual(datesOf({}), [now, end, end, now, now, 'null', 'null', 'null'])
  })

  test('with a trial: the paid periods are counted from its end', () => {
    const end = '2026-03-07T17:00:00Z'
    assert.deepEqual(datesOf(freeTrial), [now, end, end, end, 'null', now, end, 'null'])
  })

  test('with a next billing date: the paid periods are counted from there, and there is no trial', () => {
    const end = '2026-04-15T09:30:00Z'
    assert.deepEqual(datesOf(freeTrial, at(end)), [now, end, end, end, now, 'null', 'null', 'null'])
  })

  test('the expiration counts from the sign-up, trial or not', () => {
    const expiration = { expiration: { count: 2, unit: 'month' } } as const
    for (const terms of [expiration, { ...expiration, ...freeTrial }]) {
      assert.equal(datesOf(terms).at(-1), '2026-04-28T16:00:00Z')
    }
  })
})

describe('the first statement', () => {
  test('is closed and settled at once, and the second one opens', () => {
    const { changes, facts } = signedUp()
    const [first, second] = changes.newStatements ?? []
    assert.ok(first)
    assert.ok(first.closedAt?.equals(first.settledAt!) && first.closedAt.equals(facts.subscription.createdAt))
    assert.deepEqual([first.total, first.startingBalance, first.endingBalance], [5000, 0, 0])
    assert.equal(second?.closedAt, null)
    assert.equal(facts.subscription.openStatementId, second?.id)
    assert.deepEqual(keysOf(changes), ['signup_success', 'payment_success', 'statement_settled'])
    assert.ok(changes.transactions?.every(({ statementId }) => statementId === first.id))
  })

  test('of a subscription that was billed elsewhere stays open for its first renewal', () => {
    const { changes } = signedUp({ nextBillingAt: at('2026-05-05T00:00:00Z') })
    assert.deepEqual(
      changes.newStatements?.map(({ closedAt }) => closedAt),
      [null],
    )
  })
})

describe('a sign-up is refused', () => {
  const now = at('2026-01-31T12:00:00Z')
  const plan = (
    terms: Partial<ProductTerms>,
    collectionMethod: CollectionMethod = 'automatic',
    next: Temporal.Instant | null = null,
  ) =>
    planSignup(
      { site: site(), product: product(terms), collectionMethod, nextBillingAt: next, pricing: plainPricing },
      now,
    )
  const refused = (message: string) => (error: unknown) => error instanceof Refusal && error.messages[0] === message

  test('when its next billing date is not in the future', () => {
    for (const date of [now, now.subtract({ seconds: 1 })]) {
      assert.throws(() => plan({}, 'automatic', date), refused("Provided 'Next Billing' date must be in the future"))
    }
    assert.doesNotThrow(() => plan({}, 'automatic', now.add({ seconds: 1 })))
  })

  test('without a card where the product wants one or money is due at once', () => {
    const needsCard = refused('Payment profile: cannot be blank.')
    assert.throws(() => requireCard(plan(freeTrial), false), needsCard)
    assert.throws(() => requireCard(plan({ requireCreditCard: false }), false), needsCard)
    assert.throws(() => requireCard(plan({ ...paidTrial, requireCreditCard: false }), false), needsCard)
    assert.throws(() => requireCard(plan({ ...freeTrial, ...fee, requireCreditCard: false }), false), needsCard)
    for (const fine of [plan({ ...freeTrial, requireCreditCard: false }), plan({}, 'invoice')]) {
      assert.doesNotThrow(() => requireCard(fine, false))
    }
    assert.doesNotThrow(() => requireCard(plan({}), true))
  })
})
