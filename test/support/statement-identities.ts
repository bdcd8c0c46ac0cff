/** What is true of the statements of every subscription as they are read: nothing is on two of them, and nothing on none. */
import { ownPayments, paysEarlier } from '../../src/billing/statement.ts'
import type { Records } from './story-records.ts'

/** The first event that names a statement is that of its closing; it stands between the statement and the next one. */
const closingsOf = ({ statements, events }: Records): number[] =>
  statements
    .map(
      ({ id }) => events.find(({ key, message }) => isOfStatements(key) && message.startsWith(`Statement ${id} `))?.id,
    )
    .filter((id) => id !== undefined)

const isOfStatements = (key: string): boolean => key === 'statement_closed' || key === 'statement_settled'

/** While no statement is open: from the end of a trial that led nowhere to the reactivation that opens the next one. */
function isBetweenStatements(
  { statements, events }: Records,
  { id, createdAt: at }: Records['events'][number],
): boolean {
  const next = statements.findIndex(({ openedAt }) => Temporal.Instant.compare(at, openedAt) < 0)
  const closedAt = (next === -1 ? statements.at(-1) : statements[next - 1])?.closedAt
  if (closedAt == null) return false
  const end = events.find(
    ({ createdAt, eventSpecificData }) =>
      createdAt.equals(closedAt) && eventSpecificData?.new_subscription_state === 'trial_ended',
  )
  return end === undefined ? Temporal.Instant.compare(closedAt, at) < 0 : end.id < id
}

/** Empty when everything is true. */
export function brokenStatements(records: Records): string[] {
  const { details, transactions, events } = records
  const closings = new Set(closingsOf(records))
  const told = events
    .filter((event) => !closings.has(event.id) && !isBetweenStatements(records, event))
    .map(({ id }) => id)
  const written = transactions.filter(({ transaction }) => transaction.statementId !== null)
  const unlike = (what: string, found: readonly number[], wanted: readonly number[]): string[] =>
    found.join() === wanted.join() ? [] : [`${what} ${found.join()}, not ${wanted.join()}`]
  return [
    ...unlike(
      'statements tell of events',
      details.flatMap((one) => one.events.map(({ id }) => id)),
      told,
    ),
    ...unlike(
      'statements list rows',
      details.flatMap((one) => one.transactions.map(({ transaction }) => transaction.id)),
      written.map(({ transaction }) => transaction.id),
    ),
    ...details.flatMap(({ statement, futurePayments }, index) =>
      unlike(
        `#${index + 1} was paid later by`,
        futurePayments.map(({ transaction }) => transaction.id),
        laterPayments(records, statement.id, statement.endingBalance ?? 0),
      ),
    ),
    ...details.flatMap(({ statement: { id, closedAt, settledAt, endingBalance } }, index) => {
      if (closedAt === null || endingBalance === null) return []
      const wanted = paidAt(records, id, endingBalance, closedAt)
      const found = settledAt && String(settledAt)
      return found === wanted ? [] : [`#${index + 1} is settled ${found}, and was paid ${wanted}`]
    }),
  ]
}

const rowsAfter = ({ transactions }: Records, statementId: number) => {
  const rows = transactions.map(({ transaction }) => transaction)
  return rows.slice(rows.findLastIndex((row) => row.statementId !== null && row.statementId <= statementId) + 1)
}

/** Payments after the rows up to a statement, until what came in is what it left unpaid or nothing is owed any more. */
function laterPayments(records: Records, statementId: number, unpaid: number): number[] {
  const ids: number[] = []
  let left = unpaid
  for (const row of rowsAfter(records, statementId)) {
    if (left <= 0) break
    const isOwn = row.kind !== null && ownPayments.includes(row.kind)
    if (row.type === 'payment' && row.success && row.amount > 0 && !isOwn) ids.push(row.id)
    left -= paysEarlier(row)
    if (row.endingBalance <= 0) break
  }
  return ids
}

/** When what a closed statement left unpaid had come in, the rows of one act taken together; null while it has not. */
function paidAt(records: Records, statementId: number, unpaid: number, closedAt: Temporal.Instant): string | null {
  if (unpaid <= 0) return String(closedAt)
  const later = Map.groupBy(rowsAfter(records, statementId), ({ createdAt }) => String(createdAt))
  let left = unpaid
  for (const [at, rows] of later) {
    left -= rows.reduce((sum, row) => sum + paysEarlier(row), 0)
    if (left <= 0 || rows.at(-1)!.endingBalance <= 0) return at
  }
  return null
}
