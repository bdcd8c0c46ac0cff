/** Ids drawn in blocks before a decision, so that the rows it wants can refer to each other. */
import { assert } from '../billing/assert.ts'
import type { Ids } from '../billing/changes.ts'
import type { Connection, Transaction } from './database.ts'
import { markWriter } from './open-writers.ts'
import { sql } from './sql.ts'

type Block = { transactions: number; statements: number; attempts: number }

/**
 * Draws the ids that a set of decisions may need; unused ones become gaps. Draw them while the subscriptions are locked:
 * then the ids of one subscription's rows rise with time.
 */
export async function drawIds(tx: Transaction, siteId: number, block: Block): Promise<Ids> {
  const [, [row]] = await Promise.all([
    block.transactions > 0 && markWriter(tx, siteId, 'transactions'),
    tx.arrays(sql`
      select
        (select array_agg(nextval('transactions_id_seq')) from generate_series(1, ${block.transactions}::int)),
        (select array_agg(nextval('statements_id_seq')) from generate_series(1, ${block.statements}::int)),
        (select array_agg(nextval('payment_attempts_id_seq')) from generate_series(1, ${block.attempts}::int))`),
  ])
  const [transactions, statements, attempts] = (row as (number[] | null)[]).map(takerOf)
  return { transaction: transactions!, statement: statements!, attempt: attempts! }
}

/** Of an attempt that comes before everything else of its act; it needs no transaction. */
export async function drawAttemptId(connection: Connection): Promise<number> {
  const [row] = await connection.arrays(sql`select nextval('payment_attempts_id_seq')`)
  return row![0] as number
}

function takerOf(ids: number[] | null): () => number {
  let taken = 0
  return () => {
    const id = ids?.[taken++]
    assert(id !== undefined, 'a decision wrote more rows than ids were drawn for')
    return id
  }
}

type Sequence =
  | 'components'
  | 'allocations'
  | 'usages'
  | 'coupons'
  | 'coupon_restrictions'
  | 'taxes'
  | 'customers'
  | 'payment_profiles'
  | 'subscriptions'
  | 'custom_prices'
  | 'products'
  | 'product_families'
  | 'metafields'
  | 'notes'
  | 'reason_codes'
  | 'webhook_endpoints'

/** One id of each sequence named, in their order. */
export async function nextIds(connection: Connection, ...sequences: Sequence[]): Promise<number[]> {
  const [row] = await connection.arrays(sql`
    select array_agg(nextval(name || '_id_seq') order by place)
    from unnest(${{ literal: `{${sequences.join(',')}}` }}::text[]) with ordinality as s (name, place)`)
  return (row?.[0] ?? []) as number[]
}
