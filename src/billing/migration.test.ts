import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  holding,
  meteredComponent,
  onOffComponent,
  pricedWith,
  quantityComponent,
} from '../../test/support/component-facts.ts'
import { amountOff, percentOff, taxOf } from '../../test/support/coupons-and-taxes.ts'
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
import type { Changes, SettledOutcome } from './changes.ts'
import { type AdvanceCharge, decideMigration, decideMigrationPayment, type Migration } from './migration.ts'
import { figuresOf, planMigration } from './migration-plan.ts'
import { addCents, cents, sumCents } from './money.ts'
import { nextPeriod } from './renewal.ts'
import { plainPricing } from './subscription.ts'

const familyId = 2
const start = '2026-06-01T00:00:00Z'
const half = '2026-06-16T00:00:00Z'
const gold = product({ productId: 8, name: 'Gold', price: cents(90_000) })
const trial = { price: cents(0), interval: { count: 14, unit: 'day' }, type: 'no_obligation' } as const

const to = (target = gold, change: Partial<Migration> = {}): Migration => ({
  product: target,
  productFamilyId: familyId,
  includeTrial: false,
  includeInitialCharge: false,
  includeCoupons: true,
  preservePeriod: false,
  ...change,
})

const paidFor = (amount: number, from = start): AdvanceCharge[] => [{ amount: cents(amount), from: at(from) }]

/** Half a period of a product for 250.00 a month is used. */
const halfUsed = (price = 25_000) => signedUp({ now: start, product: product({ name: 'Silver', price: cents(price) }) })

const figures = ({ facts }: Lived, wish: Migration, advance: AdvanceCharge[], now: string) =>
  figuresOf(planMigration(facts, wish, advance, at(now)), facts.subscription.balance)

function migrated(
  lived: Lived,
  wish: Migration,
  advance: AdvanceCharge[],
  now: string,
  outcome: SettledOutcome = approved,
) {
  const { facts, ids } = lived
  const plan = planMigration(facts, wish, advance, at(now))
  const allocationIds = plan.dropped.map((_, place) => 901 + place)
  const decided = decideMigration(facts, { ...plan, allocationIds }, at(now), ids)
  if (decided.attempt === undefined) return { ...written(lived, decided), decided, changes: decided }
  const asked = written(lived, decided)
  // As the database gives it back.
  const intent = JSON.parse(JSON.stringify(decided.attempt.intent))
  const changes = decideMigrationPayment(asked.facts, { ...decided.attempt, intent }, outcome, at(now), ids)
  return { ...written(asked, changes), decided, changes }
}

const rows = (changes: Changes) => (changes.transactions ?? []).map(({ type, kind, amount }) => [type, kind, amount])

describe('the published examples of a migration', () => {
  test('half a period of 250.00 used, on to 900.00: 125.00 back and 775.00 due', () => {
    assert.deepEqual(figures(halfUsed(), to(), paidFor(25_000), half), {
      prorated: -12_500,
      charge: 90_000,
      paymentDue: 77_500,
      creditApplied: 0,
    })
  })

  test('a second migration seconds after the first keeps one cent: 98.99 back of 99.00, and 74.99 stay as credit', () => {
    const bronze = to(product({ productId: 8, name: 'Bronze', price: cents(2400) }))
    const now = '2026-06-01T00:00:05Z'
    const lived = halfUsed(9900)
    assert.deepEqual(figures(lived, bronze, paidFor(9900), now), {
      prorated: -9899,
      charge: 2400,
      paymentDue: 0,
      creditApplied: -7499,
    })
    const { facts, decided } = migrated(lived, bronze, paidFor(9900), now)
    assert.equal(decided.attempt, undefined, 'nothing is asked for')
    assert.equal(facts.subscription.balance, -7499)
    assert.equal(String(facts.subscription.currentPeriodStartedAt), now)
    assert.equal(String(facts.subscription.currentPeriodEndsAt), '2026-07-01T00:00:05Z')
  })

  test('out of a free trial with credit: nothing to prorate, 50.00 charged, nothing due', () => {
    const lived = having(signedUp({ now: start, product: product({ trial }) }), { balance: cents(-13_989) })
    const target = to(product({ productId: 8, price: cents(5000), trial }))
    assert.deepEqual(figures(lived, target, paidFor(0), '2026-06-03T00:00:00Z'), {
      prorated: 0,
      charge: 5000,
      paymentDue: 0,
      creditApplied: 0,
    })
  })
})

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

