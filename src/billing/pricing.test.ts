/** What quantities cost: the four schemes, exact decimals, and quantities beyond the brackets. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { quantityComponent } from '../../test/support/component-facts.ts'
import type { PriceBracket, PricingScheme } from './component.ts'
import { isWithinBrackets, priceOf, refuseUnpriceable } from './pricing.ts'
import { Refusal } from './refusal.ts'

const bracket = (startingQuantity: number, endingQuantity: number | null, unitPrice: string): PriceBracket => ({
  startingQuantity,
  endingQuantity,
  unitPrice,
})

const priced = (pricingScheme: PricingScheme, ...prices: PriceBracket[]) =>
  quantityComponent({ pricingScheme, unitPrice: null, prices })

const twoForOne = [bracket(1, 10, '2'), bracket(11, 20, '1')] as const
const schemes = {
  per_unit: priced('per_unit', bracket(1, null, '2')),
  volume: priced('volume', ...twoForOne),
  tiered: priced('tiered', ...twoForOne),
  stairstep: priced('stairstep', bracket(1, 10, '10'), bracket(11, 20, '20')),
}

describe('the published examples of the four schemes', () => {
  const cases: [PricingScheme, ten: number, twenty: number][] = [
    ['per_unit', 2000, 4000],
    ['volume', 2000, 2000],
    ['tiered', 2000, 3000],
    ['stairstep', 1000, 2000],
  ]
  for (const [scheme, ten, twenty] of cases) {
    test(`${scheme}: 10 cost ${ten} cents, 20 cost ${twenty}`, () => {
      assert.deepEqual([priceOf(schemes[scheme], '10', 1), priceOf(schemes[scheme], '20', 1)], [ten, twenty])
    })
  }
})

test('nothing costs nothing, and neither does what lies below the lowest bracket', () => {
  for (const component of Object.values(schemes)) {
    assert.deepEqual([priceOf(component, '0', 1), priceOf(component, '-3', 1)], [0, 0])
  }
  const late = [bracket(5, null, '2')]
  assert.equal(priceOf(priced('volume', ...late), '4', 1), 0)
  assert.equal(priceOf(priced('stairstep', ...late), '4', 1), 0)
  assert.equal(priceOf(priced('tiered', ...late), '4', 1), 0)
  assert.equal(priceOf(priced('tiered', ...late), '6', 1), 400)
  assert.equal(priceOf(priced('volume', ...late), '5', 1), 1000)
})

test('a fraction belongs to the bracket of the next whole unit, and is exact', () => {
  assert.equal(priceOf(schemes.volume, '9.5', 1), 1900)
  assert.equal(priceOf(schemes.volume, '10.5', 1), 1050)
  assert.equal(priceOf(schemes.tiered, '10.5', 1), 2050)
  assert.equal(priceOf(schemes.stairstep, '10.00000001', 1), 2000)
  assert.equal(priceOf(schemes.per_unit, '0.0025', 1), 1)
  assert.equal(priceOf(schemes.per_unit, '0.0024', 1), 0)
})

test('unit prices are exact decimals: tenths of a cent add up before they are rounded', () => {
  const cheap = quantityComponent({ unitPrice: '0.0001' })
  assert.deepEqual(
    [priceOf(cheap, '49', 1), priceOf(cheap, '50', 1), priceOf(cheap, '1000000000000', 1)],
    [0, 1, 10_000_000_000],
  )
  const tiers = priced('tiered', bracket(1, 1, '0.0049'), bracket(2, null, '0.0001'))
  assert.equal(priceOf(tiers, '2', 1), 1)
})

test('a quantity beyond the last bracket has no price, and one that costs more than ten billion is too large', () => {
  for (const scheme of ['volume', 'tiered', 'stairstep'] as const) {
    for (const refused of [() => priceOf(schemes[scheme], '21', 1), () => refuseUnpriceable(schemes[scheme], '20.5')]) {
      assert.throws(refused, new Refusal('invalid', ['Quantity: Users has no price for more than 20.']))
    }
    refuseUnpriceable(schemes[scheme], '20')
  }
  const steps = priced('stairstep', bracket(1, null, '1000000'))
  refuseUnpriceable(steps, '1000000000')
  const dear = quantityComponent({ unitPrice: '1000000' })
  refuseUnpriceable(dear, '10000')
  assert.throws(() => refuseUnpriceable(dear, '10001'), new Refusal('invalid', ['Quantity: is too large for Users.']))
})

test('prices of eight decimals count to the last of them, and only the sum is rounded', () => {
  const tiny = quantityComponent({ unitPrice: '0.00000065' })
  const costs = ['7692', '7693', '1000000', '1000000000000'].map((quantity) => priceOf(tiny, quantity, 1))
  assert.deepEqual(costs, [0, 1, 65, 65_000_000])
  const tiers = priced('tiered', bracket(1, 1, '0.00499999'), bracket(2, 2, '0.00000001'), bracket(3, null, '1'))
  assert.deepEqual([priceOf(tiers, '1', 1), priceOf(tiers, '2', 1)], [0, 1])
  assert.equal(priceOf(quantityComponent({ unitPrice: '999999.99999999' }), '10000', 1), 1_000_000_000_000)
})

test('a fraction that no floating number can tell from the whole belongs to the next bracket all the same', () => {
  const ends = 100_000_000
  const steps = priced('stairstep', bracket(1, ends, '1'), bracket(ends + 1, null, '2'))
  assert.deepEqual([priceOf(steps, `${ends}`, 1), priceOf(steps, `${ends}.00000001`, 1)], [100, 200])
})

const places = 100_000_000n
const textOf = (units: bigint): string =>
  `${units / places}.${String(units % places).padStart(8, '0')}`.replace(/\.?0+$/, '')
const upTo = (max: bigint) => fc.bigInt({ min: 0n, max: max * places })

/** In units of the sixteenth decimal, where every product of two prices or quantities is whole. */
function exactly(scheme: PricingScheme, ends: readonly number[], prices: readonly bigint[], quantity: bigint): bigint {
  const limits = ends.map((end) => BigInt(end) * places)
  const place = limits.findIndex((limit) => quantity <= limit)
  const of = place < 0 ? ends.length : place
  if (scheme === 'per_unit') return quantity * prices[0]!
  if (scheme === 'volume') return quantity * prices[of]!
  if (scheme === 'stairstep') return places * prices[of]!
  const starts = [0n, ...limits]
  return prices.slice(0, of + 1).reduce((sum, price, tier) => {
    const end = tier === of ? quantity : limits[tier]!
    return sum + (end - starts[tier]!) * price
  }, 0n)
}

