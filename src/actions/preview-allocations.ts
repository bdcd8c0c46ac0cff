/** Rehearses a change of allocated quantities: priced as the allocation itself, and nothing is written. */
import { type AllocationPreview, previewAllocation } from '../billing/allocation-preview.ts'
import { unknownComponent } from '../billing/component-choice.ts'
import { invalid, notFound } from '../billing/refusal.ts'
import { listFacts } from '../store/facts.ts'
import { type AllocateComponent, periodCouponsOf, wantedOf } from './allocate-components.ts'
import { type App, siteAndNow } from './app.ts'

/** Refuses whatever the allocation would refuse; an unknown component, which no path names, in words. */
export async function previewAllocations(
  app: App,
  siteId: number,
  subscriptionId: number,
  wanted: readonly AllocateComponent[],
): Promise<AllocationPreview> {
  const { site, now } = await siteAndNow(app, app.db, siteId)
  const facts = (await listFacts(app.db, site, [subscriptionId])).get(subscriptionId)
  if (facts === undefined) throw notFound()
  const request = {
    wanted: await wantedOf(app.db, facts, wanted, (by) => invalid(unknownComponent(by))),
    periodCoupons: await periodCouponsOf(app.db, facts),
  }
  return previewAllocation(facts, request, now)
}
