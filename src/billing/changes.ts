/** What a decision wants written: plain data, committed as it stands by the one writer. */
import type { Customer } from './customer.ts'
import type { SiteEvent } from './event.ts'
import type { Transaction } from './ledger.ts'
import type { Cents } from './money.ts'
import type { PaymentProfile } from './payment-profile.ts'
import type { Statement, StatementChange } from './statement.ts'
import type { Subscription } from './subscription.ts'

export type AttemptReason = 'signup' | 'renewal' | 'retry'

/** What a gateway answered. `error` is a plain no before anything was captured; `unknown` is a broken conversation. */
export type Outcome =
  | { result: 'approved'; gatewayTransactionId: string; message: string }
  | { result: 'declined'; message: string }
  | { result: 'error'; message: string }
  | { result: 'unknown'; message: string }

/** An outcome that stands for good. */
export type SettledOutcome = Exclude<Outcome, { result: 'unknown' }>

/** What a payment is for, as far as its reason does not say it; plain JSON that whoever settles the attempt reads. */
export type Intent = Readonly<Record<string, unknown>>

/** The wish to collect, on record before a gateway is asked; its key makes asking again harmless. */
export type PaymentAttempt = {
  siteId: number
  id: number
  subscriptionId: number
  reason: AttemptReason
  periodNumber: number
  idempotencyKey: string
  amount: Cents
  gateway: string
  /** Null while a new card is not stored yet. */
  vaultToken: string | null
  intent: Intent | null
  /** By the site's clock. */
  createdAt: Temporal.Instant
}

export type Period = {
  siteId: number
  subscriptionId: number
  number: number
  startedAt: Temporal.Instant
  endsAt: Temporal.Instant
  assessedAt: Temporal.Instant
}

export type Changes = {
  newCustomer?: Customer
  newPaymentProfile?: PaymentProfile
  newSubscription?: Subscription
  subscription?: Subscription
  periods?: readonly Period[]
  newStatements?: readonly Statement[]
  statements?: readonly StatementChange[]
  transactions?: readonly Transaction[]
  events?: readonly SiteEvent[]
  attempt?: PaymentAttempt
  /** Metered usage that was billed and starts again at 0. */
  billedUsage?: readonly { subscriptionId: number; componentId: number }[]
}

/** Ids drawn from the database before a decision, so that its rows can refer to each other. Each call gives the next. */
export type Ids = {
  transaction(): number
  statement(): number
  attempt(): number
}
