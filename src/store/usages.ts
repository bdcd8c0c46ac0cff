/** Metered usage as it was recorded: only added, never changed. */
import type { Usage } from '../billing/usage.ts'
import type { Connection } from './database.ts'
import { allOf, sql } from './sql.ts'
import { Table } from './table.ts'

export const usages = new Table<Usage>('usages', {
  id: 'bigint',
  subscriptionId: 'bigint',
  componentId: 'bigint',
  quantity: 'decimal',
  memo: 'text',
  createdAt: 'instant',
})

export type UsageRecord = { usage: Usage; componentHandle: string | null; allowFractionalQuantities: boolean }

const readRecord = (row: readonly unknown[]): UsageRecord => ({
  usage: usages.read(row),
  componentHandle: row[usages.width] as string | null,
  allowFractionalQuantities: row[usages.width + 1] as boolean,
})

export async function findUsage(connection: Connection, siteId: number, id: number): Promise<UsageRecord | undefined> {
  const [row] = await connection.arrays(sql`
    select ${usages.list('u')}, c.handle, c.allow_fractional_quantities
    from usages u join components c on c.site_id = u.site_id and c.id = u.component_id
    where u.site_id = ${siteId} and u.id = ${id}`)
  return row && readRecord(row)
}

/** Both ends belong to each window; null is an open end. */
export type UsageWindow = {
  sinceId: number | null
  maxId: number | null
  since: Temporal.Instant | null
  until: Temporal.Instant | null
  perPage: number
  offset: number
}

/** Newest first. */
export const listUsages = async (
  connection: Connection,
  siteId: number,
  { subscriptionId, componentId }: { subscriptionId: number; componentId: number },
  { sinceId, maxId, since, until, perPage, offset }: UsageWindow,
): Promise<UsageRecord[]> =>
  (
    await connection.arrays(sql`
      select ${usages.list('u')}, c.handle, c.allow_fractional_quantities
      from usages u join components c on c.site_id = u.site_id and c.id = u.component_id
      where ${allOf([
        sql`u.site_id = ${siteId} and u.subscription_id = ${subscriptionId} and u.component_id = ${componentId}`,
        sql`${sinceId}::bigint is null or u.id >= ${sinceId}`,
        sql`${maxId}::bigint is null or u.id <= ${maxId}`,
        sql`${since}::timestamptz is null or u.created_at >= ${since}`,
        sql`${until}::timestamptz is null or u.created_at <= ${until}`,
      ])}
      order by u.id desc limit ${perPage} offset ${offset}`)
  ).map(readRecord)
