/** Rehearses a change of product at the next renewal: the first payment on the other product, without a commit. */
import { previewRenewal, type RenewalPreview } from '../billing/preview.ts'
import { invalid, notFound } from '../billing/refusal.ts'
import { listFacts } from '../store/facts.ts'
import { findProductTerms } from '../store/product-terms.ts'
import { type App, siteAndNow } from './app.ts'

/** Refuses a product that the site does not sell. */
export async function previewProductChange(
  app: App,
  siteId: number,
  subscriptionId: number,
  productId: number,
): Promise<RenewalPreview> {
  const { site } = await siteAndNow(app, app.db, siteId)
  const [facts, nextProduct] = await Promise.all([
    listFacts(app.db, site, [subscriptionId]).then((found) => found.get(subscriptionId)),
    findProductTerms(app.db, siteId, { id: productId }),
  ])
  if (facts === undefined) throw notFound()
  if (nextProduct === undefined) throw invalid('Product: must be one that is on offer.')
  return previewRenewal({ ...facts, pricing: { ...facts.pricing, nextProduct } })
}
