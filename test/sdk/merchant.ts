/** A merchant who talks to a site with the official SDK as it comes from the registry, and with plain HTTPS for what it lacks. */
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { text as readText } from 'node:stream/consumers'
import {
  BillingPortalController,
  Client,
  ComponentPricePointsController,
  ComponentsController,
  CouponsController,
  CustomersController,
  CustomFieldsController,
  Environment,
  EventsController,
  InvoicesController,
  PaymentProfilesController,
  ProductFamiliesController,
  ProductPricePointsController,
  ProductsController,
  ReasonCodesController,
  SitesController,
  SubscriptionComponentsController,
  SubscriptionNotesController,
  SubscriptionProductsController,
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
    components: new ComponentsController(client),
    componentPricePoints: new ComponentPricePointsController(client),
    productPricePoints: new ProductPricePointsController(client),
    coupons: new CouponsController(client),
    subscriptions: new SubscriptionsController(client),
    allocations: new SubscriptionComponentsController(client),
    statuses: new SubscriptionStatusController(client),
    events: new EventsController(client),
    invoices: new InvoicesController(client),
    portal: new BillingPortalController(client),
    fields: new CustomFieldsController(client),
    notes: new SubscriptionNotesController(client),
    reasons: new ReasonCodesController(client),
    migrations: new SubscriptionProductsController(client),
    sites: new SitesController(client),
    /** Throws unless the answer is 200. */
    ask: (method: string, path: string, body?: object) => ask(httpsAgent, apiKey, method, path, body),
    leave: () => httpsAgent.destroy(),
  }
}

async function ask(agent: Agent, apiKey: string, method: string, path: string, body?: object): Promise<unknown> {
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json' }
  const asked = request({ agent, auth: `${apiKey}:X`, method, path, headers })
  asked.end(body && JSON.stringify(body))
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  const text = await readText(answer)
  if (answer.statusCode !== 200) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`)
  return JSON.parse(text)
}
