/** What the ledger rows of one decision mean for invoices: a new one for what is billed, and less due on those that are paid. */
import type { DueInvoice, Invoice, InvoiceState, InvoicingFacts } from './invoice.ts'
import type { Transaction } from './ledger.ts'
import { type Cents, cents, sumCents, zeroCents } from './money.ts'
import type { CollectionMethod, Subscription } from './subscription.ts'

/** Which part of a payment or a credit falls on an invoice. */
export type AppliedEntry = { transactionId: number; amount: Cents }

/** An invoice that does not exist yet; its id and number are given when it is written. */
export type NewInvoice = Omit<Invoice, 'id' | 'number' | 'updatedAt'> & {
  /** In the order of its lines. */
  chargeIds: readonly number[]
  entries: readonly AppliedEntry[]
}

/** What becomes of an invoice that exists already, with the charges and entries that are added to it. */
export type InvoiceChange = Pick<Invoice, 'siteId' | 'id' | 'state' | 'total' | 'due' | 'paidAt' | 'updatedAt'> & {
  chargeIds: readonly number[]
  entries: readonly AppliedEntry[]
}

/** How a decision wants its rows invoiced. */
export type InvoiceWish = {
  /**
   * `period`: together with the charges that waited, less what there is in credit. `event`: for themselves, in full. `never`: they
   * were paid at once.
   */
  bills: 'period' | 'event' | 'never'
  /** Who collects these rows; null is whoever collects for the subscription. */
  method: CollectionMethod | null
  /** Charges of this decision that wait for the invoice of the next period, with what is taken off them. */
  waitingIds: ReadonlySet<number>
  /** Everything belongs to this invoice. */
  invoiceId: number | null
}

export const usualWish: InvoiceWish = { bills: 'period', method: null, waitingIds: new Set(), invoiceId: null }

export type Invoiced = {
  newInvoice: NewInvoice | null
  changed: InvoiceChange[]
  invoicedThroughId: number | null
}

const nothingDue: InvoicingFacts = { due: [], waiting: [] }

/**
 * Whether rows concern invoices at all: those of a subscription that is paid by invoice or was once, or that the act wants invoiced.
 */
export const isInvoiced = (
  { paymentCollectionMethod, invoicedThroughId }: Subscription,
  { method }: Pick<InvoiceWish, 'method'> = usualWish,
): boolean => paymentCollectionMethod === 'invoice' || invoicedThroughId !== null || method === 'invoice'

/** `subscription` is as it will be, but for its balance, which is that after the last of the rows. */
export function invoice(
  subscription: Subscription,
  rows: readonly Transaction[],
  wish: InvoiceWish,
  { due, waiting }: InvoicingFacts = nothingDue,
  now: Temporal.Instant,
): Invoiced {
  const { invoicedThroughId } = subscription
  if (wish.invoiceId !== null) {
    const target = due.find(({ id }) => id === wish.invoiceId)
    const changed = target === undefined ? [] : [addTo(target, subscription.siteId, rows, now)]
    return { newInvoice: null, changed, invoicedThroughId }
  }
  const charges = rows.filter(({ id, type }) => type === 'charge' && !wish.waitingIds.has(id))
  const method = wish.method ?? subscription.paymentCollectionMethod
  const bills = charges.length > 0 && method === 'invoice' && wish.bills !== 'never'
  const own = bills ? rows.filter((row) => isCreditOfCharges(row) && !wish.waitingIds.has(row.id)) : []
  const spread =
    wish.bills === 'never'
      ? []
      : rows.filter((row) => !wish.waitingIds.has(row.id) && isApplied(row, own, charges.length > 0))
  const changed = spreadOver(due, subscription.siteId, spread, now)
  if (!bills) return { newInvoice: null, changed, invoicedThroughId }
  const isPeriod = wish.bills === 'period'
  const listed = [...(isPeriod ? waiting : []), ...charges]
  const entries = entriesOf(own)
  const total = sumCents(listed.map(({ amount }) => amount))
  const net = cents(Math.max(0, total - sumCents(entries.map(({ amount }) => amount))))
  const credit = isPeriod ? creditFor(net, rows, wish, dueAfter(due, changed)) : zeroCents
  const isCredited = credit > 0 || own.some(({ kind }) => kind !== 'coupon')
  const left = cents(net - credit)
  return {
    newInvoice: {
      siteId: subscription.siteId,
      subscriptionId: subscription.id,
      customerId: subscription.customerId,
      statementId: charges[0]!.statementId,
      state: stateOf(left, isCredited),
      total,
      credit,
      due: left,
      paidAt: left === 0 ? now : null,
      createdAt: now,
      chargeIds: listed.map(({ id }) => id),
      entries,
    },
    changed,
    invoicedThroughId: isPeriod ? rows.at(-1)!.id : (invoicedThroughId ?? 0),
  }
}

