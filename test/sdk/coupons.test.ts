/** The official SDK on coupons: it sends them its own way, and understands every answer. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  ApiError,
  CompoundingStrategy,
  DiscountType,
  RecurringScheme,
  RestrictionType,
  SubscriptionAddCouponError,
  SubscriptionInclude,
  SubscriptionRemoveCouponErrorsError,
} from '@maxio-com/advanced-billing-sdk'
import { made, openShop, signup } from '../api/shop.ts'
import { testTls } from '../support/tls.ts'
import { openMerchant } from './merchant.ts'

const shop = await openShop()
const merchant = openMerchant({ ...shop, subdomain: 'acme', certificate: testTls.cert })
after(() => merchant.leave())
const { coupons, subscriptions } = merchant
const { familyId } = shop

test('makes, finds, validates, changes, lists and archives coupons, and their subcodes', async () => {
  const { result } = await coupons.createCoupon(familyId, {
    coupon: {
      name: '15% off',
      code: '15OFF',
      description: '15% off for life',
      percentage: '15',
      allowNegativeBalance: false,
      recurring: false,
      endDate: '2029-08-29T12:00:00-04:00',
      productFamilyId: String(familyId),
    },
  })
  const coupon = result.coupon
  const id = coupon?.id ?? 0
  assert.deepEqual([coupon?.code, coupon?.percentage, coupon?.endDate], ['15OFF', '15', '2029-08-29T23:59:59+00:00'])
  assert.equal((await coupons.findCoupon(familyId, '15off')).result.coupon?.id, id)
  assert.equal((await coupons.validateCoupon('15OFF', familyId)).result.coupon?.id, id)
  assert.equal((await coupons.readCoupon(familyId, id)).result.coupon?.name, '15% off')
  const changed = await coupons.updateCoupon(familyId, id, {
    coupon: { name: 'Fifteen', code: '15OFF', description: '' },
  })
  assert.equal(changed.result.coupon?.name, 'Fifteen')
  assert.equal((await coupons.listCoupons({})).result.length, 1)
  assert.equal((await coupons.listCouponsForProductFamily({ productFamilyId: familyId })).result.length, 1)
  const sorted = await coupons.createCouponSubcodes(id, { codes: ['A%1', 'b2', 'no way'] })
  assert.deepEqual(sorted.result.createdCodes, ['A%1', 'B2'])
  assert.deepEqual(sorted.result.invalidCodes, ['NO WAY'])
  assert.deepEqual((await coupons.listCouponSubcodes({ couponId: id })).result.codes, ['A%1', 'B2'])
  assert.equal((await coupons.deleteCouponSubcode(id, 'A%1')).statusCode, 200)
  assert.deepEqual((await coupons.updateCouponSubcodes(id, { codes: ['C3'] })).result.createdCodes, ['C3'])
  const usage = await coupons.readCouponUsage(familyId, id)
  assert.deepEqual([usage.result[0]?.signups, usage.result[0]?.savings], [0, 0])
  assert.match(String((await coupons.archiveCoupon(familyId, id)).result.coupon?.archivedAt), /^2027-01-15T/)
  await assert.rejects(
    coupons.validateCoupon('15OFF', familyId),
    (error) => error instanceof ApiError && error.statusCode === 404,
  )
})

test('signs up with several coupons, puts one beside them, and reads how each of them stands', async () => {
  for (const [code, percentage] of [
    ['ONE', 10],
    ['TWO', 50],
    ['THREE', 100],
  ] as const) {
    const coupon = { name: code, code, description: '', percentage, recurring: code === 'ONE' }
    const { result } = await coupons.createCoupon(familyId, {
      coupon: { ...coupon, stackable: true, compoundingStrategy: CompoundingStrategy.Compound },
    })
    assert.deepEqual([result.coupon?.stackable, result.coupon?.compoundingStrategy], [true, 'compound'])
  }
  const { result } = await subscriptions.createSubscription({
    subscription: {
      productHandle: signup().subscription.product_handle,
      customerAttributes: { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' },
      creditCardAttributes: { fullNumber: '1', expirationMonth: 12, expirationYear: 2030 },
      couponCodes: ['ONE', 'TWO'],
    },
  })
  const id = result.subscription!.id!
  assert.deepEqual([result.subscription?.couponCode, result.subscription?.couponCodes], ['ONE', ['ONE', 'TWO']])
  assert.equal(result.subscription?.signupRevenue, '22.50')
  const added = await subscriptions.applyCouponsToSubscription(id, undefined, { codes: ['THREE'] })
  assert.deepEqual(added.result.subscription?.couponCodes, ['ONE', 'TWO', 'THREE'])
  const read = await subscriptions.readSubscription(id, [SubscriptionInclude.Coupons])
  assert.deepEqual(
    read.result.subscription?.coupons?.map(({ code, useCount, usesAllowed, percentage }) => [
      code,
      useCount,
      usesAllowed,
      percentage,
    ]),
    [
      ['ONE', 1, undefined, '10'],
      ['TWO', 1, 1, '50'],
      ['THREE', 0, 1, '100'],
    ],
  )
})

test('restricts coupons, and reads of each what it is', async () => {
  const { monthly } = shop.productIds
  const { result } = await coupons.createCoupon(familyId, {
    coupon: {
      name: 'Some',
      code: 'SOME',
      description: '',
      percentage: 0.5,
      recurring: true,
      excludeMidPeriodAllocations: true,
      applyOnCancelAtEndOfPeriod: true,
      applyOnSubscriptionExpiration: true,
    },
    restrictedProducts: { [monthly]: true, [shop.productIds.free]: false },
  })
  const some = result.coupon
  const flags = [
    some?.excludeMidPeriodAllocations,
    some?.applyOnCancelAtEndOfPeriod,
    some?.applyOnSubscriptionExpiration,
  ]
  assert.deepEqual([...flags, some?.percentage], [true, true, true, '0.5'])
  assert.deepEqual(
    [some?.recurringScheme, some?.discountType],
    [RecurringScheme.RecurIndefinitely, DiscountType.Percent],
  )
  const [only, ...others] = some?.couponRestrictions ?? []
  assert.deepEqual(
    [only?.itemType, only?.itemId, only?.name, only?.handle, others],
    [RestrictionType.Product, monthly, 'Monthly', 'monthly', []],
  )
  const { result: free } = await coupons.updateCoupon(familyId, some?.id ?? 0, { coupon: {}, restrictedProducts: {} })
  assert.deepEqual(free.coupon?.couponRestrictions, [])
})

test('puts coupons on subscriptions and takes them off', async () => {
  const { result } = await coupons.createCoupon(familyId, {
    coupon: {
      name: 'Gift',
      code: 'GIFT',
      description: 'A gift',
      amountInCents: 1000n,
      recurring: true,
      conversion_limit: 9,
    },
  })
  assert.deepEqual([result.coupon?.amountInCents, result.coupon?.percentage], [1000n, null])
  assert.equal(result.coupon?.conversionLimit, '9')
  const { subscription: bought } = await made(shop, 'POST /subscriptions.json', signup())
  const added = await subscriptions.applyCouponsToSubscription(bought.id, 'gift')
  assert.deepEqual([added.result.subscription?.couponCode, added.result.subscription?.couponUseCount], ['GIFT', 0])
  await assert.rejects(subscriptions.applyCouponsToSubscription(bought.id, undefined, { codes: ['NONE'] }), (error) => {
    assert(error instanceof SubscriptionAddCouponError)
    const told = ["Coupon Code: 'NONE' - Coupon code could not be found."]
    const { codes, coupon_code: code, coupon_codes: several, subscription } = error.result!
    assert.deepEqual([codes, code, several, subscription], [told, told, told, told])
    return true
  })
  const { result: all } = await coupons.listCoupons({})
  const flat = all.find(({ coupon }) => coupon?.code === 'GIFT')?.coupon
  assert.deepEqual([flat?.amount, flat?.amountInCents], [10, 1000n])
  const again = await subscriptions.applyCouponsToSubscription(bought.id, undefined, { codes: ['GIFT'] })
  assert.equal(again.result.subscription?.couponCode, 'GIFT')
  const removed = await subscriptions.removeCouponFromSubscription(bought.id, 'GIFT')
  assert.equal(removed.result, 'Coupon removed.')
  await assert.rejects(subscriptions.removeCouponFromSubscription(bought.id, 'GIFT'), (error) => {
    assert(error instanceof SubscriptionRemoveCouponErrorsError)
    assert.deepEqual(error.result?.subscription, ["There's no coupon applied to this subscription"])
    return true
  })
})
