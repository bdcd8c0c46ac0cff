/** Queues webhooks to be sent again; they are sent in the background, under their old ids. */
import { replayWebhooks as queue } from '../store/webhook-queue.ts'
import { type App, write } from './app.ts'

/** Ids that the site has no webhook of, that were forgotten, or whose endpoint is gone are passed over: the others are sent all the same. */
export const replayWebhooks = (app: App, siteId: number, ids: readonly number[]): Promise<number> =>
  write(app, async (tx) => {
    await queue(tx, siteId, ids, app.clock.now())
    return siteId
  })
