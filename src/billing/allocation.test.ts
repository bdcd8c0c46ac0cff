/** What a change of an allocated quantity costs, when it is collected, and what it refuses. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  holding,
  meteredComponent,
  onOffComponent,
  pricedWith,
  quantityComponent,
  stocked,
  tax,
  wanting,
} from '../../test/support/component-facts.ts'
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
} from '../../test/support/story-facts.ts'
import { decideAllocation, settleAllocation } from './allocation.ts'
import type { WantedAllocation } from './allocation-steps.ts'
import type { Changes } from './changes.ts'
import { cents } from './money.ts'
import { Refusal } from './refusal.ts'
import { downgradeSchemes, upgradeSchemes } from './site.ts'
import { type PricingFacts, type SubscriptionState, subscriptionStates } from './subscription.ts'

const users = quantityComponent()
const support = onOffComponent()
const messages = meteredComponent()
const catalog = [users, support, messages]

const want = (change: Partial<WantedAllocation> = {}): WantedAllocation => wanting(users, change)

const allocate = (lived: Lived, now: string, ...wanted: WantedAllocation[]): Changes => {
  const ids = wanted.map((_, place) => 901 + place)
  return decideAllocation(lived.facts, { wanted, ids, periodCoupons: [] }, at(now), lived.ids)
}

const rows = (changes: Changes) =>
  (changes.transactions ?? []).map(({ type, kind, memo, amount }) => [`${type}/${kind}`, memo, Number(amount)])

/** One user from 31 January, 12:00, for a month of 28 days; a quarter of it is left on 21 February. */
const oneUser = (pricing: Partial<PricingFacts> = {}) =>
  signedUp({ pricing: { ...pricedWith(holding(users, '1')), ...pricing } })
const start = '2026-01-31T12:00:00Z'
const lastWeek = '2026-02-21T12:00:00Z'

describe('the schemes', () => {
  const cases: [scheme: (typeof upgradeSchemes)[number], charged: number[], collected: number | undefined][] = [
    ['prorate-delay-capture', [375], undefined],
    ['prorate-attempt-capture', [375], 375],
    ['full-price-attempt-capture', [1500], 1500],
    ['full-price-delay-capture', [1500], undefined],
    ['no-prorate', [], undefined],
  ]
  assert.deepEqual(
    cases.map(([scheme]) => scheme),
    upgradeSchemes,
  )
  for (const [upgradeScheme, charged, collected] of cases) {
    test(`an upgrade, ${upgradeScheme}: charges ${charged[0] ?? 'nothing'}, collects ${collected ?? 'nothing'} now`, () => {
      const changes = allocate(oneUser(), lastWeek, want({ upgradeScheme, memo: 'Grace joins' }))
      assert.deepEqual(
        rows(changes),
        charged.map((amount) => ['charge/quantity_based_component', 'Users: 1 to 2 Users', amount]),
      )
      assert.equal(changes.attempt?.amount, collected)
      assert.equal(changes.subscription?.collectingAttemptId ?? undefined, changes.attempt?.id)
      assert.deepEqual(keysOf(changes), ['component_allocation_change'])
      const [allocation] = changes.newAllocations ?? []
      assert.deepEqual(
        [allocation?.previousQuantity, allocation?.quantity, allocation?.memo, allocation?.paymentAttemptId],
        ['1', '2', 'Grace joins', changes.attempt?.id ?? null],
      )
    })
  }

  for (const downgradeScheme of downgradeSchemes) {
    test(`a downgrade, ${downgradeScheme}`, () => {
      const changes = allocate(oneUser(), lastWeek, want({ quantity: '0', downgradeScheme }))
      const credit = ['credit/quantity_based_component', 'Users: 1 to 0 Users', -375]
      assert.deepEqual(rows(changes), downgradeScheme === 'prorate' ? [credit] : [])
      assert.equal(changes.attempt, undefined)
      assert.equal(changes.subscription?.openStatementTotal, downgradeScheme === 'prorate' ? -375 : 0)
    })
  }

  test('a switch is told by its name', () => {
    const on = allocate(oneUser(), lastWeek, want({ component: support, quantity: '1' }))
    assert.deepEqual(rows(on), [['charge/on_off_component', 'Support', 1125]])
    const off = allocate(stocked(oneUser(), on, catalog), lastWeek, want({ component: support, quantity: '0' }))
    assert.deepEqual(rows(off), [['credit/on_off_component', 'Support', -1125]])
  })

  test('more of what becomes cheaper by it is a downgrade', () => {
    const prices = [
      { startingQuantity: 1, endingQuantity: 10, unitPrice: '20' },
      { startingQuantity: 11, endingQuantity: null, unitPrice: '10' },
    ]
    const volume = quantityComponent({ pricingScheme: 'volume', unitPrice: null, prices })
    const lived = signedUp({ pricing: pricedWith(holding(volume, '10')) })
    const changes = allocate(lived, lastWeek, want({ component: volume, quantity: '11' }))
    assert.deepEqual(rows(changes), [['credit/quantity_based_component', 'Users: 10 to 11 Users', -2250]])
  })

  test('during a trial nothing is charged, whatever the scheme', () => {
    const trial = { price: cents(100), interval: { count: 7, unit: 'day' }, type: 'payment_expected' } as const
    const lived = signedUp({ pricing: pricedWith(holding(users, '1')), product: product({ trial }) })
    for (const upgradeScheme of upgradeSchemes) {
      const changes = allocate(lived, '2026-02-01T12:00:00Z', want({ upgradeScheme }))
      assert.deepEqual([rows(changes), changes.attempt], [[], undefined], upgradeScheme)
    }
  })
})

