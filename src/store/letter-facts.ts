/** Everything that letters to customers tell of, for a set of them, in one statement. */
import type { PaidWith } from '../billing/payment-profile.ts'
import type { Connection } from './database.ts'
import { type CustomerLetter, letters } from './letters.ts'
import { bigints, sql } from './sql.ts'

export type LetterFacts = {
  letter: CustomerLetter
  customer: { id: number; firstName: string; lastName: string; email: string; ccEmails: string | null }
  /** Null for a letter that is about no subscription. */
  subscription: {
    id: number
    state: string
    productName: string
    balanceInCents: number
    currentPeriodStartedAt: Temporal.Instant
    currentPeriodEndsAt: Temporal.Instant
    /** Null counts as true. */
    receivesInvoiceEmails: boolean | null
  } | null
  card: {
    /** Of a bank account, that it is one. */
    cardType: PaidWith | null
    lastFour: string | null
    expirationMonth: number | null
    expirationYear: number | null
  } | null
  payment: {
    amountInCents: number
    cardNumber: string | null
    cardType: string | null
    createdAt: Temporal.Instant
    statementId: number | null
  } | null
}

/** In the order of their ids; letters to customers who are deleted are left out. */
export async function listLetterFacts(
  connection: Connection,
  siteId: number,
  ids: readonly number[],
): Promise<LetterFacts[]> {
  const rows = await connection.arrays(sql`
    select ${letters.list('l')}, c.id, c.first_name, c.last_name, c.email, c.cc_emails,
      s.id, s.state, p.name, s.balance_in_cents, s.current_period_started_at, s.current_period_ends_at, s.receives_invoice_emails,
      f.id, case f.payment_type when 'bank_account' then f.payment_type else f.card_type end, f.last_four, f.expiration_month, f.expiration_year,
      t.id, t.amount_in_cents, t.card_number, t.card_type, t.created_at, t.statement_id
    from letters l
    join customers c on c.site_id = l.site_id and c.id = l.customer_id and c.deleted_at is null
    left join subscriptions s on s.site_id = l.site_id and s.id = l.subscription_id and s.deleted_at is null
    left join products p on p.site_id = s.site_id and p.id = s.product_id
    left join payment_profiles f on f.site_id = s.site_id and f.id = s.payment_profile_id and f.deleted_at is null
    left join transactions t on t.site_id = l.site_id and t.id = l.transaction_id
    where l.site_id = ${siteId} and l.id = any(${bigints(ids)}::bigint[])
    order by l.id`)
  return rows.map(readFacts)
}

function readFacts(row: readonly unknown[]): LetterFacts {
  const rest = row.slice(letters.width)
  const [customerId, firstName, lastName, email, ccEmails, ...others] = rest
  const [id, state, productName, balanceInCents, currentPeriodStartedAt, currentPeriodEndsAt, ...after] = others
  const [receivesInvoiceEmails, ...more] = after
  const [cardId, cardType, lastFour, expirationMonth, expirationYear, ...last] = more
  const [paymentId, amountInCents, cardNumber, paidCardType, createdAt, statementId] = last
  const subscription = {
    id,
    state,
    productName,
    balanceInCents,
    currentPeriodStartedAt,
    currentPeriodEndsAt,
    receivesInvoiceEmails,
  }
  const payment = { amountInCents, cardNumber, cardType: paidCardType, createdAt, statementId }
  return {
    letter: letters.read(row),
    customer: { id: customerId, firstName, lastName, email, ccEmails },
    subscription: id === null ? null : subscription,
    card: cardId === null ? null : { cardType, lastFour, expirationMonth, expirationYear },
    payment: paymentId === null ? null : payment,
  } as LetterFacts
}
