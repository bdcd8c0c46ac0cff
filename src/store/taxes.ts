/** The tax rates of a site, and what fell of them on charges. A deleted tax is kept for what it was, and applies to nobody. */
import type { Tax, Taxation } from '../billing/tax.ts'
import type { Connection, Transaction } from './database.ts'
import { bigints, sql } from './sql.ts'
import { Table } from './table.ts'

export type TaxRow = Tax & {
  createdAt: Temporal.Instant
  updatedAt: Temporal.Instant
  deletedAt: Temporal.Instant | null
}

export const taxes = new Table<TaxRow>('taxes', {
  id: 'bigint',
  name: 'text',
  rate: 'decimal',
  country: 'text',
  state: 'text',
  createdAt: 'instant',
  updatedAt: 'instant',
  deletedAt: 'instant',
})

export const taxations = new Table<Taxation>('taxations', {
  chargeId: 'bigint',
  taxChargeId: 'bigint',
  taxId: 'bigint',
  taxName: 'text',
  rate: 'decimal',
  amount: 'cents',
})

/** All that apply to anybody, in the order of their ids. */
export const listTaxes = async (connection: Connection, siteId: number): Promise<TaxRow[]> =>
  (
    await connection.arrays(sql`
      select ${taxes.list('t')} from taxes t where t.site_id = ${siteId} and t.deleted_at is null order by t.id`)
  ).map((row) => taxes.read(row))

export const listTaxPage = async (
  connection: Connection,
  siteId: number,
  { perPage, offset }: { perPage: number; offset: number },
): Promise<TaxRow[]> =>
  (
    await connection.arrays(sql`
      select ${taxes.list('t')} from taxes t where t.site_id = ${siteId} and t.deleted_at is null
      order by t.id limit ${perPage} offset ${offset}`)
  ).map((row) => taxes.read(row))

export async function findTax(connection: Connection, siteId: number, id: number): Promise<TaxRow | undefined> {
  const [row] = await connection.arrays(sql`
    select ${taxes.list('t')} from taxes t where t.site_id = ${siteId} and t.id = ${id} and t.deleted_at is null`)
  return row && taxes.read(row)
}

/** Locked for a change, until the transaction ends. */
export async function lockTax(tx: Transaction, siteId: number, id: number): Promise<TaxRow | undefined> {
  const [row] = await tx.arrays(sql`
    select ${taxes.list('t')} from taxes t where t.site_id = ${siteId} and t.id = ${id} and t.deleted_at is null
    for no key update`)
  return row && taxes.read(row)
}

/** What fell of taxes on these charges, by charge, each in the order of the taxes' ids. */
export async function listTaxations(
  connection: Connection,
  siteId: number,
  chargeIds: readonly number[],
): Promise<Map<number, Taxation[]>> {
  if (chargeIds.length === 0) return new Map()
  const rows = await connection.arrays(sql`
    select ${taxations.list('t')} from taxations t
    where t.site_id = ${siteId} and t.charge_id = any(${bigints(chargeIds)}::bigint[]) order by t.charge_id, t.tax_id`)
  return Map.groupBy(
    rows.map((row) => taxations.read(row)),
    ({ chargeId }) => chargeId,
  )
}
