/** The fields that a site has added to its customers and subscriptions, and the values in them. */
import { assert } from '../billing/assert.ts'
import type { FieldOwner } from '../billing/event.ts'
import type { MetadataChanges, Metadatum, Metafield, ResourceType } from '../billing/metafield.ts'
import { lockCustomer } from './customers.ts'
import type { Connection, Transaction } from './database.ts'
import { bigints, fragment, type Sql, sql, texts } from './sql.ts'
import { Table } from './table.ts'

export type Resource = { type: ResourceType; id: number }
export type Part = { perPage: number; offset: number; direction: 'asc' | 'desc' }

/** Some of a list, and how long the whole list is. */
export type Counted<Row> = { rows: Row[]; count: number }

export type MetafieldRow = Metafield & { createdAt: Temporal.Instant; updatedAt: Temporal.Instant }

export const metafields = new Table<MetafieldRow>('metafields', {
  id: 'bigint',
  resourceType: 'text',
  name: 'text',
  inputType: 'text',
  choices: 'json',
  scope: 'json',
  createdAt: 'instant',
  updatedAt: 'instant',
})

/** Those of the names that exist, in the order of their ids; kept from being renamed or deleted until the transaction ends. */
export const lockMetafieldsShared = async (
  tx: Transaction,
  siteId: number,
  type: ResourceType,
  names: readonly string[],
): Promise<MetafieldRow[]> =>
  (
    await tx.arrays(sql`
      select ${metafields.list('f')} from metafields f
      where f.site_id = ${siteId} and f.resource_type = ${type} and f.name = any(${texts(names)}::text[])
      order by f.id for key share`)
  ).map((row) => metafields.read(row))

/** Those of the names that exist, by name; and how many there are of the type. */
export async function findMetafields(
  connection: Connection,
  siteId: number,
  type: ResourceType,
  names: readonly string[],
): Promise<{ fields: Map<string, Metafield>; count: number }> {
  const [rows, count] = await Promise.all([
    connection.arrays(sql`
      select ${metafields.list('f')} from metafields f
      where f.site_id = ${siteId} and f.resource_type = ${type} and f.name = any(${texts(names)}::text[])`),
    countOf(
      connection,
      sql`select count(*) from metafields f where f.site_id = ${siteId} and f.resource_type = ${type}`,
    ),
  ])
  return { fields: new Map(rows.map((row) => metafields.read(row)).map((field) => [field.name, field])), count }
}

/** Locked for a change, until the transaction ends. */
export async function lockMetafield(
  tx: Transaction,
  siteId: number,
  type: ResourceType,
  name: string,
): Promise<MetafieldRow | undefined> {
  const [row] = await tx.arrays(sql`
    select ${metafields.list('f')} from metafields f
    where f.site_id = ${siteId} and f.resource_type = ${type} and f.name = ${name} for update`)
  return row && metafields.read(row)
}

export const listMetafieldNames = async (
  connection: Connection,
  siteId: number,
  type: ResourceType,
): Promise<Set<string>> => {
  const rows = await connection.arrays(sql`
    select f.name from metafields f where f.site_id = ${siteId} and f.resource_type = ${type}`)
  return new Set(rows.map((row) => row[0] as string))
}

/** With the number of resources that have a value; by id. Null is any name, or any id. */
export async function listMetafields(
  connection: Connection,
  siteId: number,
  type: ResourceType,
  { name, ids, perPage, offset, direction }: Part & { name: string | null; ids: readonly number[] | null },
): Promise<Counted<{ metafield: MetafieldRow; dataCount: number }>> {
  const meant = sql`f.site_id = ${siteId} and f.resource_type = ${type}
    and (${name}::text is null or f.name = ${name}) and (${ids && bigints(ids)}::bigint[] is null or f.id = any(${ids && bigints(ids)}::bigint[]))`
  const [rows, count] = await Promise.all([
    connection.arrays(sql`
      select ${metafields.list('f')},
        (select count(*) from metadata m where m.site_id = f.site_id and m.metafield_id = f.id)
      from metafields f where ${meant} order by f.id ${fragment(direction)} limit ${perPage} offset ${offset}`),
    countOf(connection, sql`select count(*) from metafields f where ${meant}`),
  ])
  const read = (row: unknown[]) => ({ metafield: metafields.read(row), dataCount: row[metafields.width] as number })
  return { rows: rows.map(read), count }
}

export const deleteMetafield = (tx: Transaction, siteId: number, id: number): Promise<number> =>
  tx.run(sql`delete from metafields where site_id = ${siteId} and id = ${id}`)

