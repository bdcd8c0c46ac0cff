/** What components cost in an assessment: in advance, in arrears, and in which order they are listed. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  holding,
  meteredComponent,
  onOffComponent,
  pricedWith,
  quantityComponent,
} from '../../test/support/component-facts.ts'
import { assessed, product, signedUp } from '../../test/support/story-facts.ts'
import type { Changes } from './changes.ts'
import { componentLines } from './component-lines.ts'
import { cents } from './money.ts'

const users = quantityComponent()
const support = onOffComponent()
const messages = meteredComponent()

const rows = (changes: Changes) =>
  (changes.transactions ?? []).map(({ type, kind, memo, amount }) => [`${type}/${kind}`, memo, Number(amount)])

describe('a sign-up', () => {
  test('pays quantities and switches in advance, and no usage', () => {
    const pricing = pricedWith(holding(users, '3'), holding(support, '1'), holding(messages, '0', '1000'))
    assert.deepEqual(rows(signedUp({ pricing }).changes), [
      ['charge/baseline', 'Pro (01/31/2026 - 02/28/2026)', 5000],
      ['charge/quantity_based_component', 'Users: 3 Users', 4500],
      ['charge/on_off_component', 'Support', 4500],
      ['payment/null', 'Ada Lovelace - Pro: Signup payment', 14_000],
    ])
  })

  test('pays no component during a trial; its end bills them and the usage of the trial', () => {
    const pricing = pricedWith(holding(users, '3'), holding(messages, '0', '1000'))
    const trial = { price: cents(0), interval: { count: 7, unit: 'day' }, type: 'payment_expected' } as const
    const lived = signedUp({ pricing, product: product({ trial }) })
    assert.deepEqual(rows(lived.changes), [['charge/trial', 'Trial Price (01/31/2026 - 02/07/2026)', 0]])
    const ended = assessed(lived)
    assert.deepEqual(rows(ended.changes), [
      ['charge/baseline', 'Pro (02/07/2026 - 03/07/2026)', 5000],
      ['charge/quantity_based_component', 'Users: 3 Users', 4500],
      ['charge/metered_component', 'Messages: 1000 messages', 500],
    ])
    assert.deepEqual(ended.changes.billedUsage, [{ subscriptionId: 9, componentId: 23 }])
  })
})

test('quantities come first, then usage, then switches; what comes to 0 has no line', () => {
  const lines = componentLines(
    [
      holding(onOffComponent({ id: 1 }), '1'),
      holding(meteredComponent({ id: 2 }), '0', '1'),
      holding(meteredComponent({ id: 3 }), '0', '2'),
      holding(quantityComponent({ id: 4, unitName: 'box' }), '2'),
      holding(quantityComponent({ id: 5, unitName: 'company', allowFractionalQuantities: true }), '20'),
      holding(quantityComponent({ id: 6 }), '0'),
      holding(onOffComponent({ id: 7 }), '0'),
    ],
    1,
  )
  assert.deepEqual(
    lines.map(({ componentId, memo, amount }) => [componentId, memo, amount]),
    [
      [4, 'Users: 2 boxes', 3000],
      [5, 'Users: 20.0 companies', 30_000],
      [2, 'Messages: 1 message', 1],
      [3, 'Messages: 2 messages', 1],
      [1, 'Support', 4500],
    ],
  )
})
