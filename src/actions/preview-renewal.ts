/** Rehearses the next renewal of a subscription: load and decide, and no commit. */
import { previewRenewal, type RenewalPreview } from '../billing/preview.ts'
import { listFacts } from '../store/facts.ts'
import { type App, siteAndNow } from './app.ts'

/** Undefined when the site has no such subscription. */
export async function previewNextRenewal(
  app: App,
  siteId: number,
  subscriptionId: number,
): Promise<RenewalPreview | undefined> {
  const { site } = await siteAndNow(app, app.db, siteId)
  const facts = (await listFacts(app.db, site, [subscriptionId])).get(subscriptionId)
  return facts && previewRenewal(facts)
}
