/** Migrations as they are decided: what is charged, collected, told and refused, and what a failed payment leaves behind. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  holding,
  meteredComponent,
  onOffComponent,
  pricedWith,
  quantityComponent,
} from '../../test/support/component-facts.ts'
import { gold, half, halfUsed, migrated, paidFor, rows, start, to, trial } from '../../test/support/migration-facts.ts'
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
import { decideMigration, decideMigrationPayment, type Migration } from './migration.ts'
import { planMigration } from './migration-plan.ts'
import { cents } from './money.ts'
import { nextPeriod } from './renewal.ts'

test('a migration credits, charges, collects and begins a period, and tells all of it', () => {
  const { facts, decided, changes } = migrated(halfUsed(), to(), paidFor(25_000), half)
  assert.equal(decided.transactions, undefined, 'before the payment nothing is written but the attempt')
  assert.deepEqual(rows(changes), [
    ['adjustment', 'prorated', -12_500],
    ['charge', 'baseline', 90_000],
    ['payment', null, 77_500],
  ])
  assert.deepEqual(keysOf(changes), [
    'upgrade_downgrade_success',
    'subscription_product_change',
    'payment_success',
    'statement_settled',
  ])
  const { subscription } = facts
  assert.equal(subscription.productId, 8)
  assert.equal(subscription.balance, 0)
  assert.equal(subscription.totalRevenue, 25_000 + 77_500)
  assert.equal(subscription.collectingAttemptId, null)
  assert.deepEqual(
    changes.periods?.map(({ number, begunBy, startedAt, endsAt }) => [
      number,
      begunBy,
      String(startedAt),
      String(endsAt),
    ]),
    [[2, 'migration', half, '2026-07-16T00:00:00Z']],
  )
  assert.deepEqual(
    changes.movedPeriods?.map(({ number, endsAt }) => [number, String(endsAt)]),
    [[1, half]],
  )
  const after = nextPeriod({ ...facts, product: gold })
  assert.equal(String(after.period.endsAt), '2026-08-16T00:00:00Z')
})

test('a declined migration leaves the failed payment and its events, and nothing else', () => {
  const before = halfUsed()
  const { facts, changes } = migrated(before, to(), paidFor(25_000), half, declined)
  assert.deepEqual(rows(changes), [['payment', null, 77_500]])
  assert.deepEqual(keysOf(changes), ['payment_failure', 'upgrade_downgrade_failure'])
  const lasting = ({ facts: { subscription } }: Pick<Lived, 'facts'>) =>
    JSON.parse(JSON.stringify({ ...subscription, updatedAt: null, coveredThroughId: null }))
  assert.deepEqual(lasting({ facts }), lasting(before))
  assert.equal(changes.periods, undefined)
})

test('money that comes when the subscription is canceled stays as credit', () => {
  const { facts, ids } = halfUsed()
  const plan = { ...planMigration(facts, to(), paidFor(25_000), at(half)), allocationIds: [] }
  const asked = written({ facts, ids }, decideMigration(facts, plan, at(half), ids))
  const { attempt } = decideMigration(facts, plan, at(half), ids)
  const canceled = having(asked, { state: 'canceled' })
  const changes = decideMigrationPayment(canceled.facts, attempt!, approved, at(half), ids)
  assert.equal(changes.subscription?.balance, -77_500)
  assert.equal(changes.subscription?.state, 'canceled')
  assert.deepEqual(keysOf(changes), ['payment_success', 'upgrade_downgrade_failure'])
})

describe('refused is a migration', () => {
  const refuses = (lived: Lived, wish: Migration, words: RegExp, now = half) =>
    assert.throws(() => planMigration(lived.facts, wish, [], at(now)), words)

  test('to the present product', () => refuses(halfUsed(), to(product()), /^Refusal: Invalid Product$/))
  test('in any state but active and trialing', () => {
    for (const state of [
      'past_due',
      'unpaid',
      'canceled',
      'expired',
      'trial_ended',
      'on_hold',
      'soft_failure',
    ] as const) {
      refuses(having(halfUsed(), { state }), to(), /^Refusal: Subscription must be active$/)
    }
  })
  test('of a period that is over and not renewed yet', () =>
    refuses(halfUsed(), to(), /renewal/, '2026-07-01T00:00:00Z'))
  test('with a trial into a period that is kept', () =>
    refuses(halfUsed(), to(gold, { includeTrial: true, preservePeriod: true }), /Include trial/))
  test('that needs a card where there is none', () => {
    const { facts, ids } = halfUsed()
    const plan = { ...planMigration(facts, to(), [], at(half)), allocationIds: [] }
    assert.throws(() => decideMigration({ ...facts, card: null }, plan, at(half), ids), /credit card is needed/)
  })
})

describe('what a migration charges', () => {
  const offer = product({ productId: 8, price: cents(5000), initialCharge: cents(700), trial })
  const kinds = (lived: Lived, wish: Migration) =>
    planMigration(lived.facts, wish, [], at(half)).period.lines.map(({ kind, amount }) => [kind, amount])

  test('neither setup fee nor trial unless asked for', () => {
    const lived = halfUsed()
    assert.deepEqual(kinds(lived, to(offer)), [['baseline', 5000]])
    assert.deepEqual(kinds(lived, to(offer, { includeInitialCharge: true })), [
      ['baseline', 5000],
      ['initial', 700],
    ])
    assert.deepEqual(kinds(lived, to(offer, { includeTrial: true })), [['trial', 0]])
  })

  test('components of its own family in advance, those of others put down, usage of both', () => {
    const foreign = { productFamilyId: 3 }
    const pricing = pricedWith(
      holding(quantityComponent(), '2'),
      holding(onOffComponent(foreign), '1'),
      holding(meteredComponent(), '0', '200'),
      holding(meteredComponent({ ...foreign, id: 24 }), '0', '400'),
    )
    const lived = signedUp({ now: start, pricing })
    const { changes } = migrated(lived, to(offer), [], half)
    assert.deepEqual(rows(changes).slice(0, -1), [
      ['charge', 'baseline', 5000],
      ['charge', 'quantity_based_component', 3000],
      ['charge', 'metered_component', 100],
      ['charge', 'metered_component', 200],
    ])
    assert.deepEqual(
      changes.billedUsage?.map(({ componentId, quantity }) => [componentId, quantity]),
      [
        [23, '200'],
        [24, '400'],
      ],
    )
    assert.deepEqual(
      changes.newAllocations?.map(({ componentId, previousQuantity, quantity }) => [
        componentId,
        previousQuantity,
        quantity,
      ]),
      [[22, '1', '0']],
    )
    assert.deepEqual(
      changes.subscribedComponents?.map(({ componentId, quantity }) => [componentId, quantity]),
      [[22, '0']],
    )
    assert.ok(keysOf(changes).includes('component_allocation_change'))
  })

  test('of a kept period the rest, at the new price, of a month the part that a month has', () => {
    const lived = halfUsed()
    assert.deepEqual(kinds(lived, to(offer, { preservePeriod: true })), [['prorated', 2500]])
    const yearly = { ...offer, price: cents(36_500), interval: { count: 12, unit: 'month' } } as const
    assert.deepEqual(kinds(lived, to(yearly, { preservePeriod: true })), [['prorated', 1500]])
    const { facts, changes } = migrated(lived, to(offer, { preservePeriod: true }), paidFor(25_000), half)
    assert.deepEqual(rows(changes), [
      ['adjustment', 'prorated', -12_500],
      ['charge', 'prorated', 2500],
    ])
    assert.equal(changes.periods, undefined)
    assert.equal(String(facts.subscription.currentPeriodEndsAt), '2026-07-01T00:00:00Z')
    assert.deepEqual(keysOf(changes), ['upgrade_downgrade_success', 'subscription_product_change'])
  })

  test('of a trial that is kept nothing', () => {
    const lived = signedUp({ now: start, product: product({ trial }) })
    const plan = planMigration(lived.facts, to(offer, { preservePeriod: true }), paidFor(0), at('2026-06-03T00:00:00Z'))
    assert.deepEqual(plan.period.lines, [])
  })
})

test('out of a trial it is active at once, and the trial ends; into a trial it is trialing', () => {
  const now = '2026-06-03T00:00:00Z'
  const out = migrated(signedUp({ now: start, product: product({ trial }) }), to(), [], now)
  assert.equal(out.facts.subscription.state, 'active')
  assert.equal(String(out.facts.subscription.trialEndedAt), now)
  assert.equal(String(out.facts.subscription.activatedAt), now)
  assert.ok(keysOf(out.changes).includes('subscription_state_change'))
  const into = migrated(halfUsed(), to({ ...gold, trial }, { includeTrial: true }), [], now)
  assert.equal(into.facts.subscription.state, 'trialing')
  assert.equal(String(into.facts.subscription.trialEndedAt), '2026-06-17T00:00:00Z')
  assert.equal(String(into.facts.subscription.activatedAt), start)
})
