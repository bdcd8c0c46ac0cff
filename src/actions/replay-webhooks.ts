/** Queues webhooks to be sent again; they are sent in the background, under their old ids. */
import { invalid } from '../billing/refusal.ts'
import { replayWebhooks as queue } from '../store/webhook-queue.ts'
import { type App, write } from './app.ts'

const namedMax = 5

/** All or none: refuses ids that the site has no webhook of, or whose endpoint is gone. */
export const replayWebhooks = (app: App, siteId: number, ids: readonly number[]): Promise<number> =>
  write(app, async (tx) => {
    const wanted = [...new Set(ids)]
    const queued = new Set(await queue(tx, siteId, wanted, app.clock.now()))
    const unknown = wanted.filter((id) => !queued.has(id)).toSorted((one, next) => one - next)
    if (unknown.length > 0) {
      const more = unknown.length > namedMax ? ` and ${unknown.length - namedMax} more` : ''
      throw invalid(`Ids: no webhook can be sent again with the id ${unknown.slice(0, namedMax).join(', ')}${more}.`)
    }
    return siteId
  })
