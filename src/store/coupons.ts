/** Coupons, their codes, and how often they were put on subscriptions. */
import type { Coupon } from '../billing/coupon.ts'
import type { Connection } from './database.ts'
import { bigints, sql } from './sql.ts'
import { Table } from './table.ts'

export const coupons = new Table<Coupon>('coupons', {
  id: 'bigint',
  productFamilyId: 'bigint',
  name: 'text',
  code: 'text',
  description: 'text',
  amount: 'cents',
  percentage: 'decimal',
  recurring: 'boolean',
  durationPeriodCount: 'integer',
  allowNegativeBalance: 'boolean',
  startDate: 'instant',
  endDate: 'instant',
  conversionLimit: 'integer',
  createdAt: 'instant',
  updatedAt: 'instant',
  archivedAt: 'instant',
})

export const listCouponsById = async (
  connection: Connection,
  siteId: number,
  ids: readonly number[],
): Promise<Map<number, Coupon>> =>
  new Map(
    (
      await connection.arrays(sql`
        select ${coupons.list('c')} from coupons c where c.site_id = ${siteId} and c.id = any(${bigints(ids)}::bigint[])`)
    ).map((row) => [row[1] as number, coupons.read(row)]),
  )
