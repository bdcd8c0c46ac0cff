/** For which time the prices of a current period are, when quantities change in its middle. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assessed, at, product, signedUp, written } from '../../test/support/story-facts.ts'
import { type firstCharges, restOfPrices } from './calendar-billing.ts'
import { decideUpdate } from './update.ts'

describe('what is left of the time that prices are for', () => {
  const days = (facts: Parameters<typeof restOfPrices>[0], now: string) => {
    const rest = restOfPrices(facts, at(now))
    return rest && [rest.part / 86_400, rest.whole / 86_400]
  }
  const signedUpOn = (now: string, firstCharge: (typeof firstCharges)[number] = 'prorated') =>
    signedUp({ now, product: product(), calendar: { snapDay: '15', firstCharge } })

  test('is of a month in a shorter first period, and of nothing where its charge is delayed', () => {
    assert.deepEqual(days(signedUpOn('2026-06-05T12:00:00Z').facts, '2026-06-07T12:00:00Z'), [8, 31])
    assert.equal(days(signedUpOn('2026-06-05T12:00:00Z', 'delayed').facts, '2026-06-07T12:00:00Z'), null)
  })

  test('is of a regular period until the first renewal of an import, by the second; of its own ones then', () => {
    const imported = (nextBillingAt: string) =>
      signedUp({ now: '2026-06-05T12:00:00Z', product: product(), nextBillingAt: at(nextBillingAt) })
    const short = imported('2026-06-06T12:00:00Z')
    assert.deepEqual(days(short.facts, '2026-06-05T12:00:00Z'), [1, 31])
    assert.deepEqual(days(imported('2026-09-05T12:00:00Z').facts, '2026-06-05T12:00:00Z'), [92, 92])
    assert.deepEqual(days(assessed(short).facts, '2026-06-21T12:00:00Z'), [15, 30])
  })

  test('is of the whole period where that is longer than a month', () => {
    assert.deepEqual(days(signedUpOn('2026-06-14T12:00:00Z').facts, '2026-06-20T12:00:00Z'), [25, 31])
    const { facts, ids } = signedUpOn('2026-06-15T12:00:00Z')
    const moved = written({ facts, ids }, decideUpdate(facts, { snapDay: '25' }, at('2026-06-16T00:00:00Z'), ids))
    assert.deepEqual(days(moved.facts, '2026-06-20T12:00:00Z'), [35, 40])
  })
})
