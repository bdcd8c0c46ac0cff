/** What becomes of a subscription when money, charges or coupons come or go while a gateway is asked for a payment. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { percentOff } from '../../test/support/coupons-and-taxes.ts'
import { halfUsed, paidFor, to } from '../../test/support/migration-facts.ts'
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
  wrong,
} from '../../test/support/story-facts.ts'
import { decideAdjustment } from './adjustment.ts'
import type { Changes, SettledOutcome } from './changes.ts'
import type { AppliedCoupon } from './coupon.ts'
import { decideMigration } from './migration.ts'
import { planMigration } from './migration-plan.ts'
import { type Cents, cents } from './money.ts'
import { decideExternalPayment } from './payment.ts'
import { decideReactivation } from './reactivation.ts'
import { decideAssessment } from './renewal.ts'
import { decideRetry } from './retry.ts'
import { settlements } from './settlement.ts'
import type { Subscription } from './subscription.ts'

const payment = (amount: number) => ({ amount: cents(amount), memo: 'Cheque' })
const adjustment = (amount: number) => ({ amount: cents(amount), memo: 'Sorry', isTarget: false })

/** Asks, lets something happen, and settles the answer. */
function settledAfter(
  lived: Lived,
  changes: Changes,
  meanwhile: (asked: Lived, now: Temporal.Instant) => Lived,
  outcome: SettledOutcome,
): { settled: Changes; between: Subscription; after: Subscription; coupons: readonly AppliedCoupon[] } {
  const { attempt } = changes
  assert.ok(attempt && attempt.reason !== 'signup')
  const intent = JSON.parse(JSON.stringify(attempt.intent)) as typeof attempt.intent
  const between = meanwhile(written(lived, changes), attempt.createdAt)
  const settle = settlements[attempt.reason]
  const settled = settle(between.facts, { ...attempt, intent }, outcome, attempt.createdAt, lived.ids)
  const { coupons } = written(between, settled).facts.pricing
  return { settled, between: between.facts.subscription, after: settled.subscription!, coupons }
}

const paying = (amount: number) => (lived: Lived, now: Temporal.Instant) =>
  written(lived, decideExternalPayment(lived.facts, payment(amount), now, lived.ids))

const adjusting = (amount: number) => (lived: Lived, now: Temporal.Instant) =>
  written(lived, decideAdjustment(lived.facts, adjustment(amount), now, lived.ids))

const due = (lived: Lived): Changes =>
  decideAssessment(lived.facts, lived.facts.subscription.nextAssessmentAt, lived.ids)

describe('a declined renewal after which nothing is owed', () => {
  for (const [words, meanwhile] of [
    ['paid another way', paying(5000)],
    ['credited', adjusting(-6000)],
  ] as const) {
    for (const [outcome, told] of [
      [declined, ['payment_failure']],
      [wrong, []],
    ] as const) {
      test(`since it was ${words} is a paid period: active, without a retry (${outcome.result})`, () => {
        const lived = signedUp()
        const { settled, after } = settledAfter(lived, due(lived), meanwhile, outcome)
        assert.deepEqual(
          [after.state, after.retryAt, after.dunningAttempts, after.dunningSince, after.collectingAttemptId],
          ['active', null, 0, null, null],
        )
        assert.ok(after.nextAssessmentAt.equals(after.currentPeriodEndsAt))
        assert.deepEqual(keysOf(settled), [...told, 'renewal_success', 'statement_settled'])
      })
    }
  }

  test('makes a trial active, also one that obliged to nothing', () => {
    for (const type of ['payment_expected', 'no_obligation'] as const) {
      const trial = { price: cents(0), interval: { count: 7, unit: 'day' }, type } as const
      const lived = signedUp({ product: product({ trial }) })
      const { settled, after } = settledAfter(lived, due(lived), paying(5000), declined)
      assert.equal(after.state, 'active')
      const keys = ['payment_failure', 'renewal_success', 'subscription_state_change', 'statement_settled']
      assert.deepEqual(keysOf(settled), keys)
    }
  })

  test('differs from one after which a cent is owed: past due, with a retry', () => {
    const lived = signedUp()
    const { settled, after } = settledAfter(lived, due(lived), paying(4999), declined)
    assert.deepEqual([after.state, after.balance, after.dunningAttempts], ['past_due', 1, 1])
    assert.ok(keysOf(settled).includes('renewal_failure'))
  })
})