test('whatever the scheme, it costs the exact sum of exact products, rounded once', () => {
  const unitPrices = fc.array(upTo(1000n), { minLength: 3, maxLength: 3 })
  const cut = fc.integer({ min: 1, max: 1_000_000 })
  fc.assert(
    fc.property(
      fc.constantFrom<PricingScheme[]>('per_unit', 'volume', 'tiered', 'stairstep'),
      unitPrices,
      fc.tuple(cut, cut),
      upTo(3_000_000n).filter((quantity) => quantity > 0n),
      fc.constantFrom<(1 | 100)[]>(1, 100),
      (scheme, prices, [first, more], quantity, unit) => {
        const ends = scheme === 'per_unit' ? [] : [first, first + more]
        const brackets = [...ends, null].map((end, at) =>
          bracket(at === 0 ? 1 : ends[at - 1]! + 1, end, textOf(prices[at]!)),
        )
        const whole = places * places * BigInt(unit)
        const sum = 100n * exactly(scheme, ends, prices, quantity)
        const rounded = ((2n * sum + whole) / (2n * whole)) * BigInt(unit)
        assert.equal(priceOf(priced(scheme, ...brackets), textOf(quantity), unit), Number(rounded))
      },
    ),
    { numRuns: 500 },
  )
})

/** One unit after the other, each at the price of its tier, in ten thousandths of a dollar. */
const tierByTier = (prices: readonly PriceBracket[], quantity: number): number => {
  let sum = 0
  for (let unit = 1; unit <= quantity; unit++) {
    const tier = prices.find((one) => one.startingQuantity <= unit && unit <= (one.endingQuantity ?? unit))
    sum += Math.round(Number(tier?.unitPrice ?? 0) * 10_000)
  }
  return Math.floor(sum / 100 + 0.5)
}

test('tiers cost what their units cost one by one', () => {
  const price = fc.integer({ min: 1, max: 99_999 }).map((units) => (units / 10_000).toFixed(4))
  const cuts = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(
      cuts,
      fc.array(price, { minLength: 5, maxLength: 5 }),
      fc.integer({ min: 0, max: 80 }),
      (ends, prices, quantity) => {
        const sorted = ends.toSorted((a, b) => a - b)
        const brackets = sorted.map((end, place) =>
          bracket((sorted[place - 1] ?? 0) + 1, place === sorted.length - 1 ? null : end, prices[place]!),
        )
        assert.equal(priceOf(priced('tiered', ...brackets), String(quantity), 1), tierByTier(brackets, quantity))
      },
    ),
    { numRuns: 200 },
  )
})

test('how dear it gets goes by the brackets alone where there is no price for each unit', () => {
  const cheap = priced('volume', bracket(1, null, '0.1'))
  assert.doesNotThrow(() => refuseUnpriceable(cheap, '100000000000'))
  assert.throws(() => refuseUnpriceable(cheap, '100000000001'), Refusal)
})

test('only brackets that end, and no price for each unit, leave a quantity without a price', () => {
  const ending = [bracket(1, 10, '2')]
  const knows = (scheme: PricingScheme | null, unitPrice: string | null, quantity: string) =>
    isWithinBrackets(quantityComponent({ pricingScheme: scheme, unitPrice, prices: ending }), quantity)
  assert.deepEqual([knows('volume', null, '10'), knows('volume', null, '11')], [true, false])
  assert.deepEqual(
    [knows('volume', '1', '11'), knows('per_unit', null, '11'), knows(null, null, '11')],
    [...[true, true, true]],
  )
  assert.equal(isWithinBrackets(priced('tiered', bracket(1, null, '2')), '1000000'), true)
})
