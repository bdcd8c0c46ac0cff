/** What coupons are good for alone: whether a family sells it, and what it is called. */
import type { RestrictedTo } from '../billing/coupon.ts'
import type { Connection } from './database.ts'
import { bigints, type Sql, sql, texts } from './sql.ts'

/** Those of the items that are not products or components of the family; archived ones are. */
export async function listUnknownItems(
  connection: Connection,
  siteId: number,
  familyId: number,
  items: readonly RestrictedTo[],
): Promise<RestrictedTo[]> {
  const types = texts(items.map(({ itemType }) => itemType))
  const ids = bigints(items.map(({ itemId }) => itemId))
  const rows = await connection.arrays(sql`
    select u.place from unnest(${types}::text[], ${ids}::bigint[]) with ordinality as u (type, id, place)
    left join products p on u.type = 'Product' and p.site_id = ${siteId} and p.id = u.id and p.product_family_id = ${familyId}
    left join components m on u.type = 'Component' and m.site_id = ${siteId} and m.id = u.id and m.product_family_id = ${familyId}
    where p.id is null and m.id is null order by u.place`)
  return rows.map((row) => items[(row[0] as number) - 1]!)
}

/** One thing that a coupon is good for, as it is told. */
export type NamedRestriction = { id: number; item_type: string; item_id: number; name: string; handle: string | null }

/** One value of a row about coupons, under the alias `c`: a list, empty where the coupon is good for everything. */
export const restrictionsOfCoupon: Sql = sql`(
  select coalesce(json_agg(json_build_object('id', r.id, 'item_type', r."itemType", 'item_id', r."itemId",
    'name', coalesce(p.name, m.name), 'handle', case when p.id is null then m.handle else p.handle end) order by r.place), '[]')
  from rows from (jsonb_to_recordset(c.restrictions) as (id bigint, "itemType" text, "itemId" bigint)) with ordinality
    as r (id, "itemType", "itemId", place)
  left join products p on r."itemType" = 'Product' and p.site_id = c.site_id and p.id = r."itemId"
  left join components m on r."itemType" = 'Component' and m.site_id = c.site_id and m.id = r."itemId")`
