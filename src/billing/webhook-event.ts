/** What a merchant is told of the endpoints themselves. These events are for people: no webhook is written for them. */

export const endpointEventKeys = ['webhook_endpoint_failing', 'webhook_endpoint_recovered'] as const

export type EndpointEvent = { key: (typeof endpointEventKeys)[number]; message: string }

export const endpointFailing = (url: string, failures: number, error: string): EndpointEvent => ({
  key: 'webhook_endpoint_failing',
  message: `Webhooks to ${url} were not accepted ${failures} times in a row and are sent more slowly: ${error}`,
})

export const endpointRecovered = (url: string): EndpointEvent => ({
  key: 'webhook_endpoint_recovered',
  message: `Webhooks to ${url} are accepted again`,
})