test('charges of different times are credited each for the time that it was for', () => {
  const advance = [...paidFor(3000), ...paidFor(1000, '2026-06-11T00:00:00Z'), ...paidFor(-500, '2026-06-21T00:00:00Z')]
  const { prorated } = figures(halfUsed(), to(), advance, '2026-06-26T00:00:00Z')
  assert.equal(prorated, -(500 + 250 - 250))
})

test('the preview is the migration: its figures are what the ledger says afterwards', () => {
  const cases = fc.record({
    oldPrice: fc.integer({ min: 0, max: 100_000 }),
    newPrice: fc.integer({ min: 0, max: 100_000 }),
    fee: fc.integer({ min: 0, max: 5000 }),
    balance: fc.integer({ min: -50_000, max: 50_000 }),
    seconds: fc.integer({ min: 0, max: 30 * 86_400 - 1 }),
    users: fc.integer({ min: 0, max: 5 }),
    calls: fc.integer({ min: -5, max: 5000 }),
    coupon: fc.constantFrom(null, percentOff('33'), percentOff('100'), amountOff(1234)),
    rate: fc.constantFrom(null, '6.25', '19'),
    options: fc.record({
      includeTrial: fc.boolean(),
      includeInitialCharge: fc.boolean(),
      includeCoupons: fc.boolean(),
      preservePeriod: fc.boolean(),
    }),
    fromTrial: fc.boolean(),
    snapDay: fc.constantFrom(null, '15', 'end'),
  })
  fc.assert(
    fc.property(cases, (given) => {
      const { options, coupon, rate } = given
      if (options.includeTrial && options.preservePeriod) return
      const taxes = rate === null ? [] : [taxOf(rate)]
      const pricing = { ...plainPricing, coupon, taxes }
      const components = [
        holding(quantityComponent({ taxable: true }), String(given.users)),
        holding(meteredComponent(), '0', String(given.calls)),
      ]
      const old = product({ price: cents(given.oldPrice), taxable: true, ...(given.fromTrial && { trial }) })
      const first = signedUp({ now: start, product: old, pricing: { ...pricing, components: [components[0]!] } })
      const at15 = at(start).add({ seconds: given.seconds % (given.fromTrial ? 14 * 86_400 : 30 * 86_400) })
      const snapDay = given.fromTrial ? null : given.snapDay
      const lived = having(first, { balance: cents(given.balance), snapDay })
      const facts = { ...lived.facts, pricing: { ...lived.facts.pricing, components } }
      const target = { ...gold, price: cents(given.newPrice), initialCharge: cents(given.fee), trial, taxable: true }
      const wish = to(target, options)
      const advance = paidFor(first.changes.transactions!.find(({ type }) => type === 'payment')?.amount ?? 0)
      const shown = figures({ facts, ids: lived.ids }, wish, advance, String(at15))
      const { changes, facts: after } = migrated({ facts, ids: lived.ids }, wish, advance, String(at15))
      const written = changes.transactions ?? []
      const sumOf = (kept: (row: (typeof written)[number]) => boolean) =>
        sumCents(written.filter(kept).map(({ amount }) => amount))
      const isCredit = ({ type, kind }: (typeof written)[number]) => type === 'adjustment' && kind === 'prorated'
      assert.equal(sumOf(isCredit), shown.prorated)
      assert.equal(
        sumOf((row) => row.type !== 'payment' && !isCredit(row)),
        shown.charge,
      )
      assert.equal(
        sumOf(({ type }) => type === 'payment'),
        shown.paymentDue,
      )
      const { balance } = after.subscription
      assert.equal(balance, addCents(cents(given.balance), shown.prorated, shown.charge, cents(-shown.paymentDue)))
      assert.ok(-shown.prorated <= Math.max(0, sumCents(advance.map(({ amount }) => amount)) - 1), 'a cent is used')
      assert.ok(Temporal.Instant.compare(after.subscription.currentPeriodEndsAt, at15) > 0)
    }),
    { numRuns: 150 },
  )
})