const stateOf = (due: Cents, isApplied: boolean): InvoiceState =>
  due === 0 ? 'paid' : isApplied ? 'partial' : 'unpaid'

/** What a billing event itself takes off its charges: a discount, the rest of an old product, the return of a component. */
const isCreditOfCharges = ({ type, kind }: Transaction): boolean =>
  type === 'credit' || (type === 'adjustment' && kind !== null)

/** What pays or lowers invoices that exist: money, and corrections of the balance; returns only where nothing is charged with them. */
const isApplied = (row: Transaction, own: readonly Transaction[], isCharging: boolean): boolean => {
  if (row.type === 'payment') return row.success
  if (row.type === 'adjustment' && row.kind === null) return row.amount < 0
  return isCreditOfCharges(row) && !own.includes(row) && !isCharging
}

/** What rows take off together; a discount that is taken back with its charge counts against them. */
const creditedBy = (rows: readonly Transaction[]): number =>
  Math.max(0, -rows.reduce((sum, { amount }) => sum + amount, 0))

/** The whole of each row, as far as they take anything off together. */
function entriesOf(rows: readonly Transaction[]): AppliedEntry[] {
  let left = creditedBy(rows)
  const entries: AppliedEntry[] = []
  for (const { id, amount } of rows) {
    const part = Math.min(left, Math.max(0, -amount))
    if (part > 0) entries.push({ transactionId: id, amount: cents(part) })
    left -= part
  }
  return entries
}

/** What is left of earlier payments and credits once everything that is owed otherwise is taken off: it pays for the new invoice first. */
function creditFor(net: Cents, rows: readonly Transaction[], { waitingIds }: InvoiceWish, dueElsewhere: number): Cents {
  const waits = sumCents(rows.filter(({ id }) => waitingIds.has(id)).map(({ amount }) => amount))
  const balance = rows.at(-1)!.endingBalance
  return cents(Math.min(net, Math.max(0, net + dueElsewhere + waits - balance)))
}

const dueAfter = (due: readonly DueInvoice[], changed: readonly InvoiceChange[]): number => {
  const after = new Map(changed.map((change) => [change.id, change.due]))
  return due.reduce((sum, one) => sum + (after.get(one.id) ?? one.due), 0)
}

/** Oldest first; each entry is the part that an invoice takes. What is left over stays as credit on the balance. */
function spreadOver(
  due: readonly DueInvoice[],
  siteId: number,
  rows: readonly Transaction[],
  now: Temporal.Instant,
): InvoiceChange[] {
  const open = due.filter(({ state }) => state !== 'archived').map((one) => ({ ...one, entries: [] as AppliedEntry[] }))
  const credits = rows.filter(({ type }) => type !== 'payment')
  let creditLeft = creditedBy(credits)
  for (const row of rows) {
    const isPayment = row.type === 'payment'
    let left = isPayment ? row.amount : Math.min(creditLeft, Math.max(0, -row.amount))
    for (const one of open) {
      const part = Math.min(left, one.due)
      if (part <= 0) continue
      one.entries.push({ transactionId: row.id, amount: cents(part) })
      one.due = cents(one.due - part)
      left -= part
      if (!isPayment) creditLeft -= part
    }
  }
  return open
    .filter(({ entries }) => entries.length > 0)
    .map(({ id, total, due: left, entries }) => ({
      siteId,
      id,
      total,
      due: left,
      state: stateOf(left, true),
      paidAt: left === 0 ? now : null,
      updatedAt: now,
      chargeIds: [],
      entries,
    }))
}

/** Charges raise what is due; payments and credits lower it, and are listed whole, also what was too much of them. */
function addTo(
  { id, state, total, due }: DueInvoice,
  siteId: number,
  rows: readonly Transaction[],
  now: Temporal.Instant,
): InvoiceChange {
  const charges = rows.filter(({ type }) => type === 'charge')
  const lowering = rows.filter(({ type, success, amount }) => success && (type === 'payment' || amount < 0))
  const entries = lowering.map((row) => ({ transactionId: row.id, amount: cents(Math.abs(row.amount)) }))
  const charged = sumCents(charges.map(({ amount }) => amount))
  const lowered = sumCents(entries.map(({ amount }) => amount))
  const left = cents(Math.max(0, due + charged - lowered))
  return {
    siteId,
    id,
    total: cents(total + charged),
    due: left,
    state: entries.length > 0 ? stateOf(left, true) : state,
    paidAt: left === 0 ? now : null,
    updatedAt: now,
    chargeIds: charges.map((charge) => charge.id),
    entries,
  }
}
