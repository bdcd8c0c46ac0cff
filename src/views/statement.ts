/** How a statement is shown, with the rows that it lists. */
import type { Statement } from '../billing/statement.ts'
import type { Fields } from '../wire/shape.ts'
import { formatTimestamp } from '../wire/timestamp.ts'
import { presentTransaction, transactionShape } from './transaction.ts'

export const statementShape: Fields = {
  fields: {
    id: 'integer',
    subscription_id: 'integer',
    opened_at: 'datetime',
    closed_at: 'datetime',
    settled_at: 'datetime',
    starting_balance_in_cents: 'integer',
    ending_balance_in_cents: 'integer',
    total_in_cents: 'integer',
    memo: 'string',
    created_at: 'datetime',
    updated_at: 'datetime',
    transactions: { list: transactionShape, item: 'transaction' },
  },
}

type Record = Statement & {
  createdAt: Temporal.Instant
  updatedAt: Temporal.Instant
  transactions: readonly Parameters<typeof presentTransaction>[0][]
}

export function presentStatement(statement: Record, timeZone: string) {
  const optional = (at: Temporal.Instant | null) => at && formatTimestamp(at, timeZone)
  return {
    id: statement.id,
    subscription_id: statement.subscriptionId,
    opened_at: optional(statement.openedAt),
    closed_at: optional(statement.closedAt),
    settled_at: optional(statement.settledAt),
    starting_balance_in_cents: statement.startingBalance,
    ending_balance_in_cents: statement.endingBalance,
    total_in_cents: statement.total,
    memo: statement.memo,
    created_at: optional(statement.createdAt),
    updated_at: optional(statement.updatedAt),
    transactions: statement.transactions.map((record) => presentTransaction(record, timeZone)),
  }
}
