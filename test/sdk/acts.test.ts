/** The official SDK does to a subscription everything that it knows, in the order of a life; it checks each answer against its schema. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  ComponentAllocationError,
  ErrorListResponseError,
  IntervalUnit,
  PricingScheme,
  type UpdateSubscription,
} from '@maxio-com/advanced-billing-sdk'
import { decliningCard, goodCard, made, signup } from '../api/shop.ts'
import { openStockedShop } from '../api/stocked-shop.ts'
import { testTls } from '../support/tls.ts'
import { openMerchant } from './merchant.ts'

const shop = await openStockedShop()
const merchant = openMerchant({ ...shop, subdomain: 'acme', certificate: testTls.cert })
after(() => merchant.leave())
const { subscriptions, statuses, migrations, allocations, cards } = merchant
const { users, support, calls } = shop.components

const customerAttributes = { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' }
const card = { fullNumber: '1', expirationMonth: 12, expirationYear: 2031 }
const newCard = { fullNumber: '1', expirationMonth: '12', expirationYear: '2031' }

const bought = async (changes: object = {}): Promise<number> =>
  (await made(shop, 'POST /subscriptions.json', signup(changes))).subscription.id

test('rehearses a sign-up and makes it, with components, calendar billing and values for its own fields', async () => {
  const subscription = {
    productHandle: 'monthly',
    customerAttributes: { ...customerAttributes, metafields: { hobby: 'engines' } },
    creditCardAttributes: card,
    calendarBilling: { snapDay: 20 },
    metafields: { color: 'red' },
  }
  const components = [{ componentId: users, allocatedQuantity: 2 }]
  const { result } = await subscriptions.previewSubscription({ subscription })
  const { currentBillingManifest: now, nextBillingManifest: next } = result.subscriptionPreview
  assert.deepEqual([now?.totalInCents, next?.totalInCents], [806n, 5000n])
  const signedUp = (await subscriptions.createSubscription({ subscription: { ...subscription, components } })).result
    .subscription
  assert.equal(signedUp?.totalRevenueInCents, 1290n)
  assert.equal(signedUp?.snapDay, '20')
  const withComponents = await subscriptions.previewSubscription({ subscription: { ...subscription, components } })
  const lines = withComponents.result.subscriptionPreview.currentBillingManifest?.lineItems
  assert.deepEqual(
    lines?.map(({ kind }) => kind),
    ['baseline', 'component'],
  )
})

test('finds it by the reference that it was given, with what its next billing comes to', async () => {
  const subscription = { productHandle: 'monthly', customerAttributes, creditCardAttributes: card, reference: 'ada-1' }
  const made = (await subscriptions.createSubscription({ subscription })).result.subscription
  const found = (await subscriptions.findSubscription('ada-1')).result.subscription
  assert.deepEqual([found?.id, found?.reference, found?.currency], [made?.id, 'ada-1', 'USD'])
  assert.equal(found?.currentBillingAmountInCents, 5000n)
})

test('gives it prices of its own, at the sign-up and later, and reads them back', async () => {
  const customPrice = {
    name: 'For Ada',
    handle: 'for-ada',
    priceInCents: 1500n,
    interval: 1,
    intervalUnit: IntervalUnit.Month,
  }
  const ofUsers = { pricingScheme: PricingScheme.PerUnit, prices: [{ startingQuantity: 1, unitPrice: 0.00000065 }] }
  const components = [{ componentId: users, allocatedQuantity: 2, customPrice: ofUsers }]
  const subscription = {
    productHandle: 'monthly',
    customerAttributes,
    creditCardAttributes: card,
    customPrice,
    components,
  }
  const made = (await subscriptions.createSubscription({ subscription })).result.subscription!
  assert.deepEqual([made.productPriceInCents, made.productPricePointType], [1500n, 'custom'])
  assert.deepEqual(
    [made.product?.priceInCents, made.product?.productPricePointName, made.product?.productPricePointHandle],
    [1500n, 'For Ada', 'for-ada'],
  )
  const line = (await allocations.readSubscriptionComponent(made.id!, users)).result.component
  assert.deepEqual([line?.pricePointType, line?.pricingScheme], ['custom', 'per_unit'])
  const changed = await subscriptions.updateSubscription(made.id!, {
    subscription: {
      customPrice: { ...customPrice, priceInCents: 1600n },
      components: [{ componentId: calls, customPrice: ofUsers }],
    },
  })
  assert.equal(changed.result.subscription?.productPriceInCents, 1600n)
})

test('updates it: customer, card, product, dates, components, the day of calendar billing', async () => {
  const id = await bought({ calendar_billing: { snap_day: 20 } })
  const put = async (changes: UpdateSubscription) =>
    (await subscriptions.updateSubscription(id, { subscription: changes })).result.subscription
  assert.equal((await put({ snapDay: 25 }))?.nextAssessmentAt, '2027-01-25T12:00:00+00:00')
  const components = [{ componentId: users, allocated_quantity: 3 }]
  const { result } = await subscriptions.updateSubscription(id, {
    subscription: { components, productHandle: 'with-setup-fee', creditCardAttributes: newCard },
  })
  assert.equal(result.subscription?.product?.handle, 'with-setup-fee')
  const line = await allocations.readSubscriptionComponent(id, users)
  assert.equal(line.result.component?.allocatedQuantity, 3)
  const later = await put({ nextProductId: String(shop.productIds.monthly), productChangeDelayed: true })
  assert.equal(Number(later?.nextProductId), shop.productIds.monthly)
  assert.equal((await put({ nextProductId: '' }))?.nextProductId, null)
  assert.equal((await put({ nextBillingAt: '2027-03-01T00:00:00Z' }))?.nextAssessmentAt, '2027-03-01T00:00:00+00:00')
  await assert.rejects(put({ snapDay: 31 }), (error) => error instanceof ErrorListResponseError)
})

test('rehearses allocations and the renewal, and each comes true', async () => {
  const id = await bought()
  const scheme = { prorationUpgradeScheme: 'prorate-delay-capture' }
  const wanted = {
    allocations: [
      { componentId: users, quantity: 2, ...scheme },
      { componentId: support, quantity: 1, ...scheme },
    ],
  }
  const { allocationPreview } = (await allocations.previewAllocations(id, wanted)).result
  const { totalInCents, direction, periodType } = allocationPreview
  assert.deepEqual([totalInCents, direction, periodType], [7500n, 'upgrade', 'recurring'])
  assert.equal(allocationPreview.lineItems?.[0]?.componentId, users)
  const metered = { allocations: [{ componentId: calls, quantity: 1 }] }
  await assert.rejects(allocations.previewAllocations(id, metered), (error) => {
    assert.ok(error instanceof ComponentAllocationError)
    assert.match(String(error.body), new RegExp(`"component_id":${calls},`))
    return true
  })
  assert.equal((await allocations.allocateComponents(id, wanted)).result.length, 2)
  const { renewalPreview } = (await statuses.previewRenewal(id)).result
  const supposed = { components: [{ componentId: support, quantity: 1 }] }
  const { lineItems } = (await statuses.previewRenewal(id, supposed)).result.renewalPreview
  assert.deepEqual(lineItems?.map(({ componentHandle }) => componentHandle).slice(1), ['support'])
  assert.deepEqual([renewalPreview.existingBalanceInCents, renewalPreview.totalInCents], [7500n, 12_500n])
})

test('schedules a cancellation and calls it off, holds and resumes, cancels and reactivates', async () => {
  const id = await bought()
  const message = (await statuses.initiateDelayedCancellation(id, { subscription: { cancellationMessage: 'Enough' } }))
    .result.message
  assert.equal(message, 'This subscription is scheduled to be canceled at the end of the current period')
  assert.match(String((await statuses.cancelDelayedCancellation(id)).result.message), /no longer cancel/)
  const held = await statuses.pauseSubscription(id, { hold: { automaticallyResumeAt: '2027-02-01T00:00:00Z' } })
  assert.equal(held.result.subscription?.state, 'on_hold')
  const moved = await statuses.updateAutomaticSubscriptionResumption(id, { hold: { automaticallyResumeAt: null } })
  assert.equal(moved.result.subscription?.automaticallyResumeAt, null)
  assert.equal((await statuses.resumeSubscription(id)).result.subscription?.state, 'active')
  await statuses.cancelSubscription(id, { subscription: { cancellationMessage: 'Enough', reasonCode: 'ENOUGH' } })
  const back = await statuses.reactivateSubscription(id, { preserveBalance: true })
  assert.equal(back.result.subscription?.state, 'active')
  const dates = { activatedAt: '2020-01-01', cancellationMessage: 'Before' }
  assert.equal((await subscriptions.overrideSubscription(id, { subscription: dates })).statusCode, 204)
})

test('begins a sign-up that waits, ahead of its day', async () => {
  const id = await bought({ initial_billing_at: '2027-03-01' })
  const waiting = (await subscriptions.readSubscription(id)).result.subscription
  assert.deepEqual([waiting?.state, waiting?.currentPeriodEndsAt], ['awaiting_signup', null])
  const begun = await subscriptions.activateSubscription(id, { revertOnFailure: true })
  assert.equal(begun.result.subscription?.state, 'active')
})

test('retries what is past due, and gives dunning up', async () => {
  const trial = { product_handle: 'card-trial', payment_profile_attributes: decliningCard }
  const [first, second] = [await bought(trial), await bought(trial)]
  await shop.moveClock('2027-02-15T13:00:00Z')
  await assert.rejects(statuses.retrySubscription(first), (error) => error instanceof ErrorListResponseError)
  const paid = await subscriptions.updateSubscription(first, { subscription: { creditCardAttributes: newCard } })
  assert.equal(paid.result.subscription?.state, 'active')
  const given = await statuses.cancelDunning(second)
  assert.notEqual(given.result.subscription?.state, 'past_due')
})

test('migrates to another product, rehearsed before', async () => {
  const id = await bought()
  const migration = { productId: shop.productIds['with-setup-fee'] }
  const { result } = await migrations.previewSubscriptionProductMigration(id, { migration })
  assert.equal(result.migration.chargeInCents, 5000n)
  const { result: moved } = await migrations.migrateSubscriptionProduct(id, { migration })
  assert.equal(moved.subscription?.product?.handle, 'with-setup-fee')
})

test('changes which card pays, and takes one away', async () => {
  const { subscription } = await made(shop, 'POST /subscriptions.json', signup())
  const body = { payment_profile: { customer_id: subscription.customer.id, ...goodCard } }
  const { payment_profile: other } = await made(shop, 'POST /payment_profiles.json', body)
  const { result } = await cards.changeSubscriptionDefaultPaymentProfile(subscription.id, other.id)
  assert.equal(Number(result.paymentProfile.id), other.id)
  assert.equal((await cards.deleteSubscriptionsPaymentProfile(subscription.id, other.id)).statusCode, 204)
})
