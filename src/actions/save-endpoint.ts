/** Creates and changes the endpoints that webhooks are sent to, and their secrets. */
import { healthy } from '../billing/endpoint-health.ts'
import { invalid, notFound } from '../billing/refusal.ts'
import type { WebhookEndpoint } from '../billing/webhook.ts'
import { createWebhookSecret } from '../delivery/signatures.ts'
import type { Transaction } from '../store/database.ts'
import { nextIds } from '../store/ids.ts'
import { lockSite } from '../store/sites.ts'
import {
  insertEndpoint,
  listEndpoints,
  lockEndpoint,
  setWebhooksEnabled,
  updateEndpointRow,
} from '../store/webhook-endpoints.ts'
import { catchUp, forgetDue } from '../store/webhook-queue.ts'
import { type App, siteAndNow, write } from './app.ts'

export type EndpointTerms = Pick<WebhookEndpoint, 'url' | 'eventKeys' | 'ordered'> & { status: 'enabled' | 'disabled' }

/** A name is looked up before anything is locked. */
async function refuseUrl(app: App, url: string): Promise<void> {
  const problem = await app.courier.refusalOf(url)
  if (problem !== null) throw invalid(`URL: ${problem}`)
}

/** Each act writes a webhook for every endpoint that wants to hear of it. */
const endpointsMax = 100

/** Refuses more than a site may have. */
export async function createEndpoint(app: App, siteId: number, terms: EndpointTerms): Promise<number> {
  await refuseUrl(app, terms.url)
  return write(app, async (tx) => {
    await lockSite(tx, siteId)
    const [{ now }, [newId], others] = await Promise.all([
      siteAndNow(app, tx, siteId),
      nextIds(tx, 'webhook_endpoints'),
      listEndpoints(tx, siteId),
    ])
    if (others.length >= endpointsMax) throw invalid(`A site has at most ${endpointsMax} endpoints.`)
    const id = newId!
    const sealedSecret = app.seals.seal(createWebhookSecret())
    await insertEndpoint(tx, { ...terms, siteId, id, sealedSecret, createdAt: now })
    return id
  })
}

/** A new URL, and being enabled, begin with a clean sheet: nothing is slowed down, and what waits for its next attempt is sent now. */
export async function updateEndpoint(
  app: App,
  siteId: number,
  id: number,
  change: Partial<EndpointTerms>,
): Promise<number> {
  if (change.url !== undefined) await refuseUrl(app, change.url)
  let isNew = change.status === 'enabled'
  const changed = (endpoint: WebhookEndpoint): WebhookEndpoint => {
    isNew ||= change.url !== undefined && change.url !== endpoint.url
    return { ...endpoint, ...change, ...(isNew && healthy) }
  }
  return changeEndpoint(app, siteId, id, changed, async (tx) => {
    if (isNew) await catchUp(tx, siteId, id, app.clock.now())
  })
}

/** Its webhooks stay on record; none is sent any more. */
export const deleteEndpoint = (app: App, siteId: number, id: number): Promise<number> =>
  changeEndpoint(app, siteId, id, (endpoint) => ({ ...endpoint, status: 'deleted' }), forgetDue)

/** The secret until now signs too for `overlapHours` by the wall clock, so that receivers can change over; one before it ends now. */
export const rotateSecret = (app: App, siteId: number, id: number, overlapHours: number): Promise<number> =>
  changeEndpoint(app, siteId, id, (endpoint) => ({
    ...endpoint,
    sealedSecret: app.seals.seal(createWebhookSecret()),
    sealedPreviousSecret: overlapHours === 0 ? null : endpoint.sealedSecret,
    previousSecretUntil: overlapHours === 0 ? null : app.clock.now().add({ hours: overlapHours }),
  }))

const changeEndpoint = (
  app: App,
  siteId: number,
  id: number,
  change: (endpoint: WebhookEndpoint) => WebhookEndpoint,
  then?: (tx: Transaction, siteId: number, id: number) => Promise<unknown>,
): Promise<number> =>
  write(app, async (tx) => {
    const [endpoint, { now }] = await Promise.all([lockEndpoint(tx, siteId, id), siteAndNow(app, tx, siteId)])
    if (endpoint === undefined) throw notFound()
    await updateEndpointRow(tx, { ...change(endpoint), updatedAt: now })
    await then?.(tx, siteId, id)
    return id
  })

/** While they are off nothing is written for any endpoint, and what waits is kept until they are on again. */
export const switchWebhooks = (app: App, siteId: number, enabled: boolean): Promise<number> =>
  write(app, async (tx) => {
    await setWebhooksEnabled(tx, siteId, enabled)
    return siteId
  })
