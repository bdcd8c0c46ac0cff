/** Sends a webhook that tells of nothing, so that a merchant sees whether an endpoint listens. */
import { notFound } from '../billing/refusal.ts'
import { findEndpoint } from '../store/webhook-endpoints.ts'
import { drawWebhookIds, insertWebhooks } from '../store/webhooks.ts'
import { type App, siteAndNow, write } from './app.ts'

/** Gives the id of the webhook, which goes the way of all others. */
export const sendTestWebhook = (app: App, siteId: number, endpointId: number): Promise<number> =>
  write(app, async (tx) => {
    const [endpoint, { now }, [newId]] = await Promise.all([
      findEndpoint(tx, siteId, endpointId),
      siteAndNow(app, tx, siteId),
      drawWebhookIds(tx, 1),
    ])
    if (endpoint === undefined) throw notFound()
    const id = newId!
    const body = `id=${id}&event=test&payload[kalends]=testing`
    const test = { siteId, id, endpointId, eventId: null, event: 'test', subscriptionId: null, body, createdAt: now }
    await insertWebhooks(tx, siteId, [test])
    return id
  })
