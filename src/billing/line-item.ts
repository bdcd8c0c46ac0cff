/** What one period costs: the priced lines of an assessment, in the order in which the ledger lists them. */
import { formatDay, type Period } from './calendar.ts'
import type { ProductTerms } from './catalog.ts'
import type { TransactionKind, TransactionType } from './ledger.ts'
import { type Cents, cents } from './money.ts'
import type { TaxShare } from './tax.ts'

export type LineItem = {
  type: Extract<TransactionType, 'charge' | 'adjustment'>
  kind: TransactionKind
  amount: Cents
  memo: string
  /** Taxes are taken of it, after the discount. */
  isTaxable: boolean
  discountAmount: Cents
  taxableAmount: Cents
  componentId: number | null
  taxId: number | null
  /** Set on what is charged once, for no time: it is never prorated. */
  isOneTime?: true
  /** Of the line that a coupon writes. */
  couponId?: number
  /** What falls on this line of each tax; the lines of the taxes themselves are the sums. */
  taxShares?: readonly TaxShare[]
}

/** A charge before any discount. */
export const chargeLine = (
  kind: TransactionKind,
  amount: Cents,
  memo: string,
  isTaxable: boolean,
  componentId: number | null = null,
): LineItem => ({
  type: 'charge',
  kind,
  amount,
  memo,
  isTaxable,
  discountAmount: cents(0),
  taxableAmount: isTaxable ? amount : cents(0),
  componentId,
  taxId: null,
})

const span = (period: Period, timeZone: string): string =>
  `(${formatDay(period.startsAt, timeZone)} - ${formatDay(period.endsAt, timeZone)})`

/** The setup fee; a fee of 0 writes no line. */
const initialLine = (product: ProductTerms): LineItem[] =>
  product.initialCharge === null || product.initialCharge === 0
    ? []
    : [chargeLine('initial', product.initialCharge, 'Initial/Startup fees', product.taxable)]

/** A paid period: the product's price, also when it is 0, and the setup fee if it falls due now. */
export const paidPeriodLines = (
  product: ProductTerms,
  period: Period,
  timeZone: string,
  { withInitialCharge }: { withInitialCharge: boolean },
): LineItem[] => [
  chargeLine('baseline', product.price, `${product.name} ${span(period, timeZone)}`, product.taxable),
  ...(withInitialCharge ? initialLine(product) : []),
]

/** A trial: its price, also when it is 0, and the setup fee unless it waits for the trial's end. */
export const trialLines = (product: ProductTerms, trialPrice: Cents, period: Period, timeZone: string): LineItem[] => [
  chargeLine('trial', trialPrice, `Trial Price ${span(period, timeZone)}`, product.taxable),
  ...(product.initialChargeAfterTrial ? [] : initialLine(product)),
]
