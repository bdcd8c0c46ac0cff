/** The tax rates of a site. */
import type { Tax } from '../billing/tax.ts'
import type { Connection } from './database.ts'
import { sql } from './sql.ts'
import { Table } from './table.ts'

export type TaxRow = Tax & { createdAt: Temporal.Instant; updatedAt: Temporal.Instant }

export const taxes = new Table<TaxRow>('taxes', {
  id: 'bigint',
  name: 'text',
  rate: 'decimal',
  country: 'text',
  state: 'text',
  createdAt: 'instant',
  updatedAt: 'instant',
})

export const listTaxes = async (connection: Connection, siteId: number): Promise<TaxRow[]> =>
  (await connection.arrays(sql`select ${taxes.list('t')} from taxes t where t.site_id = ${siteId} order by t.id`)).map(
    (row) => taxes.read(row),
  )
