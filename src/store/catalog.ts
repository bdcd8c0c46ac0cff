/** Product families, products, and the versions of a product's terms. */
import type { Interval } from '../billing/calendar.ts'
import type { PricingTerms, Product, ProductFamily, TrialType } from '../billing/catalog.ts'
import type { Cents } from '../billing/money.ts'
import type { Connection } from './database.ts'
import { allOf, type Sql, sql } from './sql.ts'
import { Table } from './table.ts'

export const productFamilies = new Table<ProductFamily>('product_families', {
  id: 'bigint',
  name: 'text',
  handle: 'text',
  description: 'text',
  accountingCode: 'text',
  createdAt: 'instant',
  updatedAt: 'instant',
})

type ProductRow = Omit<Product, keyof PricingTerms>

export const products = new Table<ProductRow>('products', {
  id: 'bigint',
  productFamilyId: 'bigint',
  name: 'text',
  handle: 'text',
  description: 'text',
  accountingCode: 'text',
  requestCreditCard: 'boolean',
  requireCreditCard: 'boolean',
  taxable: 'boolean',
  taxCode: 'text',
  requireBillingAddress: 'boolean',
  requestBillingAddress: 'boolean',
  requireShippingAddress: 'boolean',
  requestShippingAddress: 'boolean',
  returnUrl: 'text',
  returnParams: 'text',
  updateReturnUrl: 'text',
  updateReturnParams: 'text',
  versionNumber: 'integer',
  createdAt: 'instant',
  updatedAt: 'instant',
  archivedAt: 'instant',
})

type TermsRow = {
  siteId: number
  productId: number
  versionNumber: number
  price: Cents
  intervalCount: number
  intervalUnit: Interval['unit']
  initialCharge: Cents
  initialChargeAfterTrial: boolean
  trialPrice: Cents | null
  trialInterval: number | null
  trialIntervalUnit: Interval['unit'] | null
  trialType: TrialType | null
  expirationInterval: number | null
  expirationIntervalUnit: Interval['unit'] | 'never'
  createdAt: Temporal.Instant
}

export const productVersions = new Table<TermsRow>('product_versions', {
  productId: 'bigint',
  versionNumber: 'integer',
  price: 'cents',
  intervalCount: 'integer',
  intervalUnit: 'text',
  initialCharge: 'cents',
  initialChargeAfterTrial: 'boolean',
  trialPrice: 'cents',
  trialInterval: 'integer',
  trialIntervalUnit: 'text',
  trialType: 'text',
  expirationInterval: 'integer',
  expirationIntervalUnit: 'text',
  createdAt: 'instant',
})

/** A product as it is sold now, with its family. */
export type ProductInFamily = { product: Product; family: ProductFamily }

/**
 * What a statement selects to read a product: joins of `products p`, its current `product_versions v` and `product_families f`,
 * as `productJoins` writes them after a `p` of the statement's own.
 */
export const productList: Sql = sql`${products.list('p')}, ${productVersions.list('v')}, ${productFamilies.list('f')}`
export const productWidth = products.width + productVersions.width + productFamilies.width
export const productJoins: Sql = sql`
  join product_versions v on v.site_id = p.site_id and v.product_id = p.id and v.version_number = p.version_number
  join product_families f on f.site_id = p.site_id and f.id = p.product_family_id`

export function readProduct(row: readonly unknown[], at = 0): ProductInFamily {
  const afterProduct = at + products.width
  return {
    product: { ...products.read(row, at), ...termsOf(productVersions.read(row, afterProduct)) },
    family: productFamilies.read(row, afterProduct + productVersions.width),
  }
}

/** A trial without a type obliges to payment. */
function termsOf(row: TermsRow): PricingTerms {
  const { trialInterval, trialIntervalUnit, expirationInterval, expirationIntervalUnit } = row
  return {
    price: row.price,
    interval: { count: row.intervalCount, unit: row.intervalUnit },
    initialCharge: row.initialCharge,
    initialChargeAfterTrial: row.initialChargeAfterTrial,
    trial:
      trialInterval === null || trialIntervalUnit === null || row.trialPrice === null
        ? null
        : {
            price: row.trialPrice,
            interval: { count: trialInterval, unit: trialIntervalUnit },
            type: row.trialType ?? 'payment_expected',
          },
    expiration:
      expirationInterval === null || expirationIntervalUnit === 'never'
        ? null
        : { count: expirationInterval, unit: expirationIntervalUnit },
  }
}
