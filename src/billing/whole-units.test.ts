/** Of a currency without cents nothing is computed or taken but whole units: a hundred times what cents would come to. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { quantityComponent } from '../../test/support/component-facts.ts'
import { at, risingIds, signedUp, site } from '../../test/support/story-facts.ts'
import { decideAdjustment } from './adjustment.ts'
import { decideCharge } from './charge.ts'
import { decideInvoiceCharge } from './invoice-charge.ts'
import {
  cents,
  minorUnitOf,
  multiplyDecimal,
  percentageOf,
  prorate,
  shareByLargestRemainder,
  sumCents,
  sumOfProducts,
} from './money.ts'
import { decideExternalPayment } from './payment.ts'
import { newAttempt, noCard } from './payment-attempt.ts'
import { priceOf } from './pricing.ts'
import { proratedChange } from './proration.ts'
import { decideRefund } from './refund.ts'
import { currencies } from './site.ts'
import { isWhole, refuseCents } from './whole-units.ts'

test('a currency has cents, or none, as the standard says; none has thousandths', () => {
  for (const currency of currencies) {
    const { maximumFractionDigits } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
    assert.equal(minorUnitOf(currency), { 0: 100, 2: 1 }[maximumFractionDigits!], currency)
  }
})

test('what is computed is rounded once, to whole units, the half away from zero', () => {
  assert.equal(prorate(cents(100_000), { part: 67_569, whole: 100_000 }, 100), 67_600)
  assert.equal(prorate(cents(-100), { part: 1, whole: 2 }, 100), -100)
  assert.equal(prorate(cents(100), { part: 49, whole: 100 }, 100), 0)
  assert.equal(percentageOf(cents(99_900), '10', 100), 10_000)
  assert.equal(multiplyDecimal('3', '0.5', 100), 200)
  assert.equal(multiplyDecimal('1', '0.4999', 100), 0)
  const halves = [
    { quantity: '1', unitPrice: '0.25' },
    { quantity: '1', unitPrice: '0.25' },
  ]
  assert.equal(sumOfProducts(halves, 100), 100)
  assert.deepEqual(shareByLargestRemainder(cents(200), [cents(100), cents(100), cents(100)], 100), [100, 100, 0])
})

test('it is a hundred times what cents come to of a hundredth', () => {
  const amount = fc.integer({ min: -10_000_000, max: 10_000_000 })
  const whole = 2_678_400
  fc.assert(
    fc.property(amount, fc.nat(whole), fc.nat(100_000), fc.array(fc.nat(100_000)), (value, part, rate, weights) => {
      const percent = String(rate / 1000)
      const dear = cents(value * 100)
      const rest = { part, whole }
      const hundredfold = (result: number) => result * 100 + 0
      assert.equal(prorate(dear, rest, 100), hundredfold(prorate(cents(value), rest, 1)))
      assert.equal(percentageOf(dear, percent, 100), hundredfold(percentageOf(cents(value), percent, 1)))
      const change = proratedChange(cents(0), cents(value), rest, 1)
      assert.equal(proratedChange(cents(0), dear, rest, 100), hundredfold(change))
      if (weights.length === 0) return
      const parts = shareByLargestRemainder(
        dear,
        weights.map((one) => cents(one * 100)),
        100,
      )
      assert.deepEqual(parts, shareByLargestRemainder(cents(value), weights.map(cents), 1).map(hundredfold))
      assert.equal(sumCents(parts), dear)
    }),
  )
})

test('a price of a part of a unit makes whole amounts, in every scheme', () => {
  const prices = [
    { startingQuantity: 1, endingQuantity: 10, unitPrice: '12.345' },
    { startingQuantity: 11, endingQuantity: null, unitPrice: '0.3333' },
  ]
  for (const pricingScheme of ['per_unit', 'volume', 'tiered', 'stairstep'] as const) {
    const isFlat = pricingScheme === 'per_unit'
    const own = isFlat ? { unitPrice: '12.345', prices: [] } : { unitPrice: null, prices }
    const component = quantityComponent({ pricingScheme, ...own })
    for (let quantity = 0; quantity <= 30; quantity++) {
      const exact = priceOf(component, String(quantity), 1)
      const price = priceOf(component, String(quantity), 100)
      assert.equal(price % 100, 0)
      assert.ok(Math.abs(price - exact) <= 50, `${quantity} of ${pricingScheme}`)
    }
  }
})

describe('an amount that somebody gives', () => {
  const japanese = () => {
    const lived = signedUp({ site: site({ currency: 'JPY' }) })
    return { ...lived, now: at('2026-02-01T00:00:00Z') }
  }
  const said = /^Refusal: Amount: must be whole, since JPY has no cents\.$/
  const memo = 'm'

  test('is refused with cents that its currency has not, in words', () => {
    const { facts, ids, now } = japanese()
    const amount = cents(67_569)
    const charge = {
      amount,
      memo,
      useNegativeBalance: false,
      delayCapture: true,
      accrueOnFailure: false,
      taxable: false,
    }
    const refund = { amount, memo, paymentId: null, isExternal: true }
    const refundable = { payment: null, underWay: cents(0) }
    assert.throws(() => decideCharge(facts, { ...charge, collectionMethod: null }, now, ids), said)
    assert.throws(() => decideInvoiceCharge(facts, 1, { amount, memo, taxable: false }, now, ids), said)
    for (const isTarget of [true, false]) {
      assert.throws(() => decideAdjustment(facts, { amount, memo, isTarget }, now, ids), said)
    }
    assert.throws(() => decideExternalPayment(facts, { amount, memo }, now, ids), said)
    assert.throws(() => decideRefund(facts, refund, refundable, now, ids), said)
    const dollars = { ...facts, site: site() }
    assert.equal(decideAdjustment(dollars, { amount, memo, isTarget: false }, now, ids).transactions?.length, 1)
  })

  test('is named, each for itself, and nothing is whole too', () => {
    assert.throws(
      () => refuseCents('JPY', { Price: cents(1), 'Initial charge': cents(100), 'Trial Price': cents(99) }),
      {
        messages: [
          'Price: must be whole, since JPY has no cents.',
          'Trial Price: must be whole, since JPY has no cents.',
        ],
      },
    )
    refuseCents('JPY', { Price: null, Amount: cents(-200) })
    refuseCents('USD', { Price: cents(1) })
    assert.deepEqual([isWhole(cents(150), 'JPY'), isWhole(cents(150), 'EUR')], [false, true])
  })

  test('with cents is never asked of anybody', () => {
    const { facts, now } = japanese()
    const wish = {
      reason: 'charge',
      asked: { gateway: 'bogus', vaultToken: '1', ...noCard },
      intent: null,
      now,
    } as const
    assert.throws(() => newAttempt(facts, { ...wish, amount: cents(67_569) }, risingIds()), /nobody can be asked/)
    assert.equal(newAttempt(facts, { ...wish, amount: cents(67_500) }, risingIds()).amount, 67_500)
  })
})
