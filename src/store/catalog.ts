/** Product families, products, and the versions of a product's terms. */
import type { Interval } from '../billing/calendar.ts'
import type { PricingTerms, Product, ProductFamily, TrialType } from '../billing/catalog.ts'
import type { NewCustomPrice } from '../billing/changes.ts'
import type { Cents } from '../billing/money.ts'
import type { Connection, Transaction } from './database.ts'
import { everything, type Narrowing, narrowedBy } from './narrowing.ts'
import { allOf, fragment, type Sql, sql } from './sql.ts'
import { Table } from './table.ts'

const productFamilies = new Table<ProductFamily>('product_families', {
  id: 'bigint',
  name: 'text',
  handle: 'text',
  description: 'text',
  accountingCode: 'text',
  createdAt: 'instant',
  updatedAt: 'instant',
})

type ProductRow = Omit<Product, keyof PricingTerms>

const products = new Table<ProductRow>('products', {
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
  initialCharge: Cents | null
  initialChargeAfterTrial: boolean
  trialPrice: Cents | null
  trialInterval: number | null
  trialIntervalUnit: Interval['unit'] | null
  trialType: TrialType | null
  expirationInterval: number | null
  expirationIntervalUnit: Interval['unit'] | 'never'
  createdAt: Temporal.Instant
  /** Whose price it is alone; null for a version of the catalog. */
  subscriptionId: number | null
  priceName: string | null
  priceHandle: string | null
}

const productVersions = new Table<TermsRow>('product_versions', {
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
  subscriptionId: 'bigint',
  priceName: 'text',
  priceHandle: 'text',
})

/** A product as it is sold now, with its family. */
export type ProductInFamily = { product: Product; family: ProductFamily }

/**
 * What a statement selects to read a product: joins of `products p`, its current `product_versions v` and `product_families f`,
 * as `productJoins` writes them after a `p` of the statement's own.
 */
export const productList: Sql = sql`${products.list('p')}, ${productVersions.list('v')}, ${productFamilies.list('f')}`
export const productWidth = products.width + productVersions.width + productFamilies.width
const familyJoin = sql`join product_families f on f.site_id = p.site_id and f.id = p.product_family_id`
export const productJoins: Sql = sql`
  join product_versions v on v.site_id = p.site_id and v.product_id = p.id and v.version_number = p.version_number
  ${familyJoin}`

/** The same of a product that is sold to a subscription on the version `sold`: where that is its own price, the product shows it. */
export const soldProductJoins: Sql = sql`
  join product_versions v on v.site_id = p.site_id and v.product_id = p.id
    and v.version_number = case when sold.subscription_id is null then p.version_number else sold.version_number end
  ${familyJoin}`

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

export type Named = { id: number } | { handle: string }

const isNamed = (alias: Sql, by: Named): Sql =>
  'id' in by ? sql`${alias}.id = ${by.id}` : sql`${alias}.handle = ${by.handle}`

export async function findProductFamily(
  connection: Connection,
  siteId: number,
  by: Named,
): Promise<ProductFamily | undefined> {
  const [row] = await connection.arrays(sql`
    select ${productFamilies.list('f')} from product_families f where f.site_id = ${siteId} and ${isNamed(fragment('f'), by)}`)
  return row && productFamilies.read(row)
}

type Part = { perPage: number; offset: number }

/** Oldest first. */
export const listProductFamilies = async (
  connection: Connection,
  siteId: number,
  { perPage, offset }: Part,
  narrowing: Narrowing = everything,
): Promise<ProductFamily[]> =>
  (
    await connection.arrays(sql`
      select ${productFamilies.list('f')} from product_families f
      where ${allOf([sql`f.site_id = ${siteId}`, ...narrowedBy('f', narrowing)])}
      order by f.id limit ${perPage} offset ${offset}`)
  ).map((row) => productFamilies.read(row))

/** Archived products are found too. */
export async function findProduct(
  connection: Connection,
  siteId: number,
  by: Named,
): Promise<ProductInFamily | undefined> {
  const [row] = await connection.arrays(sql`
    select ${productList} from products p ${productJoins} where p.site_id = ${siteId} and ${isNamed(fragment('p'), by)}`)
  return row && readProduct(row)
}

/** Oldest first; of one family or of all. */
export const listProducts = async (
  connection: Connection,
  siteId: number,
  { perPage, offset, familyId, includeArchived }: Part & { familyId: number | null; includeArchived: boolean },
  narrowing: Narrowing = everything,
): Promise<ProductInFamily[]> =>
  (
    await connection.arrays(sql`
      select ${productList} from products p ${productJoins}
      where ${allOf([
        sql`p.site_id = ${siteId}`,
        ...(familyId === null ? [] : [sql`p.product_family_id = ${familyId}`]),
        ...(includeArchived ? [] : [sql`p.archived_at is null`]),
        ...narrowedBy('p', narrowing),
      ])}
      order by p.id limit ${perPage} offset ${offset}`)
  ).map((row) => readProduct(row))

/**
 * The product with the terms on which it is sold now, locked for a change until the transaction ends. Two statements: one that waited
 * for the lock would go on with the version that it had joined before.
 */
export async function lockProduct(tx: Transaction, siteId: number, id: number): Promise<Product | undefined> {
  await tx.run(sql`select from products p where p.site_id = ${siteId} and p.id = ${id} for update`)
  return (await findProduct(tx, siteId, { id }))?.product
}

export const insertProductFamily = (tx: Transaction, family: ProductFamily): Promise<void> =>
  productFamilies.insert(tx, family.siteId, [family])

export async function insertProduct(tx: Transaction, product: Product): Promise<void> {
  await Promise.all([products.insert(tx, product.siteId, [product]), insertVersion(tx, product, product.createdAt)])
}

/** Writes everything but the terms; those of a new version are written by `insertVersion`. */
export const updateProductRow = (tx: Transaction, product: Product): Promise<void> =>
  products.update(tx, product.siteId, changing, [product])

const changing = products.columns
  .map((column) => column.field as keyof ProductRow)
  .filter((field) => field !== 'createdAt' && field !== 'productFamilyId')

/** The terms of the product as the version whose number it carries. */
export const insertVersion = (tx: Transaction, product: Product, now: Temporal.Instant): Promise<void> =>
  productVersions.insert(tx, product.siteId, [versionOf(product.id, product, now)])

/** The prices that subscriptions have for themselves. */
export const insertCustomPrices = (tx: Transaction, siteId: number, prices: readonly NewCustomPrice[]): Promise<void> =>
  productVersions.insert(
    tx,
    siteId,
    prices.map(({ subscriptionId, terms, createdAt }) => ({
      ...versionOf(terms.productId, terms, createdAt),
      subscriptionId,
      priceName: terms.custom?.name ?? null,
      priceHandle: terms.custom?.handle ?? null,
    })),
  )

const versionOf = (
  productId: number,
  terms: PricingTerms & { versionNumber: number },
  createdAt: Temporal.Instant,
): Omit<TermsRow, 'siteId' | 'subscriptionId' | 'priceName' | 'priceHandle'> => ({
  productId,
  versionNumber: terms.versionNumber,
  price: terms.price,
  intervalCount: terms.interval.count,
  intervalUnit: terms.interval.unit,
  initialCharge: terms.initialCharge,
  initialChargeAfterTrial: terms.initialChargeAfterTrial,
  trialPrice: terms.trial?.price ?? null,
  trialInterval: terms.trial?.interval.count ?? null,
  trialIntervalUnit: terms.trial?.interval.unit ?? null,
  trialType: terms.trial?.type ?? null,
  expirationInterval: terms.expiration?.count ?? null,
  expirationIntervalUnit: terms.expiration?.unit ?? 'never',
  createdAt,
})
