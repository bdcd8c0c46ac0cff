/** What each scheme makes a change of quantity cost for the rest of a period, and which lines it writes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  holding,
  meteredComponent,
  onOffComponent,
  quantityComponent,
  wanting,
} from '../../test/support/component-facts.ts'
import {
  allocatable,
  allocationsOf,
  capturesNow,
  chargesLater,
  chargesNow,
  credited,
  heldAfter,
  stepsOf,
  type WantedAllocation,
} from './allocation-steps.ts'
import { Refusal } from './refusal.ts'
import { downgradeSchemes, upgradeSchemes } from './site.ts'

const users = quantityComponent()
const half = { part: 1, whole: 2 }

const change = (quantity: string, terms: Partial<WantedAllocation> = {}, rest: typeof half | null = half) =>
  stepsOf([holding(users, '2')], [wanting(users, { quantity, ...terms })], rest, 1)

const costs = (...given: Parameters<typeof change>) => change(...given).map(({ cost }) => cost)

test('an upgrade costs its part, its full price or nothing, as its scheme says', () => {
  assert.deepEqual(
    upgradeSchemes.map((upgradeScheme) => costs('3', { upgradeScheme })[0]),
    [750, 750, 1500, 1500, 0],
  )
  assert.deepEqual(upgradeSchemes.map(capturesNow), [false, true, true, false, false])
})

test('a downgrade gives back its part or nothing', () => {
  assert.deepEqual(
    downgradeSchemes.map((downgradeScheme) => costs('1', { downgradeScheme })[0]),
    [-750, 0],
  )
})

test('the same quantity costs nothing, and neither does anything where there is no rest', () => {
  assert.deepEqual(costs('2', { upgradeScheme: 'full-price-delay-capture' }), [0])
  assert.deepEqual([costs('3', {}, null), costs('1', {}, null)], [[0], [0]])
})

test('steps of one component follow each other, from what is held; what is not held begins at 0', () => {
  const steps = stepsOf(
    [holding(users, '2')],
    [
      wanting(users, { quantity: '5' }),
      wanting(users, { quantity: '4' }),
      wanting(onOffComponent(), { quantity: '1' }),
    ],
    half,
    1,
  )
  assert.deepEqual(
    steps.map(({ previousQuantity, quantity, cost }) => [previousQuantity, quantity, cost]),
    [
      ['2', '5', 2250],
      ['5', '4', -750],
      ['0', '1', 2250],
    ],
  )
  assert.deepEqual(
    heldAfter(steps).map(({ component, quantity, unitBalance }) => [component.id, quantity, unitBalance]),
    [
      [21, '4', '0'],
      [22, '1', '0'],
    ],
  )
})

test('lines name the change, a switch its name, and go by when they are collected', () => {
  const now = wanting(users, { quantity: '3', upgradeScheme: 'prorate-attempt-capture' })
  const later = wanting(onOffComponent({ taxable: true }), { quantity: '1' })
  const back = wanting(users, { quantity: '2' })
  const none = wanting(users, { quantity: '9', upgradeScheme: 'no-prorate' })
  const steps = stepsOf([holding(users, '2')], [now, later, back, none], half, 1)
  const told = (lines: ReturnType<typeof chargesNow>) =>
    lines.map(({ kind, amount, memo, isTaxable, componentId }) => [kind, amount, memo, isTaxable, componentId])
  assert.deepEqual(told(chargesNow(steps)), [['quantity_based_component', 750, 'Users: 2 to 3 Users', false, 21]])
  assert.deepEqual(told(chargesLater(steps)), [['on_off_component', 2250, 'Support', true, 22]])
  assert.deepEqual(told(credited(steps)), [['quantity_based_component', 750, 'Users: 3 to 2 Users', false, 21]])
})

test('allocations keep what was asked, each with its id and all under that of the first', () => {
  const common = { siteId: 1, subscriptionId: 9, paymentAttemptId: null, createdAt: users.createdAt }
  const steps = stepsOf([], [wanting(users), wanting(users, { quantity: '3', memo: 'Grew' })], null, 1)
  assert.deepEqual(
    allocationsOf(steps, common, [71, 72]).map(({ id, requestId, previousQuantity, quantity, memo, componentId }) => [
      ...[id, requestId, previousQuantity, quantity, memo, componentId],
    ]),
    [
      [71, 71, '0', '2', null, 21],
      [72, 71, '2', '3', 'Grew', 21],
    ],
  )
})

test('refused: metered usage, a switch that is neither on nor off, and what nobody could be billed for', () => {
  assert.throws(() => allocatable(meteredComponent(), '1'), /can only be updated for quantity and on\/off/)
  for (const quantity of ['2', '10', '1.5'])
    assert.throws(() => allocatable(onOffComponent(), quantity), /must be 0 or 1/)
  assert.deepEqual([allocatable(onOffComponent(), '0'), allocatable(onOffComponent(), '1')], ['0', '1'])
  assert.throws(() => allocatable(quantityComponent(), '10.3'), /must be a whole number/)
  assert.equal(allocatable(quantityComponent({ allowFractionalQuantities: true }), '2.5'), '2.5')
  assert.throws(() => allocatable(users, '1000000000'), Refusal)
})