describe('a subscription that is past due and paid another way while its card is asked', () => {
  const pastDue = () => assessed(signedUp(), declined)
  const asking = {
    'by the dunning': due,
    'on request': ({ facts, ids }: Lived) => decideRetry(facts, facts.subscription.updatedAt, ids),
  }
  for (const [words, ask] of Object.entries(asking)) {
    test(`${words} is active at once, and stays so when the card is declined or when it pays too`, () => {
      for (const [outcome, balance, keys] of [
        [declined, 0, ['payment_failure']],
        [approved, -5000, ['payment_success']],
      ] as const) {
        const lived = pastDue()
        const { settled, between, after } = settledAfter(lived, ask(lived), paying(5000), outcome)
        assert.deepEqual([between.state, between.retryAt], ['active', null])
        const { state, retryAt, dunningAttempts } = after
        assert.deepEqual([state, retryAt, dunningAttempts, after.balance], ['active', null, 0, balance])
        assert.deepEqual(keysOf(settled), keys)
      }
    })
  }

  test('stays active also when something is charged to it again before the dunning’s attempt is declined', () => {
    const lived = pastDue()
    const helped = (asked: Lived, now: Temporal.Instant) => adjusting(300)(paying(5000)(asked, now), now)
    const { after } = settledAfter(lived, due(lived), helped, declined)
    assert.deepEqual([after.state, after.balance, after.dunningAttempts], ['active', 300, 0])
  })
})

test('what is charged while a renewal is paid for is left owed: its statement closes, and is not settled', () => {
  const lived = signedUp()
  const { settled, after } = settledAfter(lived, due(lived), adjusting(300), approved)
  assert.deepEqual([after.state, after.balance], ['active', 300])
  assert.deepEqual(keysOf(settled), ['renewal_success', 'payment_success', 'statement_closed'])
})

describe('unpaid', () => {
  const unpaid = (balance: number) => having(signedUp(), { state: 'unpaid', balance: cents(balance) })
  const wish = {
    includeTrial: false,
    preserveBalance: true,
    resume: false,
    requireResume: false,
    forgiveBalance: false,
  }
  const asked = ({ facts, ids }: Lived) =>
    decideReactivation(facts, { ...wish, coupon: null }, facts.subscription.updatedAt, ids)

  test('stays so when credit covers a period: that is neither a payment, nor a retry, nor a reactivation', () => {
    const { changes, facts } = assessed(unpaid(-6000))
    assert.equal(changes.attempt, undefined)
    assert.deepEqual([facts.subscription.state, facts.subscription.balance], ['unpaid', -1000])
    assert.deepEqual(keysOf(changes), ['renewal_success', 'statement_settled'])
  })

  test('and paid another way while a reactivation is asked for, it is active by the payment, and its new period begins', () => {
    const lived = unpaid(5000)
    const { settled, between, after } = settledAfter(lived, asked(lived), paying(5000), approved)
    assert.deepEqual([between.state, after.state, after.periodNumber, after.balance], ['active', 'active', 2, -5000])
    assert.deepEqual(keysOf(settled), ['payment_success', 'statement_settled'])
  })

  test('and paid another way while a reactivation is declined, it is active; credited only, it is not', () => {
    for (const [meanwhile, state] of [
      [paying(5000), 'active'],
      [adjusting(-5000), 'unpaid'],
    ] as const) {
      const lived = unpaid(5000)
      assert.equal(settledAfter(lived, asked(lived), meanwhile, declined).after.state, state)
    }
  })
})

describe('a coupon that is taken off or replaced while the gateway is asked for what it discounts', () => {
  const half = { ...percentOff('50'), useCount: 1, usesAllowed: 3 }
  const other = { ...half, code: 'OTHER', useCount: 0, coupon: { ...half.coupon, id: 999 } }
  const withCoupons = ({ facts, ids }: Lived, ...coupons: AppliedCoupon[]): Lived => ({
    ids,
    facts: { ...facts, pricing: { ...facts.pricing, coupons } },
  })
  const discounted = (lived: Lived): Lived => withCoupons(lived, half)
  const asks: Record<string, (preservePeriod: boolean) => [Lived, Changes, Cents]> = {
    'a migration': (preservePeriod) => {
      const lived = discounted(halfUsed())
      const now = at('2026-06-16T00:00:00Z')
      const plan = planMigration(lived.facts, to(undefined, { preservePeriod }), paidFor(25_000), now)
      const changes = decideMigration(lived.facts, { ...plan, allocationIds: [] }, now, lived.ids)
      return [lived, changes, changes.attempt!.amount]
    },
    'a reactivation': () => {
      const lived = having(discounted(signedUp()), { state: 'canceled' })
      const wish = { includeTrial: false, preserveBalance: false, resume: false, requireResume: false }
      const now = at('2026-07-02T00:00:00Z')
      const changes = decideReactivation(lived.facts, { ...wish, forgiveBalance: false, coupon: null }, now, lived.ids)
      return [lived, changes, changes.attempt!.amount]
    },
  }
  for (const [words, ask] of Object.entries(asks)) {
    test(`${words}: the use does not count for what is on it then, and is counted where nothing happened`, () => {
      for (const preservePeriod of [false, true]) {
        for (const [meanwhile, count] of [
          [[half], [2]],
          [[], []],
          [[other], [0]],
          [
            [other, half],
            [0, 2],
          ],
        ] as const) {
          const [lived, changes, asked] = ask(preservePeriod)
          const { coupons } = settledAfter(lived, changes, (asking) => withCoupons(asking, ...meanwhile), approved)
          assert.ok(asked > 0)
          assert.deepEqual(
            coupons.map(({ useCount }) => useCount),
            count,
          )
        }
      }
    })
  }
})
