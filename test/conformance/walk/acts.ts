/** What is done to a subscription that lives: changed, rehearsed, migrated, allocated, used, discounted, canceled and called back. */
import type { Walker } from '../walker.ts'
import type { Catalog } from './catalog.ts'
import { card } from './people.ts'
import { bankAccount } from './signups.ts'

export async function walkUpdates(walker: Walker, subscriptionId: number): Promise<void> {
  const put = (subscription: object, shownAs = {}) =>
    walker.call('updateSubscription', { subscriptionId, body: { subscription } }, { shownAs })
  await put({ next_billing_at: '2027-03-20T12:00:00Z' }, { next_billing_at: 'next_assessment_at' })
  await put({ payment_collection_method: 'remittance' }, { payment_collection_method: null })
  await put({ payment_collection_method: 'automatic' })
  await put(
    { product_handle: 'other', product_change_delayed: true },
    { product_handle: null, product_change_delayed: null },
  )
  await put({ next_product_id: '' })
  const overridden = { activated_at: '2020-01-01T00:00:00Z', expires_at: '2029-01-01T00:00:00Z' }
  await walker.call(
    'overrideSubscription',
    { subscriptionId, body: { subscription: overridden } },
    { readBy: ['readSubscription', { subscriptionId }] },
  )
  await walker.ask('PUT', `/subscriptions/${subscriptionId}/override.json`, { subscription: { expires_at: null } })
}

export async function walkComponents(walker: Walker, subscriptionId: number, catalog: Catalog): Promise<void> {
  const { users, calls, support } = catalog
  const quantities = [
    { component_id: users, quantity: 5, memo: 'Five of us' },
    { component_id: support, quantity: 0, memo: 'Alone' },
  ]
  await walker.call(
    'previewAllocations',
    { subscriptionId, body: { allocations: quantities } },
    { shownAs: { memo: null } },
  )
  await walker.call('allocateComponent', {
    subscriptionId,
    componentId: users,
    body: { allocation: { quantity: 4, memo: 'Four of us', upgrade_charge: 'full', accrue_charge: true } },
  })
  await walker.call('allocateComponents', { subscriptionId, body: { allocations: quantities } })
  await walker.call('allocateComponent', {
    subscriptionId,
    componentId: users,
    body: {
      allocation: {
        quantity: 6,
        memo: 'Six',
        proration_upgrade_scheme: 'prorate-attempt-capture',
        proration_downgrade_scheme: 'no-prorate',
      },
    },
  })
  await walker.call('listAllocations', { subscriptionId, componentId: users })
  await walker.call('readSubscriptionComponent', { subscriptionId, componentId: users })
  await walker.call('listSubscriptionComponents', { subscriptionId })
  for (const quantity of [40, 2]) {
    const body = { usage: { quantity, memo: `${quantity} of them` } }
    await walker.call('createUsage', {
      subscriptionId,
      subscriptionIdOrReference: subscriptionId,
      componentId: calls,
      body,
    })
  }
  await walker.call('listUsages', { subscriptionId, subscriptionIdOrReference: subscriptionId, componentId: calls })
}

export async function walkMigration(
  walker: Walker,
  subscriptionId: number,
  { products, users }: Catalog,
): Promise<void> {
  const migration = { product_id: products.other, include_coupons: true, include_initial_charge: true }
  const shownAs = { product_id: null, include_coupons: null, include_initial_charge: null }
  await walker.call('previewSubscriptionProductMigration', { subscriptionId, body: { migration } }, { shownAs })
  await walker.call(
    'migrateSubscriptionProduct',
    { subscriptionId, body: { migration } },
    {
      shownAs: { ...shownAs, product_id: 'id' },
    },
  )
  await walker.call('previewRenewal', { subscriptionId })
  const components = [{ component_id: users, quantity: 9 }]
  await walker.call('previewRenewal', { subscriptionId, body: { components } }, { shownAs: { quantity: null } })
}

export async function walkCouponActs(walker: Walker, subscriptionId: number): Promise<void> {
  await walker.call(
    'applyCouponsToSubscription',
    { subscriptionId, body: { codes: ['FLAT'] } },
    { shownAs: { codes: 'coupon_codes' } },
  )
  await walker.call('removeCouponFromSubscription', { subscriptionId, couponCode: 'FLAT' })
}

export async function walkCancellations(walker: Walker, subscriptionId: number): Promise<void> {
  const body = { subscription: { cancellation_message: 'Too many stars', reason_code: 'ENOUGH' } }
  await walker.call(
    'initiateDelayedCancellation',
    { subscriptionId, body },
    { readBy: ['readSubscription', { subscriptionId }] },
  )
  await walker.call('cancelDelayedCancellation', { subscriptionId })
}

/** Another card pays, and one is taken away. */
export async function walkPayingCards(walker: Walker, subscriptionId: number): Promise<void> {
  const { subscription } = await walker.call('readSubscription', { subscriptionId })
  const body = { payment_profile: { customer_id: subscription.customer.id, ...card } }
  const { payment_profile: other } = await walker.call('createPaymentProfile', { body })
  await walker.call('changeSubscriptionDefaultPaymentProfile', { subscriptionId, paymentProfileId: other.id })
  await walker.call('deleteSubscriptionsPaymentProfile', { subscriptionId, paymentProfileId: other.id })
}

/** Another account pays. */
export async function changeAccount(walker: Walker, subscriptionId: number): Promise<void> {
  const { subscription } = await walker.call('readSubscription', { subscriptionId })
  const body = { payment_profile: { customer_id: subscription.customer.id, ...bankAccount } }
  const shownAs = { bank_routing_number: null, bank_account_number: null }
  const { payment_profile: other } = await walker.call('createPaymentProfile', { body }, { shownAs })
  await walker.call('changeSubscriptionDefaultPaymentProfile', { subscriptionId, paymentProfileId: other.id })
}
