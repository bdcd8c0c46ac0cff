/** Components of the catalog with their price brackets. */
import type { Component, PriceBracket } from '../billing/component.ts'
import type { Connection, Transaction } from './database.ts'
import { type Narrowing, narrowedBy } from './narrowing.ts'
import { allOf, fragment, type Sql, sql } from './sql.ts'
import { Table } from './table.ts'

/** Brackets are rows of their own; quantities and prices are exact decimals, read and written as text. */
type ComponentRow = Omit<Component, 'prices' | 'hasCustomPrice'>

const components = new Table<ComponentRow>('components', {
  id: 'bigint',
  productFamilyId: 'bigint',
  name: 'text',
  handle: 'text',
  description: 'text',
  unitName: 'text',
  kind: 'text',
  pricingScheme: 'text',
  unitPrice: 'decimal',
  taxable: 'boolean',
  allowFractionalQuantities: 'boolean',
  recurring: 'boolean',
  accountingCode: 'text',
  taxCode: 'text',
  itemCategory: 'text',
  displayOnHostedPage: 'boolean',
  createdAt: 'instant',
  updatedAt: 'instant',
  archivedAt: 'instant',
})

const priceBrackets = new Table<PriceBracket & { siteId: number; componentId: number }>('price_brackets', {
  componentId: 'bigint',
  startingQuantity: 'bigint',
  endingQuantity: 'bigint',
  unitPrice: 'decimal',
})

/** The brackets of a component as one JSON value, lowest first; prices as text, so that no digit is lost. */
const bracketsOf: Sql = sql`(
  select json_agg(json_build_object('startingQuantity', b.starting_quantity, 'endingQuantity', b.ending_quantity,
    'unitPrice', trim_scale(b.unit_price)::text) order by b.starting_quantity)
  from price_brackets b where b.site_id = c.site_id and b.component_id = c.id)`

/** What a statement selects of `components c` for `readComponent`. */
export const componentList: Sql = sql`${components.list('c')}, ${bracketsOf}`
export const componentWidth = components.width + 1

export const readComponent = (row: readonly unknown[], at = 0): Component => ({
  ...components.read(row, at),
  prices: (row[at + components.width] as PriceBracket[] | null) ?? [],
})

export type ComponentInFamily = { component: Component; familyName: string }
export type ComponentNamed = { id: number } | { handle: string }

export const isComponent = (by: ComponentNamed): Sql =>
  'id' in by ? sql`c.id = ${by.id}` : sql`c.handle = ${by.handle}`

const inFamily = (row: readonly unknown[]): ComponentInFamily => ({
  component: readComponent(row),
  familyName: row[componentWidth] as string,
})

/** Archived ones are found too; of one family, or of any when it is null. */
export async function findComponent(
  connection: Connection,
  siteId: number,
  by: ComponentNamed,
  familyId: number | null = null,
): Promise<ComponentInFamily | undefined> {
  const [row] = await connection.arrays(sql`
    select ${componentList}, f.name from components c
    join product_families f on f.site_id = c.site_id and f.id = c.product_family_id
    where c.site_id = ${siteId} and ${isComponent(by)} and ${ofFamily(familyId)}`)
  return row && inFamily(row)
}

const ofFamily = (familyId: number | null): Sql =>
  familyId === null ? fragment('true') : sql`c.product_family_id = ${familyId}`

type Part = { perPage: number; offset: number; familyId: number | null; includeArchived: boolean }

/** Oldest first. */
export const listComponents = async (
  connection: Connection,
  siteId: number,
  { perPage, offset, familyId, includeArchived }: Part,
  narrowing: Narrowing,
): Promise<ComponentInFamily[]> =>
  (
    await connection.arrays(sql`
      select ${componentList}, f.name from components c
      join product_families f on f.site_id = c.site_id and f.id = c.product_family_id
      where ${allOf([
        sql`c.site_id = ${siteId}`,
        ofFamily(familyId),
        includeArchived ? fragment('true') : fragment('c.archived_at is null'),
        ...narrowedBy('c', narrowing),
      ])}
      order by c.id limit ${perPage} offset ${offset}`)
  ).map(inFamily)

/** Those that can be had with a product: of its family, and not archived. */
export const listComponentsOfProduct = async (
  connection: Connection,
  siteId: number,
  productId: number,
): Promise<Component[]> =>
  (
    await connection.arrays(sql`
      select ${componentList} from components c
      join products p on p.site_id = c.site_id and p.product_family_id = c.product_family_id
      where c.site_id = ${siteId} and p.id = ${productId} and c.archived_at is null order by c.id`)
  ).map((row) => readComponent(row))

/** Locks the row until the transaction ends. */
export async function lockComponent(tx: Transaction, siteId: number, id: number): Promise<Component | undefined> {
  const [row] = await tx.arrays(sql`
    select ${componentList} from components c where c.site_id = ${siteId} and c.id = ${id} for update of c`)
  return row && readComponent(row)
}

export async function insertComponent(tx: Transaction, { prices, ...component }: Component): Promise<void> {
  const { siteId, id: componentId } = component
  await Promise.all([
    components.insert(tx, siteId, [component]),
    priceBrackets.insert(
      tx,
      siteId,
      prices.map((bracket) => ({ ...bracket, componentId })),
    ),
  ])
}

/** Whether a subscription has it, or had it once. */
export async function isComponentSold(tx: Transaction, siteId: number, id: number): Promise<boolean> {
  const rows = await tx.arrays(sql`
    select from subscription_components h where h.site_id = ${siteId} and h.component_id = ${id} limit 1`)
  return rows.length === 1
}

/** With its brackets, which are put down anew. */
export async function updateComponentRow(tx: Transaction, { prices, ...component }: Component): Promise<void> {
  const { siteId, id: componentId } = component
  await tx.run(sql`delete from price_brackets where site_id = ${siteId} and component_id = ${componentId}`)
  await Promise.all([
    components.update(tx, siteId, changing, [component]),
    priceBrackets.insert(
      tx,
      siteId,
      prices.map((bracket) => ({ ...bracket, componentId })),
    ),
  ])
}

const changing = [
  'name',
  'handle',
  'description',
  'unitName',
  'pricingScheme',
  'unitPrice',
  'taxable',
  'allowFractionalQuantities',
  'recurring',
  'accountingCode',
  'taxCode',
  'itemCategory',
  'displayOnHostedPage',
  'updatedAt',
] as const

export const setComponentArchived = (tx: Transaction, siteId: number, id: number, now: Temporal.Instant) =>
  tx.run(sql`
    update components set archived_at = ${now}, updated_at = ${now} where site_id = ${siteId} and id = ${id}`)
