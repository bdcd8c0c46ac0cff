/** How much of which components subscriptions have. */
import type { BilledUsage, ComponentStock } from '../billing/changes.ts'
import type { Component, ComponentPrice, SubscribedComponent } from '../billing/component.ts'
import { type ComponentNamed, componentList, componentWidth, isComponent, readComponent } from './components.ts'
import type { Connection } from './database.ts'
import { bigints, fragment, type Sql, sql, texts } from './sql.ts'

/** What subscriptions have of components, by subscription, in the order of the components' ids. */
export async function listSubscribedComponents(
  connection: Connection,
  siteId: number,
  subscriptionIds: readonly number[],
): Promise<Map<number, SubscribedComponent[]>> {
  const rows = await connection.arrays(sql`
    select ${componentList}, trim_scale(s.quantity), trim_scale(s.unit_balance), s.custom_price, s.subscription_id
    from subscription_components s join components c on c.site_id = s.site_id and c.id = s.component_id
    where s.site_id = ${siteId} and s.subscription_id = any(${bigints(subscriptionIds)}::bigint[])
    order by s.subscription_id, s.component_id`)
  return Map.groupBy(
    rows.map((row) => ({ ...readSubscribed(row), subscriptionId: row[componentWidth + 3] as number })),
    ({ subscriptionId }) => subscriptionId,
  )
}

const readSubscribed = (row: readonly unknown[]): SubscribedComponent => ({
  component: atPriceOf(readComponent(row), row[componentWidth + 2] as ComponentPrice | null),
  quantity: row[componentWidth] as string,
  unitBalance: row[componentWidth + 1] as string,
})

const atPriceOf = (component: Component, price: ComponentPrice | null): Component =>
  price === null ? component : { ...component, ...price, hasCustomPrice: true }

/**
 * Everything that a subscription can have: what is sold with its product, and what it has although that is sold no more. What it had
 * before its product's family changed is told, but not sold.
 */
const offered = (siteId: number, subscriptionId: number, condition: Sql): Sql => sql`
  select ${componentList}, trim_scale(coalesce(h.quantity, 0)), trim_scale(coalesce(h.unit_balance, 0)), h.custom_price,
    c.product_family_id = p.product_family_id or h.quantity <> 0 or h.unit_balance <> 0
  from subscriptions s
  join products p on p.site_id = s.site_id and p.id = s.product_id
  join components c on c.site_id = s.site_id
  left join subscription_components h on h.site_id = s.site_id and h.subscription_id = s.id and h.component_id = c.id
  where s.site_id = ${siteId} and s.id = ${subscriptionId} and s.deleted_at is null and ${condition}
    and (h.component_id is not null or (c.product_family_id = p.product_family_id and c.archived_at is null))
  order by c.id`

export const listOfferedComponents = async (
  connection: Connection,
  siteId: number,
  subscriptionId: number,
): Promise<SubscribedComponent[]> =>
  (await connection.arrays(offered(siteId, subscriptionId, fragment('true')))).map(readSubscribed)

/** `isSold` is false for what it had once, of another family than its product's. */
export type OfferedComponent = SubscribedComponent & { isSold: boolean }

/** Undefined when the subscription does not exist, or cannot have it. */
export async function findOfferedComponent(
  connection: Connection,
  siteId: number,
  subscriptionId: number,
  by: ComponentNamed,
): Promise<OfferedComponent | undefined> {
  const [row] = await connection.arrays(offered(siteId, subscriptionId, isComponent(by)))
  return row && { ...readSubscribed(row), isSold: row[componentWidth + 3] as boolean }
}

/** SQL's null leaves the price as it is, JSON's ends it. */
const writtenPrice = (price: ComponentPrice | null | undefined): string | null =>
  price === undefined ? null : JSON.stringify(price)

export const saveComponentStock = (
  connection: Connection,
  siteId: number,
  stock: readonly ComponentStock[],
): Promise<number> | undefined =>
  stock.length === 0
    ? undefined
    : connection.run(sql`
        insert into subscription_components (site_id, subscription_id, component_id, quantity, unit_balance, custom_price)
        select ${siteId}::bigint, u.subscription_id, u.component_id, u.quantity, u.unit_balance, u.custom_price::jsonb
        from unnest(${bigints(stock.map((one) => one.subscriptionId))}::bigint[],
          ${bigints(stock.map((one) => one.componentId))}::bigint[],
          ${texts(stock.map((one) => one.quantity))}::numeric[], ${texts(stock.map((one) => one.unitBalance))}::numeric[],
          ${texts(stock.map((one) => writtenPrice(one.customPrice)))}::text[])
          as u (subscription_id, component_id, quantity, unit_balance, custom_price)
        on conflict (site_id, subscription_id, component_id)
          do update set quantity = excluded.quantity, unit_balance = excluded.unit_balance,
            custom_price = nullif(coalesce(excluded.custom_price, subscription_components.custom_price), 'null'::jsonb)`)

/** What was billed is no longer in the unit balance. */
export const billUnitBalances = (
  connection: Connection,
  siteId: number,
  billed: readonly BilledUsage[],
): Promise<number> | undefined =>
  billed.length === 0
    ? undefined
    : connection.run(sql`
        update subscription_components t set unit_balance = t.unit_balance - coalesce(u.quantity, t.unit_balance),
          billed_quantity = t.billed_quantity + coalesce(u.quantity, t.unit_balance)
        from (select ${siteId}::bigint as site) s,
          unnest(${bigints(billed.map((one) => one.subscriptionId))}::bigint[],
            ${bigints(billed.map((one) => one.componentId))}::bigint[],
            ${texts(billed.map((one) => one.quantity ?? null))}::numeric[]) as u (subscription_id, component_id, quantity)
        where t.site_id = s.site and t.subscription_id = u.subscription_id and t.component_id = u.component_id`)