describe('what is collected now', () => {
  const now = want({ upgradeScheme: 'prorate-attempt-capture' })

  test('is no more than what is owed with it', () => {
    const credit = having(oneUser(), { balance: cents(-300) })
    assert.equal(allocate(credit, lastWeek, now).attempt?.amount, 75)
    const rich = having(oneUser(), { balance: cents(-375) })
    assert.equal(allocate(rich, lastWeek, now).attempt, undefined)
    const indebted = having(oneUser(), { balance: cents(9000) })
    assert.equal(allocate(indebted, lastWeek, now).attempt?.amount, 375)
  })

  test('is nothing without a card, on invoices, and where nobody is asked any more', () => {
    const lived = oneUser()
    const withoutCard = { ...lived, facts: { ...lived.facts, card: null } }
    for (const who of [
      withoutCard,
      having(lived, { paymentCollectionMethod: 'invoice' }),
      having(lived, { state: 'unpaid' }),
    ]) {
      const changes = allocate(who, lastWeek, now)
      assert.deepEqual([rows(changes).length, changes.attempt], [1, undefined])
    }
  })

  test('is paid under its own name when the gateway approves, and left on the balance when it declines', () => {
    const lived = oneUser()
    const changes = allocate(lived, lastWeek, now)
    const after = stocked(lived, changes, catalog)
    const paid = settleAllocation(after.facts, changes.attempt!, approved, at(lastWeek), after.ids)
    assert.deepEqual(rows(paid), [
      ['payment/component_proration', 'Payment for: Prorated component allocation changes.', 375],
    ])
    assert.deepEqual(keysOf(paid), ['payment_success'])
    const { balance, totalRevenue, collectingAttemptId } = paid.subscription!
    assert.deepEqual([balance, totalRevenue, collectingAttemptId], [0, 6875, null])
    const refused = settleAllocation(after.facts, changes.attempt!, declined, at(lastWeek), after.ids)
    assert.deepEqual(rows(refused), [['payment/null', 'no', 375]])
    assert.deepEqual(keysOf(refused), ['payment_failure'])
    assert.deepEqual([refused.subscription?.balance, refused.subscription?.state], [375, 'active'])
    const renewed = assessed(stocked(after, refused, catalog))
    assert.equal(renewed.changes.attempt?.amount, 375 + 5000 + 3000)
  })

  test('leaves a debt that was there before to dunning, and ends it when nothing is left', () => {
    const lived = having(oneUser(), { state: 'past_due', balance: cents(5000), retryAt: at('2026-02-22T12:00:00Z') })
    const changes = allocate(lived, lastWeek, now)
    const after = stocked(lived, changes, catalog)
    const paid = settleAllocation(after.facts, changes.attempt!, approved, at(lastWeek), after.ids)
    assert.deepEqual([paid.subscription?.state, paid.subscription?.balance], ['past_due', 5000])
    const owing = having(after, { balance: cents(375) })
    const forgiven = { ...owing, facts: { ...owing.facts, unsettledStatements: [{ id: 777, owed: cents(1_000_000) }] } }
    const clear = settleAllocation(forgiven.facts, changes.attempt!, approved, at(lastWeek), after.ids)
    assert.deepEqual([clear.subscription?.state, clear.subscription?.retryAt], ['active', null])
    assert.deepEqual(keysOf(clear), ['subscription_state_change', 'payment_success', 'statement_settled'])
    assert.deepEqual(
      clear.statements?.map(({ id }) => id),
      [777],
    )
  })
})

