/** Forgets webhooks that are over and old, with their attempts; the events that they told of stay. */
import { forgetWebhooks, listSitesWithWebhooksBefore, type Place } from '../store/forgotten-webhooks.ts'
import type { App } from './app.ts'

/** What numbers webhooks waits for one set at the most: some hundredths of a second. */
const setSize = 1000

/**
 * Gives a round of work: one set for each site that has old webhooks left, so that none waits for another one's millions. A round
 * gives how many sites are not through; once all are, the next one begins anew. Days are of the wall clock: the times on record are by
 * the site's, which only ever runs ahead of it, so nothing is forgotten sooner.
 */
export function forgettingWebhooks(app: App, keepDays: number): () => Promise<number> {
  let before = app.clock.now()
  let ahead = new Map<number, Place | null>()
  return async () => {
    if (ahead.size === 0) {
      before = app.clock.now().subtract({ hours: 24 * keepDays })
      ahead = new Map((await listSitesWithWebhooksBefore(app.db, before)).map((siteId) => [siteId, null]))
    }
    for (const [siteId, after] of ahead) {
      const { last } = await forgetWebhooks(app.db, siteId, { before, after, limit: setSize }).catch(
        (error: unknown) => {
          app.log.error({ err: error, siteId }, 'old webhooks of a site could not be forgotten')
          return { last: null }
        },
      )
      if (last === null) ahead.delete(siteId)
      else ahead.set(siteId, last)
    }
    return ahead.size
  }
}
