/** What a merchant is told of an endpoint itself. */
import type { SiteEvent } from './event.ts'
import type { WebhookEndpoint } from './webhook.ts'

type Told = (endpoint: Pick<WebhookEndpoint, 'siteId' | 'id' | 'url'>, at: Temporal.Instant) => SiteEvent

const told =
  (key: SiteEvent['key'], happened: string): Told =>
  ({ siteId, id, url }, at) => ({
    siteId,
    key,
    message: `Webhooks to ${url} ${happened}`,
    subscriptionId: null,
    customerId: null,
    createdAt: at,
    eventSpecificData: { endpoint_id: id, url },
  })

export const endpointFailing = (failures: number, error: string): Told =>
  told(
    'webhook_endpoint_failing',
    `were not accepted ${failures} times in a row and are sent more slowly until they are: ${error}`,
  )

export const endpointRecovered: Told = told('webhook_endpoint_recovered', 'are accepted again')
