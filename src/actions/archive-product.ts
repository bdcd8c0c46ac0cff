/** Takes a product off sale; its subscriptions go on. */
import { invalid, notFound } from '../billing/refusal.ts'
import { lockProduct, updateProductRow } from '../store/catalog.ts'
import { type App, siteAndNow, write } from './app.ts'

/** Refuses one that is archived already. */
export const archiveProduct = (app: App, siteId: number, productId: number): Promise<number> =>
  write(app, async (tx) => {
    const [{ now }, product] = await Promise.all([siteAndNow(app, tx, siteId), lockProduct(tx, siteId, productId)])
    if (product === undefined) throw notFound()
    if (product.archivedAt !== null) throw invalid('Product: is archived already.')
    await updateProductRow(tx, { ...product, archivedAt: now, updatedAt: now })
    return productId
  })