test('several at once: credits, what waits, and what is collected, each discounted and taxed for itself', () => {
  const lived = signedUp({ pricing: { ...pricedWith(holding(users, '4'), holding(support, '0')), taxes: [tax] } })
  const changes = allocate(
    lived,
    start,
    want({ quantity: '2' }),
    want({ component: taxable, quantity: '1' }),
    want({ component: support, quantity: '1', upgradeScheme: 'full-price-attempt-capture' }),
  )
  assert.deepEqual(rows(changes), [
    ['credit/quantity_based_component', 'Users: 4 to 2 Users', -3000],
    ['charge/quantity_based_component', 'Seats: 0 to 1 User', 1500],
    ['charge/tax', 'MA Tax (6.25%)', 94],
    ['charge/on_off_component', 'Support', 4500],
  ])
  assert.equal(changes.attempt?.amount, 3094)
  assert.deepEqual(
    changes.newAllocations?.map(({ id, requestId, quantity }) => [id, requestId, quantity]),
    [
      [901, 901, '2'],
      [902, 901, '1'],
      [903, 901, '1'],
    ],
  )
})

const taxable = quantityComponent({ id: 24, name: 'Seats', taxable: true })

test('one component twice in a request goes from step to step', () => {
  const changes = allocate(oneUser(), lastWeek, want({ quantity: '3' }), want({ quantity: '2' }))
  assert.deepEqual(
    changes.newAllocations?.map(({ previousQuantity, quantity }) => [previousQuantity, quantity]),
    [
      ['1', '3'],
      ['3', '2'],
    ],
  )
  assert.deepEqual(changes.subscribedComponents, [
    { siteId: 1, subscriptionId: 9, componentId: 21, quantity: '2', unitBalance: '0' },
  ])
  assert.equal(changes.subscription?.balance, 375)
})

describe('refused', () => {
  const refuses = (title: string, wanted: WantedAllocation, words: string): void => {
    test(title, () => {
      assert.throws(() => allocate(oneUser(), lastWeek, wanted), new Refusal('invalid', [words]))
    })
  }
  refuses(
    'metered components',
    want({ component: messages }),
    'Allocations can only be updated for quantity and on/off components.',
  )
  refuses('a switch that is neither on nor off', want({ component: support }), 'Quantity: must be 0 or 1 for Support.')
  const prices = [{ startingQuantity: 1, endingQuantity: 10, unitPrice: '20' }]
  refuses(
    'more than the last bracket has',
    want({ component: quantityComponent({ pricingScheme: 'tiered', unitPrice: null, prices }), quantity: '11' }),
    'Quantity: Users has no price for more than 10.',
  )
  refuses('what nobody could pay', want({ quantity: '1000000000' }), 'Quantity: is too large for Users.')
  const live: readonly SubscriptionState[] = [
    'trialing',
    'active',
    'past_due',
    'soft_failure',
    'unpaid',
    'awaiting_signup',
  ]
  for (const state of subscriptionStates.filter((one) => !live.includes(one))) {
    test(`a subscription that is ${state}`, () => {
      const words = `Components of a subscription that is ${state} cannot be changed.`
      assert.throws(() => allocate(having(oneUser(), { state }), lastWeek, want()), new Refusal('invalid', [words]))
    })
  }
})

test('decimals of a component that knows none are refused; others keep theirs', () => {
  const words = 'Quantity: must be a whole number for Users.'
  assert.throws(() => allocate(oneUser(), lastWeek, want({ quantity: '2.9' })), new Refusal('invalid', [words]))
  const liters = quantityComponent({ name: 'Fuel', unitName: 'liter', allowFractionalQuantities: true })
  const kept = allocate(
    signedUp({ pricing: pricedWith(holding(liters, '10')) }),
    lastWeek,
    want({ component: liters, quantity: '12.5' }),
  )
  assert.deepEqual(rows(kept), [['charge/quantity_based_component', 'Fuel: 10.0 to 12.5 liters', 938]])
})
