/** What surrounds subscriptions: notes, reason codes, fields of one's own, invoices, events, webhooks, and the site. */
import type { Walker } from '../walker.ts'

export async function walkNotes(walker: Walker, subscriptionId: number): Promise<void> {
  const { note } = await walker.call('createSubscriptionNote', {
    subscriptionId,
    body: { note: { body: 'Call Ada', sticky: true } },
  })
  const named = { subscriptionId, noteId: note.id }
  await walker.call('updateSubscriptionNote', { ...named, body: { note: { body: 'Called Ada', sticky: true } } })
  await walker.call('readSubscriptionNote', named)
  await walker.call('listSubscriptionNotes', { subscriptionId })
  await walker.call('deleteSubscriptionNote', named)
}

/** Leaves one with the code ENOUGH. */
export async function walkReasonCodes(walker: Walker): Promise<void> {
  const make = (code: string) =>
    walker.call('createReasonCode', { body: { reason_code: { code, description: `For ${code}`, position: 1 } } })
  await make('ENOUGH')
  const { reason_code: made } = await make('DEAR')
  const reasonCodeId = made.id
  const changes = { code: 'DEARER', description: 'Far too dear', position: 2 }
  await walker.call('updateReasonCode', { reasonCodeId, body: { reason_code: changes } })
  await walker.call('readReasonCode', { reasonCodeId })
  await walker.call('listReasonCodes', {})
  await walker.call('deleteReasonCode', { reasonCodeId })
}

const scope = { csv: '1', invoices: '1', statements: '1', portal: '1', public_show: '1', public_edit: '1' }

/** Leaves a field `color` of subscriptions. */
export async function walkMetafields(walker: Walker): Promise<void> {
  const make = (resourceType: string, metafields: object) =>
    walker.call('createMetafields', { resourceType, body: { metafields } })
  await make('subscriptions', { name: 'color', scope, input_type: 'text' })
  await make('customers', { name: 'rank', input_type: 'radio', enum: ['first', 'second'] })
  for (const resourceType of ['subscriptions', 'customers']) {
    await make(resourceType, { name: 'plan', input_type: 'dropdown', enum: ['gold', 'silver'] })
    const metafields = { current_name: 'plan', name: 'level', input_type: 'dropdown', enum: ['high', 'low'] }
    await walker.call('updateMetafield', { resourceType, body: { metafields } }, { shownAs: { current_name: null } })
    await walker.call('listMetafields', { resourceType, name: 'level' })
    await walker.call('listMetafields', { resourceType })
    await walker.call('deleteMetafield', { resourceType, name: 'level' })
  }
}

export async function walkMetadata(walker: Walker, resources: Record<string, number>): Promise<void> {
  for (const [resourceType, resourceId] of Object.entries(resources)) {
    const own = { resourceType, resourceId }
    await walker.call('createMetadata', { ...own, body: { metadata: [{ name: 'size', value: 'large' }] } })
    const metadata = { current_name: 'size', name: 'extent', value: 'small' }
    await walker.call('updateMetadata', { ...own, body: { metadata } }, { shownAs: { current_name: null } })
    await walker.call('listMetadata', own)
    await walker.call('listMetadataForResourceType', { resourceType, direction: 'desc' })
    await walker.call('deleteMetadata', { ...own, name: 'extent' })
  }
}

export async function walkEvents(walker: Walker, subscriptionIds: readonly number[]): Promise<string[]> {
  const keys = new Set<string>()
  for (let page = 1; ; page += 1) {
    const events = await walker.call('listEvents', { page, perPage: 200, direction: 'asc' })
    for (const { event } of events) keys.add(event.key)
    if (events.length === 0) break
  }
  for (const subscriptionId of subscriptionIds)
    await walker.call('listSubscriptionEvents', { subscriptionId, perPage: 200 })
  await walker.call('readEventsCount', {})
  return [...keys]
}

/** No such host is ever found, so what is sent fails. */
const url = 'https://hooks.invalid/kalends'

export async function walkEndpoints(walker: Walker): Promise<void> {
  await walker.call('enableWebhooks', { body: { webhooks_enabled: true } })
  const endpoint = { url, webhook_subscriptions: ['payment_success', 'payment_failure', 'customer_create'] }
  const made = await walker.call('createEndpoint', { body: { endpoint } })
  const changes = { url: `${url}/changed`, webhook_subscriptions: ['payment_success', 'customer_create'] }
  await walker.call('updateEndpoint', { endpointId: made.endpoint.id, body: { endpoint: changes } })
  await walker.call('listEndpoints', {})
}

export async function walkWebhooks(walker: Walker): Promise<void> {
  const webhooks = await walker.call('listWebhooks', { perPage: 20, order: 'oldest_first' })
  const ids = webhooks.slice(0, 2).map(({ webhook }: { webhook: { id: number } }) => webhook.id)
  await walker.call('replayWebhooks', { body: { ids } }, { shownAs: { ids: null } })
}

/** How a payment from elsewhere is shown among the payments of an invoice. */
const ofPayment = {
  amount: ['original_amount', 'applied_amount'],
  method: 'kind',
  payment_method: 'kind',
  payment_details: 'details',
}

/** The subscription is paid by invoice, and owes something. */
export async function walkInvoices(walker: Walker, subscriptionId: number): Promise<void> {
  await walker.call('listInvoices', {
    perPage: 200,
    direction: 'asc',
    lineItems: true,
    discounts: true,
    payments: true,
  })
  await walker.call('listInvoices', { status: 'paid', credits: true, taxes: true, refunds: true })
  const { invoices } = await walker.call('listInvoices', { subscriptionId, status: 'open' })
  const uid = String(invoices[0].uid)
  await walker.call(
    'recordPaymentForInvoice',
    { uid, body: { payment: { amount: '10.00', memo: 'By check', method: 'check', details: '#0102' } } },
    { shownAs: ofPayment, readBy: ['readInvoice', { uid }] },
  )
  const payment = { amount: '5.00', memo: 'Cash', payment_details: 'At the desk', payment_method: 'cash' }
  await walker.call(
    'recordPaymentForSubscription',
    { subscriptionId, body: { payment } },
    { shownAs: ofPayment, readBy: ['readInvoice', { uid }] },
  )
  await walker.call('listInvoiceEvents', { perPage: 20 })
}

export async function walkSite(walker: Walker): Promise<void> {
  await walker.call('readSite')
  await walker.call('clearSite', { cleanupScope: 'all' })
}
