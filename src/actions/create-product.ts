/** Makes a product with the first version of its terms. */
import type { PricingTerms, ProductDetails } from '../billing/catalog.ts'
import { insertProduct } from '../store/catalog.ts'
import { nextIds } from '../store/ids.ts'
import { type App, siteAndNow, write } from './app.ts'
import { refuseCentsOfProduct } from './refuse-cents-of-catalog.ts'
import { refuseTaken } from './refuse-taken.ts'

export type CreateProduct = ProductDetails & PricingTerms

/** The family must be one of the site. Refuses a handle that another product of the site has, archived or not. */
export async function createProduct(
  app: App,
  siteId: number,
  familyId: number,
  command: CreateProduct,
): Promise<number> {
  const [{ now }, [newId]] = await Promise.all([siteAndNow(app, app.db, siteId), nextIds(app.db, 'products')])
  const id = newId!
  const origin = {
    siteId,
    id,
    productFamilyId: familyId,
    versionNumber: 1,
    createdAt: now,
    updatedAt: now,
    archivedAt: null,
  }
  return write(app, async (tx) => {
    await refuseCentsOfProduct(tx, siteId, command)
    await insertProduct(tx, { ...command, ...origin })
    return id
  }).catch(refuseTaken)
}
