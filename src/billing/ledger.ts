/** The ledger's rows: what each type does to the balance, and how a run of rows is written without losing the thread. */
import { type Cents, cents } from './money.ts'

export const transactionTypes = ['charge', 'credit', 'adjustment', 'payment', 'refund', 'info'] as const
export type TransactionType = (typeof transactionTypes)[number]

/** How one cent of each type moves what the subscriber owes. Credits carry negative amounts. */
const balanceEffect = { charge: 1, credit: 1, adjustment: 1, payment: -1, refund: 0, info: 0 } as const

const transactionKinds = [
  'trial',
  'initial',
  'baseline',
  'one_time',
  'delay_capture',
  'manual',
  'quantity_based_component',
  'on_off_component',
  'metered_component',
  'component_proration',
  'coupon',
  'prorated',
  'tax',
] as const
export type TransactionKind = (typeof transactionKinds)[number]

export type Transaction = {
  siteId: number
  id: number
  subscriptionId: number
  customerId: number
  productId: number
  statementId: number | null
  periodNumber: number
  type: TransactionType
  kind: TransactionKind | null
  success: boolean
  amount: Cents
  discountAmount: Cents
  taxableAmount: Cents
  memo: string
  startingBalance: Cents
  endingBalance: Cents
  paymentAttemptId: number | null
  componentId: number | null
  taxId: number | null
  couponId: number | null
  /**
   * Set on a payment after which nothing is owed, and on one that is for particular charges: it covers the charges with a greater
   * id than this, up to its own.
   */
  coversAfterId: number | null
  /** The payment of which a refund gives something back; null where it is not said which. */
  refundedPaymentId: number | null
  gatewayUsed: string | null
  gatewayTransactionId: string | null
  cardNumber: string | null
  cardExpiration: string | null
  cardType: string | null
  createdAt: Temporal.Instant
}

/** What a row says of itself; the ledger adds whose it is, when it was, the balances before and after, and what a payment of all that is owed covers. */
export type Entry = Pick<Transaction, 'type' | 'amount' | 'memo'> &
  Partial<Omit<Transaction, 'startingBalance' | 'endingBalance'>>

type Origin = Pick<
  Transaction,
  'siteId' | 'subscriptionId' | 'customerId' | 'productId' | 'statementId' | 'periodNumber' | 'createdAt'
>

/** Writes rows one after the other, each starting where the one before it ended; `nextId` must rise from call to call. */
export class Ledger {
  readonly rows: Transaction[] = []
  balance: Cents
  /** The newest row after which nothing was owed. */
  coveredThroughId: number
  readonly #origin: Origin
  readonly #nextId: () => number

  constructor(
    { balance, coveredThroughId }: { balance: Cents; coveredThroughId: number },
    origin: Origin,
    nextId: () => number,
  ) {
    this.balance = balance
    this.coveredThroughId = coveredThroughId
    this.#origin = origin
    this.#nextId = nextId
  }

  write(entry: Entry): Transaction {
    const success = entry.success ?? true
    const endingBalance = success ? cents(this.balance + balanceEffect[entry.type] * entry.amount) : this.balance
    const pays = entry.type === 'payment' && success && endingBalance <= 0
    const row: Transaction = {
      ...this.#origin,
      id: this.#nextId(),
      kind: null,
      discountAmount: cents(0),
      taxableAmount: cents(0),
      paymentAttemptId: null,
      componentId: null,
      taxId: null,
      couponId: null,
      coversAfterId: pays ? this.coveredThroughId : null,
      refundedPaymentId: null,
      gatewayUsed: null,
      gatewayTransactionId: null,
      cardNumber: null,
      cardExpiration: null,
      cardType: null,
      ...entry,
      success,
      startingBalance: this.balance,
      endingBalance,
    }
    this.balance = endingBalance
    if (endingBalance <= 0) this.coveredThroughId = row.id
    this.rows.push(row)
    return row
  }
}
