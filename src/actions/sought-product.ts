/** The products that an update names, found among those that the site sells. */
import type { ProductTerms } from '../billing/catalog.ts'
import { type CustomPrice, isSamePrice, laterTerms, refuseCentsOfPrice } from '../billing/custom-price.ts'
import { type NamedPricePoint, refuseOtherPricePoints } from '../billing/price-point.ts'
import { invalid } from '../billing/refusal.ts'
import type { SubscriptionFacts } from '../billing/subscription.ts'
import type { Update } from '../billing/update.ts'
import { findProduct, type Named } from '../store/catalog.ts'
import type { Connection } from '../store/database.ts'
import { nextIds } from '../store/ids.ts'
import { findProductTerms } from '../store/product-terms.ts'

export type SoughtProducts = {
  product: Named | null
  /** Of the product that the update names, else of the one that there is. */
  customPrice?: CustomPrice | null
  /** At the next renewal, not now. */
  isDelayed: boolean
  /** Null calls a delayed change off; undefined leaves it. */
  nextProductId?: number | null
  /** Of the product that the update names, else of the one that there is; other than its own are refused. */
  pricePoints?: readonly NamedPricePoint[]
  /** Of the product of the next period. */
  nextPricePoints?: readonly NamedPricePoint[]
}

type Found = Pick<Update, 'product' | 'nextProduct'>

/** What an update changes about products. Refuses unknown and archived ones; the present one may be named whatever became of it. */
export async function findSoughtProducts(
  connection: Connection,
  facts: SubscriptionFacts,
  sought: SoughtProducts,
): Promise<Found> {
  const found = await findProducts(connection, facts, sought)
  refusePricePoints(facts, found, sought)
  return found
}

function refusePricePoints(
  { product: present, pricing }: SubscriptionFacts,
  found: Found,
  { product, isDelayed, pricePoints, nextPricePoints = [] }: SoughtProducts,
): void {
  const now = found.product ?? present
  const pending = found.nextProduct === undefined ? pricing.nextProduct : found.nextProduct
  const next = pending?.productId === now.productId ? now : pending
  refuseOtherPricePoints(product !== null && isDelayed ? (next ?? now) : now, pricePoints)
  if (next === null && nextPricePoints.some(({ sent }) => sent.trim() !== '0')) {
    throw invalid('Next product price point id: is not supported; no other product comes with the next period.')
  }
  refuseOtherPricePoints(next ?? now, nextPricePoints)
}

async function findProducts(
  connection: Connection,
  { site, subscription, product: present }: SubscriptionFacts,
  { product, customPrice = null, isDelayed, nextProductId }: SoughtProducts,
): Promise<Found> {
  const { siteId, productId, nextProductId: pending } = subscription
  const found: Found = {}
  if (nextProductId === null) found.nextProduct = null
  else if (nextProductId !== undefined && nextProductId !== pending) {
    const next = await findProductTerms(connection, siteId, { id: nextProductId })
    if (next === undefined) throw invalid('Next product: must be a valid product provided by the seller.')
    found.nextProduct = next
  }
  if (customPrice !== null) {
    const named = product && (await termsOf(connection, siteId, productId, product))
    refuseCentsOfPrice(site, customPrice)
    const [versionNumber] = await nextIds(connection, 'custom_prices')
    const terms = laterTerms(subscription, present, named ?? present, customPrice, versionNumber!)
    return isSamePrice(present, terms) ? found : { ...found, product: terms }
  }
  if (product === null) return found
  const terms = await termsOf(connection, siteId, productId, product)
  if (isDelayed) return { ...found, nextProduct: terms }
  return terms === null ? found : { ...found, product: terms }
}

/** Null for the product that the subscription has. */
async function termsOf(
  connection: Connection,
  siteId: number,
  present: number,
  by: Named,
): Promise<ProductTerms | null> {
  const known = await findProduct(connection, siteId, by)
  if (known?.product.id === present) return null
  const terms = known && (await findProductTerms(connection, siteId, { id: known.product.id }))
  if (terms !== undefined) return terms
  throw invalid(noProduct(by))
}

/** Null is a request that names none. */
export const noProduct = (by: Named | null): string =>
  by !== null && 'handle' in by
    ? `Product with API Handle '${by.handle}' does not exist for this merchant.`
    : 'Product must be specified and be a valid product provided by the seller.'
