/** Money that gateways took after its attempt had ended: what was found out, and what became of it. Times are the database's. */
import type { Connection } from './database.ts'
import { sql } from './sql.ts'
import { type PaymentAttemptRow, paymentAttempts } from './tables.ts'

/** `gatewayTransactionId` and `message` are those of the late answer. */
export type LateApproval = {
  attempt: PaymentAttemptRow
  gatewayTransactionId: string
  message: string
  checks: number
}

/** The waits after each try, in seconds; the last one repeats. */
const waits = '{5,15,60,300,900,3600}'

/** Takes late approvals that are not resolved and whose next try has come; puts that off, so that nobody else takes them meanwhile. */
export async function claimLateApprovals(
  connection: Connection,
  siteId: number,
  limit: number,
): Promise<LateApproval[]> {
  const rows = await connection.arrays(sql`
    with taken as (
      select l.site_id, l.attempt_id, l.gateway_transaction_id from late_approvals l
      where l.site_id = ${siteId} and l.resolved_at is null and l.next_check_at <= now()
      order by l.next_check_at limit ${limit} for update skip locked)
    update late_approvals l set checks = l.checks + 1,
      next_check_at = now() + (${{ literal: waits }}::int[])[least(l.checks + 1, 6)] * interval '1 second' + interval '60 seconds'
    from taken t join payment_attempts a on a.site_id = t.site_id and a.id = t.attempt_id
    where l.site_id = ${siteId} and l.attempt_id = t.attempt_id and l.gateway_transaction_id = t.gateway_transaction_id
      and a.site_id = ${siteId}
    returning ${paymentAttempts.list('a')}, l.gateway_transaction_id, l.message, l.checks`)
  return rows.map((row) => {
    const [gatewayTransactionId, message, checks] = row.slice(paymentAttempts.width)
    return {
      attempt: paymentAttempts.read(row),
      gatewayTransactionId: gatewayTransactionId as string,
      message: message as string,
      checks: checks as number,
    }
  })
}

/** False when it was resolved before. */
export const resolveLateApproval = async (
  connection: Connection,
  { attempt, gatewayTransactionId }: Pick<LateApproval, 'attempt' | 'gatewayTransactionId'>,
  resolution: 'recorded' | 'given_back',
): Promise<boolean> =>
  (await connection.run(sql`
    update late_approvals set resolution = ${resolution}, resolved_at = date_trunc('second', now())
    where site_id = ${attempt.siteId} and attempt_id = ${attempt.id} and gateway_transaction_id = ${gatewayTransactionId}
      and resolved_at is null`)) === 1
