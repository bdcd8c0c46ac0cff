/** Takes up a subscription that was parked: what fell due meanwhile is done at the next round of work. */
import { invalid } from '../billing/refusal.ts'
import { listSites, type SiteRow } from '../store/sites.ts'
import { clearParkedReason } from '../store/subscriptions.ts'
import type { App } from './app.ts'

/** Gives its site. An operator knows it by its id alone. Refuses one that is not parked; one that is still broken is parked again. */
export async function unparkSubscription(app: Pick<App, 'db'>, subscriptionId: number): Promise<SiteRow> {
  for (const site of await listSites(app.db)) {
    if (await clearParkedReason(app.db, site.id, subscriptionId)) return site
  }
  throw invalid(`Subscription ${subscriptionId} is not parked.`)
}
