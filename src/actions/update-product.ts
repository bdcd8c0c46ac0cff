/** Changes a product: corrections in place, new terms as a new version that existing subscriptions do not follow. */
import { isDeepStrictEqual } from 'node:util'
import type { PricingTerms, Product, ProductDetails } from '../billing/catalog.ts'
import { notFound } from '../billing/refusal.ts'
import { insertVersion, lockProduct, updateProductRow } from '../store/catalog.ts'
import { type App, siteAndNow, write } from './app.ts'
import { refuseCentsOfProduct } from './refuse-cents-of-catalog.ts'
import { refuseTaken } from './refuse-taken.ts'

/** What a request changes, given the product as it stands; throws where the two together make no sense. */
export type ProductChange = (product: Product) => ProductDetails & PricingTerms

/** A change that changes nothing leaves no trace. Refuses a handle that another product of the site has. */
export const updateProduct = (app: App, siteId: number, productId: number, change: ProductChange): Promise<number> =>
  write(app, async (tx) => {
    const [{ now }, before] = await Promise.all([siteAndNow(app, tx, siteId), lockProduct(tx, siteId, productId)])
    if (before === undefined) throw notFound()
    const after: Product = { ...before, ...change(before) }
    if (isDeepStrictEqual(after, before)) return productId
    await refuseCentsOfProduct(tx, siteId, after)
    const isNewVersion = !isDeepStrictEqual(termsOf(after), termsOf(before))
    const versionNumber = before.versionNumber + (isNewVersion ? 1 : 0)
    const product = { ...after, versionNumber, updatedAt: now }
    await Promise.all([updateProductRow(tx, product), ...(isNewVersion ? [insertVersion(tx, product, now)] : [])])
    return productId
  }).catch(refuseTaken)

const termsOf = ({
  price,
  interval,
  initialCharge,
  initialChargeAfterTrial,
  trial,
  expiration,
}: Product): PricingTerms => ({
  price,
  interval,
  initialCharge,
  initialChargeAfterTrial,
  trial,
  expiration,
})
