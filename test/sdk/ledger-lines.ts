/** Subscriptions and their ledgers as lines of text: what a person reads, and what the walk is compared by. */
import type { Subscription } from '@maxio-com/advanced-billing-sdk'
import type { Tell } from './walk.ts'

type Row = {
  created_at: string
  type: string
  kind: string | null
  memo: string
  success: boolean
  amount_in_cents: number
  starting_balance_in_cents: number
  ending_balance_in_cents: number
}

/** Who, what, and how it stands. Days only: the seconds of a walk are nobody's concern. */
export function tellSubscription(subscription: Subscription | undefined, tell: Tell): void {
  if (subscription === undefined) throw new Error('the answer holds no subscription')
  const { customer, product, state, creditCard } = subscription
  const who = `${customer?.firstName} ${customer?.lastName}`
  const card = creditCard ? `${creditCard.cardType} ${creditCard.maskedCardNumber?.slice(-4)}` : 'no card'
  tell(
    `  ${who.padEnd(17)} ${product?.name?.padEnd(11)} ${card.padEnd(10)} ${String(state).padEnd(8)} ${sumsOf(subscription)}`,
  )
  const last = endOf(subscription)
  if (last !== undefined) tell(`  ${' '.repeat(17)} ${last}`)
}

const sumsOf = (subscription: Subscription): string =>
  [
    `owes ${dollars(Number(subscription.balanceInCents))}`,
    `paid ${dollars(Number(subscription.totalRevenueInCents))}`,
    `period ${day(subscription.currentPeriodStartedAt)} to ${day(subscription.currentPeriodEndsAt)}`,
  ].join('  ')

function endOf({
  canceledAt,
  cancellationMethod,
  cancellationMessage,
  expiresAt,
  state,
}: Subscription): string | undefined {
  if (canceledAt) return `canceled ${day(canceledAt)} by ${cancellationMethod}: ${cancellationMessage}`
  return state === 'expired' ? `expired, as agreed for ${day(expiresAt)}` : undefined
}

/** One line for each row: when, what, for what, how much, and the balance before and after. */
export function tellLedger(answer: unknown, tell: Tell): void {
  for (const { transaction: row } of answer as { transaction: Row }[]) {
    const amount = row.success ? dollars(row.amount_in_cents) : `(${dollars(row.amount_in_cents).trim()})`.padStart(9)
    const balance = `${dollars(row.starting_balance_in_cents)} ->${dollars(row.ending_balance_in_cents)}`
    const what = `${row.type} ${row.kind ?? ''}`.trimEnd()
    tell(`    ${day(row.created_at)}  ${what.padEnd(15)} ${row.memo.padEnd(48)} ${amount}  ${balance}`)
  }
}

const day = (timestamp: string | null | undefined): string => timestamp?.slice(0, 10) ?? '-'

const dollars = (cents: number): string => (cents / 100).toFixed(2).padStart(9)
