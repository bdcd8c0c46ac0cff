/** Changes of allocated quantities: only added, never changed. */
import type { Allocation } from '../billing/allocation.ts'
import type { Cents } from '../billing/money.ts'
import type { ChargedInPeriod, CouponInLedger } from '../billing/period-coupon.ts'
import type { Subscription } from '../billing/subscription.ts'
import { coupons } from './coupons.ts'
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
  hasCustomPrice: 'boolean',
  createdAt: 'instant',
})

/** With the payment that was asked for it, once that is known, and what its component makes of quantities. */
export type AllocationRecord = {
  allocation: Allocation
  componentHandle: string | null
  allowFractionalQuantities: boolean
  /** The component's, where the allocation before it was at that; null where there was none, or at another price. */
  previousPricePointId: number | null
  payment: { id: number; amount: Cents; success: boolean; memo: string } | null
}

const records = (condition: Sql, rest: Sql): Sql => sql`
  select ${allocations.list('a')}, c.handle, c.allow_fractional_quantities, (
      select case when not b.has_custom_price then b.component_id end from allocations b
      where b.site_id = a.site_id and b.subscription_id = a.subscription_id and b.component_id = a.component_id and b.id < a.id
      order by b.id desc limit 1), t.id, t.amount_in_cents, t.success, t.memo
  from allocations a
  join components c on c.site_id = a.site_id and c.id = a.component_id
  left join transactions t on a.payment_attempt_id is not null and t.site_id = a.site_id
    and t.subscription_id = a.subscription_id and t.payment_attempt_id = a.payment_attempt_id
  where ${condition} ${rest}`

function readRecord(row: readonly unknown[]): AllocationRecord {
  const [handle, fractional, previousPricePointId, id, amount, success, memo] = row.slice(allocations.width)
  return {
    allocation: allocations.read(row),
    componentHandle: handle as string | null,
    allowFractionalQuantities: fractional as boolean,
    previousPricePointId: previousPricePointId as number | null,
    payment: id === null ? null : ({ id, amount, success, memo } as AllocationRecord['payment']),
  }
}

type InPeriod = Pick<Subscription, 'siteId' | 'id' | 'periodNumber'>

/**
 * The coupons that took part in what the current period of a subscription cost, also those that were taken off since. The code of each
 * stands in the memo of its rows, and no code has a space in it.
 */
export const listCouponsInPeriod = async (
  connection: Connection,
  { siteId, id, periodNumber }: InPeriod,
): Promise<CouponInLedger[]> =>
  (
    await connection.arrays(sql`
      select ${coupons.list('c')}, coalesce(substring(t.memo from '^Coupon: ([^ ]+)'), c.code), r.taken, charged.items, t.id, t.created_at
      from (
        select x.site_id, x.coupon_id, max(x.id) as last_id, max(x.id) filter (where x.amount_in_cents < 0) as last_off_id, -sum(x.amount_in_cents)::bigint as taken from transactions x
        where x.site_id = ${siteId} and x.subscription_id = ${id} and x.period_number = ${periodNumber} and x.coupon_id is not null
        group by x.site_id, x.coupon_id) r
      join coupons c on c.site_id = r.site_id and c.id = r.coupon_id
      join transactions t on t.site_id = r.site_id and t.id = r.last_id
      cross join lateral (
        select coalesce(json_agg(i order by i.last_id), '[]') as items from (
          select max(x.product_id) as product_id, x.component_id, sum(x.amount_in_cents)::bigint as amount, max(x.id) as last_id,
            case when x.since then extract(epoch from max(x.created_at))::bigint end as allocated_at
          from (
            select z.*, coalesce(z.component_id is not null and z.id > r.last_off_id, false) as since from transactions z
            where z.site_id = r.site_id and z.subscription_id = ${id} and z.period_number = ${periodNumber}
              and z.type in ('charge', 'credit') and z.kind not in ('tax', 'one_time')) x
          group by x.component_id, case when x.component_id is null then x.product_id end, x.since, case when x.since then x.id end
        ) i) charged`)
  ).map((row) => {
    const [code, taken, charged, lastRowId, lastRowAt] = row.slice(coupons.width)
    const inPeriod = { taken, charged: (charged as ChargedItem[]).map(chargedInPeriod) }
    return { coupon: coupons.read(row), code, inPeriod, lastRowId, lastRowAt } as CouponInLedger
  })

type ChargedItem = { product_id: number; component_id: number | null; allocated_at: number | null; amount: Cents }

const chargedInPeriod = (item: ChargedItem): ChargedInPeriod => ({
  productId: item.product_id,
  componentId: item.component_id,
  amount: item.amount,
  isTaxable: false,
  allocatedAt: item.allocated_at === null ? null : Temporal.Instant.fromEpochMilliseconds(1000 * item.allocated_at),
})

/** Whether anything was charged in advance for the current period: not for one that was billed elsewhere. */
export async function isPeriodCharged(
  connection: Connection,
  { siteId, id, periodNumber }: InPeriod,
): Promise<boolean> {
  const rows = await connection.arrays(sql`
    select from transactions t where t.site_id = ${siteId} and t.subscription_id = ${id}
      and t.period_number = ${periodNumber} and t.type = 'charge'
      and t.kind in ('baseline', 'prorated', 'quantity_based_component', 'on_off_component') limit 1`)
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

export type AllocationSpan = { firstAt: Temporal.Instant; lastAt: Temporal.Instant }

/** When the first and the newest allocation of each component of a subscription were made. */
export const listAllocationSpans = async (
  connection: Connection,
  siteId: number,
  subscriptionId: number,
): Promise<Map<number, AllocationSpan>> =>
  new Map(
    (
      await connection.arrays(sql`
        select s.component_id, f.created_at, l.created_at from subscription_components s
        cross join lateral (select a.created_at from allocations a where a.site_id = s.site_id
          and a.subscription_id = s.subscription_id and a.component_id = s.component_id order by a.id limit 1) f
        cross join lateral (select a.created_at from allocations a where a.site_id = s.site_id
          and a.subscription_id = s.subscription_id and a.component_id = s.component_id order by a.id desc limit 1) l
        where s.site_id = ${siteId} and s.subscription_id = ${subscriptionId}`)
    ).map(([id, firstAt, lastAt]) => [id as number, { firstAt, lastAt } as AllocationSpan]),
  )

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
