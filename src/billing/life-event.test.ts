/** What events of a subscription's life say, to readers and in their data. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at } from '../../test/support/story-facts.ts'
import {
  collectionMethodChange,
  pendingCancellationChange,
  productChange,
  profileRemoval,
  profileUpdate,
} from './life-event.ts'

const subject = {
  ...{ siteId: 1, subscriptionId: 9, customerId: 3, customerName: 'Ada Lovelace', productId: 7, productName: 'Pro' },
  ...{ currency: 'USD', at: at('2026-02-28T12:00:00Z') },
}

test('a cancellation that is scheduled says for which day; one that is called off says that', () => {
  const scheduled = pendingCancellationChange(subject, 'start', at('2026-03-31T12:00:00Z'), '03/31/2026')
  assert.equal(scheduled.message, "Cancellation scheduled on Ada Lovelace's subscription to Pro for 03/31/2026")
  assert.deepEqual(scheduled.eventSpecificData, { cancellation_state: 'start', cancels_at: '2026-03-31T12:00:00Z' })
  const calledOff = pendingCancellationChange(subject, 'stop', at('2026-03-31T12:00:00Z'), '03/31/2026')
  assert.equal(calledOff.message, "Cancellation called off on Ada Lovelace's subscription to Pro")
  assert.deepEqual(calledOff.eventSpecificData, { cancellation_state: 'stop', cancels_at: '2026-03-31T12:00:00Z' })
})

test('a change of product, card or collection names what was before', () => {
  const product = productChange(subject, { productId: 8, name: 'Basic' })
  assert.equal(product.message, "Product changed on Ada Lovelace's subscription from 'Pro' to 'Basic'")
  assert.deepEqual(product.eventSpecificData, { new_product_id: 8, previous_product_id: 7 })
  assert.deepEqual(product.particulars, { otherProductId: 7 })
  assert.deepEqual(profileUpdate(subject, 'credit_card', { previousProfileId: 5 }).particulars, {
    previousProfileId: 5,
  })
  const removed = profileRemoval(subject, { id: 5, paymentType: 'bank_account' })
  assert.deepEqual(removed.particulars, { previousProfileId: 5 })
  assert.equal(removed.key, 'subscription_bank_account_update')
  assert.equal(removed.message, "Bank account removed from Ada Lovelace's subscription to Pro")
  const method = collectionMethodChange(subject, 'automatic', 'invoice')
  assert.deepEqual(method.eventSpecificData, { previous_value: 'automatic', current_value: 'invoice' })
})
