/** Components of the catalog, and how much of them subscriptions have. */
import type { Component, PriceBracket, SubscribedComponent } from '../billing/component.ts'
import type { Connection } from './database.ts'
import { bigints, type Sql, sql } from './sql.ts'
import { Table } from './table.ts'

/** Brackets are rows of their own; quantities and prices are exact decimals, read and written as text. */
export type ComponentRow = Omit<Component, 'prices'>

export const components = new Table<ComponentRow>('components', {
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
  createdAt: 'instant',
  updatedAt: 'instant',
  archivedAt: 'instant',
})

/** The brackets of a component as one JSON value, lowest first; prices as text, so that no digit is lost. */
export const bracketsOf: Sql = sql`(
  select json_agg(json_build_object('startingQuantity', b.starting_quantity, 'endingQuantity', b.ending_quantity,
    'unitPrice', trim_scale(b.unit_price)::text) order by b.starting_quantity)
  from price_brackets b where b.site_id = c.site_id and b.component_id = c.id)`

/** Reads `components.list('c')` followed by `bracketsOf`. */
export const readComponent = (row: readonly unknown[], at = 0): Component => ({
  ...components.read(row, at),
  prices: (row[at + components.width] as PriceBracket[] | null) ?? [],
})

/** What subscriptions have of components, by subscription, in the order of the components' ids. */
export async function listSubscribedComponents(
  connection: Connection,
  siteId: number,
  subscriptionIds: readonly number[],
): Promise<Map<number, SubscribedComponent[]>> {
  const rows = await connection.arrays(sql`
    select ${components.list('c')}, ${bracketsOf}, s.subscription_id, trim_scale(s.quantity), trim_scale(s.unit_balance)
    from subscription_components s join components c on c.site_id = s.site_id and c.id = s.component_id
    where s.site_id = ${siteId} and s.subscription_id = any(${bigints(subscriptionIds)}::bigint[])
    order by s.subscription_id, s.component_id`)
  const rest = components.width + 1
  return Map.groupBy(
    rows.map((row) => ({
      subscriptionId: row[rest] as number,
      component: readComponent(row),
      quantity: row[rest + 1] as string,
      unitBalance: row[rest + 2] as string,
    })),
    ({ subscriptionId }) => subscriptionId,
  )
}

/** Usage that was billed starts again at 0. */
export const clearUnitBalances = (
  connection: Connection,
  siteId: number,
  billed: readonly { subscriptionId: number; componentId: number }[],
): Promise<number> | undefined =>
  billed.length === 0
    ? undefined
    : connection.run(sql`
        update subscription_components t set unit_balance = 0
        from (select ${siteId}::bigint as site) s,
          unnest(${bigints(billed.map((one) => one.subscriptionId))}::bigint[],
            ${bigints(billed.map((one) => one.componentId))}::bigint[]) as u (subscription_id, component_id)
        where t.site_id = s.site and t.subscription_id = u.subscription_id and t.component_id = u.component_id`)
