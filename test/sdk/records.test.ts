/** The official SDK keeps what surrounds subscriptions: notes, reason codes, a site's own fields and what stands in them, and events. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { MetafieldInput, ResourceType } from '@maxio-com/advanced-billing-sdk'
import { made, openShop, signup } from '../api/shop.ts'
import { testTls } from '../support/tls.ts'
import { openMerchant } from './merchant.ts'

const shop = await openShop()
const merchant = openMerchant({ ...shop, subdomain: 'acme', certificate: testTls.cert })
after(() => merchant.leave())
const { notes, reasons, fields, events, portal, sites } = merchant
const { subscription } = await made(shop, 'POST /subscriptions.json', signup())
const { id } = subscription

test('notes', async () => {
  const { result } = await notes.createSubscriptionNote(id, { note: { body: 'Call Ada', sticky: true } })
  const noteId = result.note.id ?? 0
  assert.equal((await notes.readSubscriptionNote(id, noteId)).result.note.body, 'Call Ada')
  const changed = await notes.updateSubscriptionNote(id, noteId, { note: { body: 'Called', sticky: false } })
  assert.deepEqual([changed.result.note.body, changed.result.note.sticky], ['Called', false])
  assert.equal((await notes.listSubscriptionNotes({ subscriptionId: id })).result.length, 1)
  assert.ok((await notes.deleteSubscriptionNote(id, noteId)).statusCode < 300)
})

test('reason codes', async () => {
  const { result } = await reasons.createReasonCode({ reasonCode: { code: 'DEAR', description: 'Too dear' } })
  const reasonId = result.reasonCode.id ?? 0
  assert.equal((await reasons.readReasonCode(reasonId)).result.reasonCode.code, 'DEAR')
  const changed = await reasons.updateReasonCode(reasonId, { reasonCode: { position: 1, description: 'Far too dear' } })
  assert.equal(changed.result.reasonCode.description, 'Far too dear')
  assert.equal((await reasons.listReasonCodes({})).result.length, 1)
  assert.equal((await reasons.deleteReasonCode(reasonId)).result.ok, 'ok')
})

test('fields of subscriptions and customers, and the values in them', async () => {
  for (const [resourceType, resourceId] of [
    [ResourceType.Subscriptions, id],
    [ResourceType.Customers, subscription.customer.id],
  ] as const) {
    const made = await fields.createMetafields(resourceType, {
      metafields: { name: 'plan', inputType: MetafieldInput.Dropdown, mEnum: ['gold', 'silver'] },
    })
    assert.equal(made.result[0]?.name, 'plan')
    const set = await fields.createMetadata(resourceType, resourceId, { metadata: [{ name: 'plan', value: 'gold' }] })
    assert.equal(set.result[0]?.value, 'gold')
    const change = { metadata: { name: 'plan', value: 'silver' } }
    assert.equal((await fields.updateMetadata(resourceType, resourceId, change)).result[0]?.value, 'silver')
    assert.equal((await fields.listMetadata({ resourceType, resourceId })).result.totalCount, 1)
    assert.equal((await fields.listMetadataForResourceType({ resourceType })).result.metadata?.[0]?.value, 'silver')
    const renamed = await fields.updateMetafield(resourceType, { metafields: { currentName: 'plan', name: 'level' } })
    assert.equal(renamed.result[0]?.name, 'level')
    assert.equal((await fields.listMetafields({ resourceType, name: 'level' })).result.totalCount, 1)
    assert.equal((await fields.deleteMetadata(resourceType, resourceId, 'level')).statusCode, 200)
    assert.equal((await fields.deleteMetafield(resourceType, 'level')).statusCode, 200)
  }
})

test('the billing portal of a customer', async () => {
  const customerId = subscription.customer.id
  assert.ok((await portal.enableBillingPortalForCustomer(customerId)).statusCode < 300)
  assert.match(String((await portal.readBillingPortalLink(customerId)).result.url), /^https:/)
  assert.ok((await portal.resendBillingPortalInvitation(customerId)).statusCode < 300)
  assert.ok((await portal.revokeBillingPortalAccess(customerId)).statusCode < 300)
})

test('events of a site, and clearing it', async () => {
  const told = await events.listEvents({ perPage: 5 })
  assert.equal(told.result[0]?.event.key, 'custom_field_value_change')
  assert.ok(Number((await events.readEventsCount({})).result.count) > 5)
  assert.equal((await sites.clearSite()).statusCode, 200)
})
