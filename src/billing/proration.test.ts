/** The rest of a period: published amounts, cuts anywhere, changes undone. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { cents } from './money.ts'
import { proratedChange, type Rest, restOf } from './proration.ts'

const at = (text: string): Temporal.Instant => Temporal.Instant.from(text)
const december = { startsAt: at('2016-12-07T20:29:07Z'), endsAt: at('2017-01-07T20:29:07Z') }

describe('published prorations', () => {
  test('2165369 of 2678400 seconds: 11000 is 8893, 2025 is 1637, the change between them 7256', () => {
    const rest = restOf(december, december.endsAt.subtract({ seconds: 2_165_369 }))
    assert.deepEqual(rest, { part: 2_165_369, whole: 2_678_400 })
    assert.equal(proratedChange(cents(0), cents(11_000), rest, 1), 8893)
    assert.equal(proratedChange(cents(0), cents(2025), rest, 1), 1637)
    assert.equal(proratedChange(cents(2025), cents(11_000), rest, 1), 7256)
  })

  test('a second user at 1500 for 1810889 of 2678400 seconds is 1014', () => {
    assert.equal(proratedChange(cents(1500), cents(3000), { part: 1_810_889, whole: 2_678_400 }, 1), 1014)
  })
})

test('all of a period is left at its start and before it, nothing at its end and after it', () => {
  const { startsAt, endsAt } = december
  const left = [
    startsAt,
    startsAt.subtract({ hours: 1 }),
    endsAt.subtract({ seconds: 1 }),
    endsAt,
    endsAt.add({ hours: 1 }),
  ]
  assert.deepEqual(
    left.map((moment) => restOf(december, moment).part),
    [2_678_400, 2_678_400, 1, 0, 0],
  )
})

const price = fc.integer({ min: 0, max: 10_000_000 }).map(cents)
const whole = 2_678_400
const second = fc.integer({ min: 0, max: whole })
const restAfter = (elapsed: number): Rest => ({ part: whole - elapsed, whole })

test('wherever a period is cut, its parts sum to the whole', () => {
  fc.assert(
    fc.property(price, fc.array(second, { maxLength: 6 }), (amount, cuts) => {
      const moments = [0, ...cuts.toSorted((a, b) => a - b), whole]
      const worth = moments.map((moment) => proratedChange(cents(0), amount, restAfter(moment), 1))
      const parts = worth.slice(1).map((left, place) => worth[place]! - left)
      assert.ok(parts.every((part) => part >= 0))
      assert.equal(
        parts.reduce((sum, part) => sum + part, 0),
        amount,
      )
    }),
  )
})

test('changes of one moment come to the same whatever the steps, and one that is undone to nothing', () => {
  fc.assert(
    fc.property(price, fc.array(price, { minLength: 1, maxLength: 5 }), second, (first, others, elapsed) => {
      const rest = restAfter(elapsed)
      const way = [first, ...others]
      const steps = others.map((to, place) => proratedChange(way[place]!, to, rest, 1))
      assert.equal(
        steps.reduce((sum, step) => sum + step, 0),
        proratedChange(first, way.at(-1)!, rest, 1),
      )
      assert.equal(proratedChange(first, way[1]!, rest, 1) + proratedChange(way[1]!, first, rest, 1), 0)
    }),
  )
})
