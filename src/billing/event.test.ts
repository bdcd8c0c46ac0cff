/** What an event of a field says: whose it is, and whether the value came, changed or went. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at } from '../../test/support/story-facts.ts'
import { customFieldValueChange } from './event.ts'

const owner = {
  siteId: 1,
  resourceType: 'customer',
  resourceId: 3,
  customerId: 3,
  at: at('2026-02-01T00:00:00Z'),
} as const
const color = { id: 5, name: 'color' }

test('a value that comes, changes or goes is told as such, with what it was and what it is', () => {
  const told = (from: string | null, to: string | null) => {
    const { message, eventSpecificData } = customFieldValueChange(owner, color, from, to)
    return [message.split(' from ')[1], eventSpecificData?.event_type]
  }
  assert.deepEqual(told(null, 'red'), ["'' to 'red'.", 'created'])
  assert.deepEqual(told('red', 'blue'), ["'red' to 'blue'.", 'updated'])
  assert.deepEqual(told('red', null), ["'red' to ''.", 'deleted'])
})

test('the field of a customer concerns no subscription, that of a subscription concerns both', () => {
  const ofCustomer = customFieldValueChange(owner, color, null, 'red')
  const subscribed = { ...owner, resourceType: 'subscription', resourceId: 9 } as const
  const ofSubscription = customFieldValueChange(subscribed, color, null, 'red')
  assert.deepEqual([ofCustomer.customerId, ofCustomer.subscriptionId], [3, null])
  assert.deepEqual([ofSubscription.customerId, ofSubscription.subscriptionId], [3, 9])
  assert.match(ofCustomer.message, /^Custom field \(color\) changed for Customer 3 /)
  assert.match(ofSubscription.message, /^Custom field \(color\) changed for Subscription 9 /)
})
