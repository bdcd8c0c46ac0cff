/** What one period costs: the priced lines of an assessment, in the order in which the ledger lists them. */
import { formatDay, type Period } from './calendar.ts'
import type { ProductTerms } from './catalog.ts'
import type { TransactionKind, TransactionType } from './ledger.ts'
import { type Cents, cents, sumCents } from './money.ts'

export type LineItem = {
  type: Extract<TransactionType, 'charge' | 'adjustment'>
  kind: TransactionKind
  amount: Cents
  memo: string
  discountAmount: Cents
  taxableAmount: Cents
}

const charge = (kind: TransactionKind, amount: Cents, memo: string, taxable: boolean): LineItem => ({
  type: 'charge',
  kind,
  amount,
  memo,
  discountAmount: cents(0),
  taxableAmount: taxable ? amount : cents(0),
})

const span = (period: Period, timeZone: string): string =>
  `(${formatDay(period.startsAt, timeZone)} - ${formatDay(period.endsAt, timeZone)})`

/** The setup fee; a fee of 0 writes no line. */
const initialLine = (product: ProductTerms): LineItem[] =>
  product.initialCharge === 0 ? [] : [charge('initial', product.initialCharge, 'Initial/Startup fees', product.taxable)]

/** A paid period: the product's price, also when it is 0, and the setup fee if it falls due now. */
export const paidPeriodLines = (
  product: ProductTerms,
  period: Period,
  timeZone: string,
  { withInitialCharge }: { withInitialCharge: boolean },
): LineItem[] => [
  charge('baseline', product.price, `${product.name} ${span(period, timeZone)}`, product.taxable),
  ...(withInitialCharge ? initialLine(product) : []),
]

/** A trial: its price, also when it is 0, and the setup fee unless it waits for the trial's end. */
export const trialLines = (product: ProductTerms, trialPrice: Cents, period: Period, timeZone: string): LineItem[] => [
  charge('trial', trialPrice, `Trial Price ${span(period, timeZone)}`, product.taxable),
  ...(product.initialChargeAfterTrial ? [] : initialLine(product)),
]

export const totalOfLines = (lines: readonly LineItem[]): Cents => sumCents(lines.map((line) => line.amount))
