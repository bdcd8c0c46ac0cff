/** Customers, found by id or by the merchant's own reference; deleted ones do not exist. */
import type { Customer } from '../billing/customer.ts'
import type { Connection } from './database.ts'
import { type Sql, sql } from './sql.ts'
import { customers } from './tables.ts'

const findOne = async (connection: Connection, siteId: number, condition: Sql): Promise<Customer | undefined> => {
  const [row] = await connection.arrays(sql`
    select ${customers.list('c')} from customers c where c.site_id = ${siteId} and c.deleted_at is null and ${condition}`)
  return row && customers.read(row)
}

export const findCustomer = (connection: Connection, siteId: number, id: number) =>
  findOne(connection, siteId, sql`c.id = ${id}`)

export const findCustomerByReference = (connection: Connection, siteId: number, reference: string) =>
  findOne(connection, siteId, sql`c.reference = ${reference}`)
