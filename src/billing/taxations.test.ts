/** What falls on a charge of several taxes is told with the row of each tax. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tax } from '../../test/support/component-facts.ts'
import { at, signedUp } from '../../test/support/story-facts.ts'
import { Act } from './act.ts'
import { assess } from './assessment.ts'
import { chargeLine } from './line-item.ts'
import { cents } from './money.ts'

test('of two taxes on one charge each names its own row', () => {
  const { facts, ids } = signedUp()
  const act = new Act(facts, at('2026-02-10T00:00:00Z'), ids)
  const city = { ...tax, id: 32, name: 'City', rate: '1' }
  const { lines } = assess(
    [chargeLine('one_time', cents(10_000), 'Setup', true)],
    { minorUnit: 1, coupons: [], taxes: [tax, city] },
    1,
  )
  act.writeLines(lines, 1)
  const { transactions, taxations } = act.changes(facts.subscription)
  const rowOf = (taxId: number) => transactions!.find((row) => row.taxId === taxId)!.id
  assert.deepEqual(
    taxations!.map(({ taxId, amount, taxChargeId }) => [taxId, amount, taxChargeId]),
    [
      [31, 625, rowOf(31)],
      [32, 100, rowOf(32)],
    ],
  )
})
