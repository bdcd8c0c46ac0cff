/** What a period and a trial cost, line by line. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { at, product } from '../../test/support/story-facts.ts'
import { type LineItem, paidPeriodLines, trialLines } from './line-item.ts'
import { cents, sumCents } from './money.ts'

const period = { startsAt: at('2026-10-04T03:30:00Z'), endsAt: at('2026-11-05T00:00:00Z') }
const told = (lines: readonly LineItem[]) => lines.map(({ kind, amount, memo }) => [kind, Number(amount), memo])

const setup = { initialCharge: cents(1500) }

describe('a paid period', () => {
  test('is one line with the days of the site, not of UTC', () => {
    const lines = paidPeriodLines(product(), period, 'America/New_York', { withInitialCharge: true })
    assert.deepEqual(told(lines), [['baseline', 5000, 'Pro (10/03/2026 - 11/04/2026)']])
  })

  test('brings the setup fee only when it falls due', () => {
    const due = paidPeriodLines(product(setup), period, 'UTC', { withInitialCharge: true })
    assert.deepEqual(told(due), [
      ['baseline', 5000, 'Pro (10/04/2026 - 11/05/2026)'],
      ['initial', 1500, 'Initial/Startup fees'],
    ])
    assert.equal(sumCents(due.map((line) => line.amount)), 6500)
    const later = paidPeriodLines(product(setup), period, 'UTC', { withInitialCharge: false })
    assert.deepEqual(told(later), [['baseline', 5000, 'Pro (10/04/2026 - 11/05/2026)']])
  })

  test('writes its line also when it costs nothing', () => {
    const lines = paidPeriodLines(product({ price: cents(0) }), period, 'UTC', { withInitialCharge: true })
    assert.deepEqual(told(lines), [['baseline', 0, 'Pro (10/04/2026 - 11/05/2026)']])
  })
})

describe('a trial', () => {
  test('writes its line also when it costs nothing, under a name that is not the product’s', () => {
    assert.deepEqual(told(trialLines(product(), cents(0), period, 'UTC')), [
      ['trial', 0, 'Trial Price (10/04/2026 - 11/05/2026)'],
    ])
  })

  test('brings the setup fee at once, unless that waits for its end', () => {
    assert.deepEqual(told(trialLines(product(setup), cents(200), period, 'UTC')), [
      ['trial', 200, 'Trial Price (10/04/2026 - 11/05/2026)'],
      ['initial', 1500, 'Initial/Startup fees'],
    ])
    const waiting = product({ ...setup, initialChargeAfterTrial: true })
    assert.equal(sumCents(trialLines(waiting, cents(200), period, 'UTC').map((line) => line.amount)), 200)
  })
})

test('the whole amount of a taxable product is taxable, nothing of another', () => {
  for (const taxable of [true, false]) {
    const sold = product({ ...setup, taxable })
    const lines = [
      ...paidPeriodLines(sold, period, 'UTC', { withInitialCharge: true }),
      ...trialLines(sold, cents(300), period, 'UTC'),
    ]
    for (const { amount, taxableAmount, discountAmount } of lines) {
      assert.deepEqual([Number(taxableAmount), Number(discountAmount)], [taxable ? amount : 0, 0])
    }
  }
})