/** Locks whose metadata is to change. Undefined when the site has no such customer or subscription. */
export async function lockFieldOwner(
  tx: Transaction,
  siteId: number,
  { type, id }: Resource,
): Promise<(Omit<FieldOwner, 'at'> & { updatedAt: Temporal.Instant }) | undefined> {
  const owner = { siteId, resourceType: type, resourceId: id }
  if (type === 'customer') {
    const customer = await lockCustomer(tx, siteId, id)
    return customer && { ...owner, customerId: id, updatedAt: customer.updatedAt }
  }
  const [row] = await tx.arrays(sql`
    select s.customer_id, s.updated_at from subscriptions s
    where s.site_id = ${siteId} and s.id = ${id} and s.deleted_at is null for update`)
  return row && { ...owner, customerId: row[0] as number, updatedAt: row[1] as Temporal.Instant }
}

const metadataList: Sql = sql`m.id, m.metafield_id, f.name, m.resource_id, m.value
  from metadata m join metafields f on f.site_id = m.site_id and f.id = m.metafield_id`

const readMetadatum = (row: readonly unknown[]): Metadatum => {
  const [id, metafieldId, name, resourceId, value] = row as [number, number, string, number, string]
  return { id, metafieldId, name, resourceId, value }
}

/** All that one customer or subscription has. */
export const listMetadataOf = async (
  connection: Connection,
  siteId: number,
  { type, id }: Resource,
): Promise<Metadatum[]> =>
  (
    await connection.arrays(sql`
      select ${metadataList} where m.site_id = ${siteId} and m.resource_type = ${type} and m.resource_id = ${id}
      order by m.metafield_id`)
  ).map(readMetadatum)

/** By resource, then by field; null is all resources of the type. */
export async function listMetadata(
  connection: Connection,
  siteId: number,
  type: ResourceType,
  resourceIds: readonly number[] | null,
  { perPage, offset, direction }: Part,
): Promise<Counted<Metadatum>> {
  const of = sql`m.site_id = ${siteId} and m.resource_type = ${type}`
  const meant = resourceIds === null ? of : sql`${of} and m.resource_id = any(${bigints(resourceIds)}::bigint[])`
  const [rows, count] = await Promise.all([
    connection.arrays(sql`
      select ${metadataList} where ${meant}
      order by m.resource_id ${fragment(direction)}, m.metafield_id ${fragment(direction)}
      limit ${perPage} offset ${offset}`),
    countOf(connection, sql`select count(*) from metadata m where ${meant}`),
  ])
  return { rows: rows.map(readMetadatum), count }
}

const countOf = async (connection: Connection, statement: Sql): Promise<number> => {
  const [row] = await connection.arrays(statement)
  assert(row !== undefined, 'a count is one row')
  return row[0] as number
}

/** Whoever has a value in one field, with the value. */
export const listMetadataIn = async (
  tx: Transaction,
  { siteId, id, resourceType }: Metafield,
  at: Temporal.Instant,
): Promise<{ owner: FieldOwner; value: string }[]> =>
  (
    await tx.arrays(sql`
      select m.resource_id, coalesce(s.customer_id, m.customer_id), m.value
      from metadata m left join subscriptions s on s.site_id = m.site_id and s.id = m.subscription_id
      where m.site_id = ${siteId} and m.metafield_id = ${id} order by m.resource_id`)
  ).map((row) => {
    const [resourceId, customerId, value] = row as [number, number, string]
    return { owner: { siteId, resourceType, resourceId, customerId, at }, value }
  })

/** Writes the values of one resource, which is locked. */
export async function saveMetadata(
  tx: Transaction,
  { siteId, resourceType, resourceId, at }: FieldOwner,
  { set, removed }: MetadataChanges,
): Promise<void> {
  await Promise.all([
    set.length > 0 &&
      tx.run(sql`
        insert into metadata (site_id, resource_type, resource_id, metafield_id, value, created_at, updated_at)
        select ${siteId}::bigint, ${resourceType}::text, ${resourceId}::bigint, u.metafield_id, u.value,
          ${at}::timestamptz, ${at}::timestamptz
        from unnest(${bigints(set.map((one) => one.metafieldId))}::bigint[],
          ${texts(set.map((one) => one.value))}::text[]) as u (metafield_id, value)
        on conflict (site_id, resource_type, resource_id, metafield_id)
        do update set value = excluded.value, updated_at = excluded.updated_at`),
    removed.length > 0 &&
      tx.run(sql`
        delete from metadata
        where site_id = ${siteId} and resource_type = ${resourceType} and resource_id = ${resourceId}
          and metafield_id = any(${bigints(removed)}::bigint[])`),
  ])
}

export const clearMetafield = (tx: Transaction, siteId: number, metafieldId: number): Promise<number> =>
  tx.run(sql`delete from metadata where site_id = ${siteId} and metafield_id = ${metafieldId}`)
