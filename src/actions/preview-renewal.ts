/** Rehearses the next renewal of a subscription: load and decide, and no commit. */
import { previewRenewal, type RenewalPreview } from '../billing/preview.ts'
import { traceOf } from '../host/error-trace.ts'
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

/** The same for a set; one that has no date yet is left out, and one that cannot be priced, which is told to the log. */
export async function previewNextRenewals(
  app: App,
  siteId: number,
  subscriptionIds: readonly number[],
): Promise<Map<number, RenewalPreview>> {
  const { site } = await siteAndNow(app, app.db, siteId)
  const previews = new Map<number, RenewalPreview>()
  for (const [id, facts] of await listFacts(app.db, site, subscriptionIds)) {
    const { state, initialBillingAt } = facts.subscription
    if (state === 'awaiting_signup' && initialBillingAt === null) continue
    try {
      previews.set(id, previewRenewal(facts))
    } catch (error) {
      app.log.error({ siteId, subscriptionId: id, error: traceOf(error) }, 'a renewal could not be previewed')
    }
  }
  return previews
}
