/** Rehearses the next renewal of a subscription: load and decide, and no commit. */
import { type RehearsedComponent, rehearseComponents } from '../billing/component-choice.ts'
import { previewRenewal, type RenewalPreview } from '../billing/preview.ts'
import { traceOf } from '../host/error-trace.ts'
import { listFacts } from '../store/facts.ts'
import { listOfferedComponents } from '../store/subscription-components.ts'
import { type App, siteAndNow } from './app.ts'

/** Undefined when the site has no such subscription. Components that are supposed take the place of those that it has. */
export async function previewNextRenewal(
  app: App,
  siteId: number,
  subscriptionId: number,
  supposed: readonly RehearsedComponent[] = [],
): Promise<RenewalPreview | undefined> {
  const { site } = await siteAndNow(app, app.db, siteId)
  const facts = (await listFacts(app.db, site, [subscriptionId])).get(subscriptionId)
  if (facts === undefined || supposed.length === 0) return facts && previewRenewal(facts)
  const components = rehearseComponents(await listOfferedComponents(app.db, siteId, subscriptionId), supposed)
  return previewRenewal({ ...facts, pricing: { ...facts.pricing, components } })
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
