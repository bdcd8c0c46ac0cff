/** The reason codes of a site. */
import type { ReasonCode } from '../billing/reason-code.ts'
import type { Connection, Transaction } from './database.ts'
import { type Sql, sql } from './sql.ts'
import { Table } from './table.ts'

export const reasonCodes = new Table<ReasonCode>('reason_codes', {
  id: 'bigint',
  code: 'text',
  description: 'text',
  position: 'integer',
  createdAt: 'instant',
  updatedAt: 'instant',
})

const oneReasonCode = (siteId: number, id: number): Sql => sql`
  select ${reasonCodes.list('r')} from reason_codes r where r.site_id = ${siteId} and r.id = ${id}`

export async function findReasonCode(
  connection: Connection,
  siteId: number,
  id: number,
): Promise<ReasonCode | undefined> {
  const [row] = await connection.arrays(oneReasonCode(siteId, id))
  return row && reasonCodes.read(row)
}

/** Locked for a change, until the transaction ends. */
export async function lockReasonCode(tx: Transaction, siteId: number, id: number): Promise<ReasonCode | undefined> {
  const [row] = await tx.arrays(sql`${oneReasonCode(siteId, id)} for update`)
  return row && reasonCodes.read(row)
}

/** The greatest position that is taken; 0 when there are no codes. */
export async function findLastPosition(connection: Connection, siteId: number): Promise<number> {
  const [row] = await connection.arrays(sql`
    select coalesce(max(r.position), 0) from reason_codes r where r.site_id = ${siteId}`)
  return row![0] as number
}

/** By position. */
export const listReasonCodes = async (
  connection: Connection,
  siteId: number,
  { perPage, offset }: { perPage: number; offset: number },
): Promise<ReasonCode[]> =>
  (
    await connection.arrays(sql`
      select ${reasonCodes.list('r')} from reason_codes r where r.site_id = ${siteId}
      order by r.position, r.id limit ${perPage} offset ${offset}`)
  ).map((row) => reasonCodes.read(row))

export const deleteReasonCodeRow = (tx: Transaction, siteId: number, id: number): Promise<number> =>
  tx.run(sql`delete from reason_codes where site_id = ${siteId} and id = ${id}`)
