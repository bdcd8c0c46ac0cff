/** The preview of a sign-up promises what the sign-up charges, and what the renewal after it does. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { holding, meteredComponent, onOffComponent, quantityComponent } from '../../test/support/component-facts.ts'
import { amountOff, percentOff, several, taxOf } from '../../test/support/coupons-and-taxes.ts'
import { assessed, at, product, signedUp, site } from '../../test/support/story-facts.ts'
import { firstCharges } from './calendar-billing.ts'
import type { Changes } from './changes.ts'
import { cents } from './money.ts'
import { planSignup, type SignupTerms } from './signup.ts'
import { previewSignup } from './signup-preview.ts'
import { plainPricing } from './subscription.ts'

const now = '2026-01-31T12:00:00Z'
const terms = (change: Partial<SignupTerms> = {}): SignupTerms => ({
  site: site(),
  product: product(),
  collectionMethod: 'automatic',
  nextBillingAt: null,
  pricing: plainPricing,
  ...change,
})
const preview = (change: Partial<SignupTerms>) => previewSignup(planSignup(terms(change), at(now)), at(now))

type Shown = { kind: string | null; amount: number; discountAmount: number; taxableAmount: number; memo: string }
const line = ({ kind, amount, discountAmount, taxableAmount, memo }: Shown) => [
  kind,
  amount,
  discountAmount,
  taxableAmount,
  memo,
]
/** What changes write, but for payments, as manifests show it. */
const charged = (changes: Changes) =>
  (changes.transactions ?? []).filter(({ type }) => type === 'charge' || type === 'adjustment').map(line)

describe('the published examples of a sign-up preview', () => {
  test('50.00, a component of 280.00 and a setup fee of 20.00: 350.00 now, 330.00 next', () => {
    const components = [holding(quantityComponent({ unitPrice: '280' }), '1')]
    const { current, next } = preview({
      product: product({ initialCharge: cents(2000) }),
      pricing: { ...plainPricing, components },
    })
    assert.equal(current.assessment.total, 35_000)
    assert.equal(next?.assessment.total, 33_000)
  })

  test('30.00 half off once, taxed by 25 %: 18.75 now, 37.50 when the coupon is finished', () => {
    const coupon = { ...percentOff('50'), usesAllowed: 1 }
    const { current, next } = preview({
      product: product({ price: cents(3000), taxable: true }),
      pricing: { ...plainPricing, coupons: [coupon], taxes: [taxOf('25')] },
    })
    const { subtotal, discount, tax, total } = current.assessment
    assert.deepEqual([subtotal, discount, tax, total], [3000, 1500, 375, 1875])
    assert.deepEqual([next?.assessment.tax, next?.assessment.total], [750, 3750])
  })
})

test('it shows the periods, a trial as such, and what a coupon leaves as credit', () => {
  const trial = { price: cents(0), interval: { count: 14, unit: 'day' }, type: 'payment_expected' } as const
  const tried = preview({ product: product({ trial }) })
  assert.equal(tried.current.periodType, 'trial')
  assert.equal(String(tried.current.about.period.endsAt), '2026-02-14T12:00:00Z')
  assert.equal(tried.next?.periodType, 'recurring')
  assert.equal(String(tried.next?.about.period.startsAt), '2026-02-14T12:00:00Z')
  const gift = amountOff(10_000)
  const coupon = { ...gift, coupon: { ...gift.coupon, allowNegativeBalance: true }, usesAllowed: 1 }
  const credited = preview({ pricing: { ...plainPricing, coupons: [coupon] } })
  assert.deepEqual([credited.current.existingBalance, credited.next?.existingBalance], [0, -5000])
})

test('what expires before its first renewal has no next manifest', () => {
  assert.equal(preview({ product: product({ expiration: { count: 1, unit: 'month' } }) }).next, null)
})

test('the preview is the sign-up, and the renewal after it', () => {
  const interval = fc.record({ count: fc.integer({ min: 1, max: 40 }), unit: fc.constantFrom('day', 'month') })
  const cases = fc.record({
    price: fc.integer({ min: 0, max: 100_000 }),
    fee: fc.integer({ min: 0, max: 5000 }),
    initialChargeAfterTrial: fc.boolean(),
    interval,
    trial: fc.option(fc.record({ price: fc.integer({ min: 0, max: 900 }), interval })),
    users: fc.integer({ min: 0, max: 5 }),
    calls: fc.integer({ min: 0, max: 5000 }),
    coupons: fc.subarray([percentOff('33'), { ...percentOff('100'), usesAllowed: 1 }, amountOff(1234)]),
    rate: fc.constantFrom(null, '6.25', '19'),
    firstCharge: fc.constantFrom(null, ...firstCharges),
    importedIn: fc.constantFrom(null, 400),
  })
  fc.assert(
    fc.property(cases, (given) => {
      const isCalendar = given.firstCharge !== null
      const trial = given.trial && {
        ...given.trial,
        price: cents(given.trial.price),
        type: 'payment_expected' as const,
      }
      const offer = {
        price: cents(given.price),
        initialCharge: cents(given.fee),
        initialChargeAfterTrial: given.initialChargeAfterTrial,
        taxable: true,
        ...(!isCalendar && { interval: given.interval, trial }),
      }
      const components = [
        holding(quantityComponent({ taxable: true }), String(given.users)),
        holding(onOffComponent(), '1'),
        holding(meteredComponent(), '0', String(given.calls)),
      ]
      const taxes = given.rate === null ? [] : [taxOf(given.rate)]
      const wanted: Partial<SignupTerms> = {
        product: product(offer),
        pricing: { ...plainPricing, components, taxes, coupons: several(...given.coupons) },
        calendar: given.firstCharge && { snapDay: 'end', firstCharge: given.firstCharge },
        nextBillingAt: given.importedIn === null || isCalendar ? null : at(now).add({ hours: given.importedIn }),
      }
      const { current, next } = preview(wanted)
      const first = signedUp({ ...wanted, now })
      assert.deepEqual(charged(first.changes), current.assessment.lines.map(line))
      assert.equal(String(first.facts.subscription.currentPeriodEndsAt), String(current.about.period.endsAt))
      const { changes } = assessed(first)
      assert.equal(next?.existingBalance, first.facts.subscription.balance)
      assert.deepEqual(charged(changes), next?.assessment.lines.map(line))
      assert.equal(String(changes.subscription?.currentPeriodEndsAt), String(next?.about.period.endsAt))
    }),
    { numRuns: 100 },
  )
})
