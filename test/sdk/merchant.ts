/** A merchant who talks to a site with the official SDK as it comes from the registry, and with plain HTTPS for what it lacks. */
import { Agent, request } from 'node:https'
import {
  Client,
  CustomersController,
  Environment,
  EventsController,
  PaymentProfilesController,
  ProductFamiliesController,
  ProductsController,
  SitesController,
  SubscriptionStatusController,
  SubscriptionsController,
} from '@maxio-com/advanced-billing-sdk'
import type { Service } from './throw-away-service.ts'

export type Merchant = ReturnType<typeof openMerchant>

type Place = Pick<Service, 'port' | 'subdomain' | 'apiKey' | 'certificate'>

/**
 * The SDK knows the hosted service's addresses only. It is left as it is: its own option for an agent leads every connection to
 * our port, so the Host header still names the site, and our certificate is checked as usual.
 */
export function openMerchant({ port, subdomain, apiKey, certificate }: Place) {
  const httpsAgent = new Agent({ keepAlive: true, host: '127.0.0.1', port, servername: 'localhost', ca: certificate })
  const client = new Client({
    environment: Environment.US,
    site: subdomain,
    basicAuthCredentials: { username: apiKey, password: 'X' },
    httpClientOptions: { httpsAgent, retryConfig: { maxNumberOfRetries: 0 } },
  })
  return {
    families: new ProductFamiliesController(client),
    products: new ProductsController(client),
    customers: new CustomersController(client),
    cards: new PaymentProfilesController(client),
    subscriptions: new SubscriptionsController(client),
    statuses: new SubscriptionStatusController(client),
    events: new EventsController(client),
    sites: new SitesController(client),
    /** Throws unless the answer is 200. */
    ask: (method: string, path: string, body?: object) => ask(httpsAgent, apiKey, method, path, body),
    leave: () => httpsAgent.destroy(),
  }
}

const ask = (agent: Agent, apiKey: string, method: string, path: string, body?: object): Promise<unknown> =>
  new Promise((done, failed) => {
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json' }
    const asked = request({ agent, auth: `${apiKey}:X`, method, path, headers }, async (answer) => {
      const chunks: Buffer[] = []
      for await (const chunk of answer) chunks.push(chunk as Buffer)
      const text = Buffer.concat(chunks).toString('utf8')
      if (answer.statusCode === 200) done(JSON.parse(text))
      else failed(new Error(`${method} ${path}: ${answer.statusCode} ${text}`))
    })
    asked.on('error', failed)
    asked.end(body && JSON.stringify(body))
  })
