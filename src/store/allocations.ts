/** Changes of allocated quantities: only added, never changed. */
import type { Allocation } from '../billing/allocation.ts'
import type { Cents } from '../billing/money.ts'
import type { Subscription } from '../billing/subscription.ts'
import type { Connection } from './database.ts'
import { type Sql, sql } from './sql.ts'
import { Table } from './table.ts'

export const allocations = new Table<Allocation>('allocations', {
  id: 'bigint',
  requestId: 'bigint',
  subscriptionId: 'bigint',
  componentId: 'bigint',
  quantity: 'decimal',
  previousQuantity: 'decimal',
  memo: 'text',
  prorationUpgradeScheme: 'text',
  prorationDowngradeScheme: 'text',
  paymentAttemptId: 'bigint',
  createdAt: 'instant',
})

/** With the payment that was asked for it, once that is known, and what its component makes of quantities. */
export type AllocationRecord = {
  allocation: Allocation
  componentHandle: string | null
  allowFractionalQuantities: boolean
  payment: { id: number; amount: Cents; success: boolean; memo: string } | null
}

const records = (condition: Sql, rest: Sql): Sql => sql`
  select ${allocations.list('a')}, c.handle, c.allow_fractional_quantities, t.id, t.amount_in_cents, t.success, t.memo
  from allocations a
  join components c on c.site_id = a.site_id and c.id = a.component_id
  left join transactions t on a.payment_attempt_id is not null and t.site_id = a.site_id
    and t.subscription_id = a.subscription_id and t.payment_attempt_id = a.payment_attempt_id
  where ${condition} ${rest}`

function readRecord(row: readonly unknown[]): AllocationRecord {
  const [handle, fractional, id, amount, success, memo] = row.slice(allocations.width)
  return {
    allocation: allocations.read(row),
    componentHandle: handle as string | null,
    allowFractionalQuantities: fractional as boolean,
    payment: id === null ? null : ({ id, amount, success, memo } as AllocationRecord['payment']),
  }
}

/** Whether the coupon that is on a subscription took part in what its current period cost. */
export async function isPeriodDiscounted(
  connection: Connection,
  { siteId, id, couponId, periodNumber }: Pick<Subscription, 'siteId' | 'id' | 'couponId' | 'periodNumber'>,
): Promise<boolean> {
  if (couponId === null) return false
  const rows = await connection.arrays(sql`
    select from transactions t where t.site_id = ${siteId} and t.subscription_id = ${id}
      and t.period_number = ${periodNumber} and t.coupon_id = ${couponId} limit 1`)
  return rows.length === 1
}

/** Newest first. */
export const listAllocationRecords = async (
  connection: Connection,
  siteId: number,
  { subscriptionId, componentId }: { subscriptionId: number; componentId: number },
  { perPage, offset }: { perPage: number; offset: number },
): Promise<AllocationRecord[]> =>
  (
    await connection.arrays(
      records(
        sql`a.site_id = ${siteId} and a.subscription_id = ${subscriptionId} and a.component_id = ${componentId}`,
        sql`order by a.id desc limit ${perPage} offset ${offset}`,
      ),
    )
  ).map(readRecord)

/** The allocations of one request, in its order. */
export const listAllocationsOfRequest = async (
  connection: Connection,
  siteId: number,
  requestId: number,
): Promise<AllocationRecord[]> =>
  (
    await connection.arrays(records(sql`a.site_id = ${siteId} and a.request_id = ${requestId}`, sql`order by a.id`))
  ).map(readRecord)

/** The request whose changes an attempt was to pay for. */
export async function findRequestOfAttempt(
  connection: Connection,
  siteId: number,
  subscriptionId: number,
  attemptId: number,
): Promise<number | undefined> {
  const [row] = await connection.arrays(sql`
    select a.request_id from allocations a
    where a.site_id = ${siteId} and a.subscription_id = ${subscriptionId} and a.payment_attempt_id = ${attemptId} limit 1`)
  return row?.[0] as number | undefined
}
