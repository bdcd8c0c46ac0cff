/** A period that begins at the moment of an act: its dates, what it bills, and the subscription in it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coupon, holding, meteredComponent, pricedWith, quantityComponent } from '../../test/support/component-facts.ts'
import { at, having, type Lived, product, signedUp } from '../../test/support/story-facts.ts'
import { Act } from './act.ts'
import { cents } from './money.ts'
import { beginPeriod, type PeriodPlan, planPeriod } from './new-period.ts'
import type { PricingFacts, Subscription } from './subscription.ts'

const now = at('2026-05-16T12:00:00Z')

const trial = { interval: { count: 7, unit: 'day' }, price: cents(100), type: 'payment_expected' } as const

type Terms = { change?: Partial<Subscription>; pricing?: PricingFacts; withTrial?: boolean }

/** Of a product with a trial of a week for 1.00 and a setup fee of 20.00, canceled a while ago. */
function ended({ change, pricing }: Terms = {}): Lived {
  const { facts, ids } = having(signedUp({ product: product({ trial, initialCharge: cents(2000) }) }), {
    state: 'canceled',
    trialStartedAt: null,
    trialEndedAt: null,
    initialChargeDue: false,
    ...change,
  })
  return { facts: { ...facts, ...(pricing && { pricing }) }, ids }
}

const planned = (terms: Terms = {}): PeriodPlan =>
  planPeriod(ended(terms).facts, now, { withTrial: terms.withTrial ?? false })

const linesOf = ({ lines }: PeriodPlan) => lines.map(({ kind, amount }) => [kind, amount])

test('a paid period runs for an interval from now, is counted from now, and costs its product without a setup fee', () => {
  const { lines: _, ...dates } = planned()
  assert.deepEqual(dates, {
    ...{ startsAt: '2026-05-16T12:00:00Z', endsAt: '2026-06-16T12:00:00Z', anchorAt: '2026-05-16T12:00:00Z' },
    ...{ periodsToAnchor: 0, isTrial: false, total: 5000, usedCouponIds: [] },
  })
  assert.deepEqual(linesOf(planned()), [['baseline', 5000]])
})

test('a setup fee that was never paid is charged with it', () => {
  const plan = planned({ change: { initialChargeDue: true } })
  assert.deepEqual(linesOf(plan), [
    ['baseline', 5000],
    ['initial', 2000],
  ])
})

test('components and a coupon count in a paid period, and no components in a trial', () => {
  const pricing = { ...pricedWith(holding(quantityComponent(), '2')), coupons: [coupon({})] }
  const plan = planned({ pricing })
  assert.deepEqual([plan.total, plan.usedCouponIds], [4000, [pricing.coupons[0]!.coupon.id]])
  assert.deepEqual(linesOf(planned({ pricing: pricedWith(holding(quantityComponent(), '2')), withTrial: true })), [
    ['trial', 100],
  ])
})

test('a trial runs for its own time, and the paid periods are counted from its end', () => {
  const { lines: _, ...dates } = planned({ withTrial: true })
  assert.deepEqual(dates, {
    ...{ startsAt: '2026-05-16T12:00:00Z', endsAt: '2026-05-23T12:00:00Z', anchorAt: '2026-05-23T12:00:00Z' },
    ...{ periodsToAnchor: 1, isTrial: true, total: 100, usedCouponIds: [] },
  })
})

test('calendar billing prorates up to the next snap day and counts from there; a trial knows none of it', () => {
  const { lines, ...dates } = planned({ change: { snapDay: '1' } })
  assert.deepEqual(dates, {
    ...{ startsAt: '2026-05-16T12:00:00Z', endsAt: '2026-06-01T12:00:00Z', anchorAt: '2026-06-01T12:00:00Z' },
    ...{ periodsToAnchor: 1, isTrial: false, total: 2581, usedCouponIds: [] },
  })
  assert.equal(lines.length, 1)
  assert.equal(planned({ change: { snapDay: '1' }, withTrial: true }).endsAt, '2026-05-23T12:00:00Z')
})

function begun(terms: Terms = {}) {
  const { facts, ids } = ended(terms)
  const plan = planPeriod(facts, now, { withTrial: terms.withTrial ?? false })
  const act = new Act(facts, now, ids)
  return { before: facts.subscription, act, ...beginPeriod(act, facts.subscription, plan, 'reactivation') }
}

const troubled: Partial<Subscription> = {
  ...{ retryAt: now, dunningAttempts: 2, dunningSince: now, initialChargeDue: true, snapDay: '1' },
}

test('the subscription is active in its next period, with nothing left of its dunning', () => {
  const { before, subscription, rest, act } = begun({ change: troubled })
  const endsAt = at('2026-06-01T12:00:00Z')
  assert.deepEqual(subscription, {
    ...before,
    ...{ state: 'active', periodNumber: 2, anchorAt: endsAt, anchorTimeZone: 'UTC', anchorPeriodNumber: 3 },
    ...{ currentPeriodStartedAt: now, currentPeriodEndsAt: endsAt, nextAssessmentAt: endsAt },
    ...{ retryAt: null, dunningAttempts: 0, dunningSince: null, initialChargeDue: false },
  })
  const period = { siteId: 1, subscriptionId: 9, number: 2, begunBy: 'reactivation', startedAt: now, endsAt }
  assert.deepEqual(rest, { periods: [{ ...period, assessedAt: now }], billedUsage: [] })
  assert.deepEqual(
    act.ledger.rows.map(({ kind, amount, periodNumber }) => [kind, amount, periodNumber]),
    [
      ['baseline', 2581, 2],
      ['initial', 2000, 2],
    ],
  )
})

test('in a trial it is trialing, from now to its end, without calendar billing', () => {
  const { before, subscription } = begun({ withTrial: true, change: troubled })
  const endsAt = at('2026-05-23T12:00:00Z')
  assert.deepEqual(subscription, {
    ...before,
    ...{ state: 'trialing', periodNumber: 2, anchorAt: endsAt, anchorTimeZone: 'UTC', anchorPeriodNumber: 3 },
    ...{ currentPeriodStartedAt: now, currentPeriodEndsAt: endsAt, nextAssessmentAt: endsAt, snapDay: null },
    ...{
      retryAt: null,
      dunningAttempts: 0,
      dunningSince: null,
      initialChargeDue: false,
      trialStartedAt: now,
      trialEndedAt: endsAt,
    },
  })
})

test('a coupon that took something off has been used once more; metered usage that was billed begins at 0', () => {
  const held = [holding(quantityComponent(), '2'), holding(meteredComponent(), '0', '100')]
  const applied = coupon({})
  const { rest } = begun({ pricing: { ...pricedWith(...held), coupons: [applied] } })
  assert.deepEqual(rest.subscriptionCoupons, [
    { siteId: 1, subscriptionId: 9, couponId: 41, place: 1, code: 'HALF', useCount: 2, usesAllowed: null },
  ])
  assert.deepEqual(rest.billedUsage, [{ subscriptionId: 9, componentId: 23 }])
  assert.equal(begun().rest.subscriptionCoupons, undefined)
})
