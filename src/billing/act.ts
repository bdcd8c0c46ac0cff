/** The pen of a decision: the ledger, events and statements of one subscription at one moment, gathered into changes. */
import { assert } from './assert.ts'
import type { Changes, Ids } from './changes.ts'
import { fullName } from './customer.ts'
import {
  type EventSubject,
  invoiceIssued,
  type SiteEvent,
  stateChange,
  statementClosed,
  statementSettled,
} from './event.ts'
import { type InvoiceWish, invoice, isInvoiced, usualWish } from './invoicing.ts'
import { Ledger } from './ledger.ts'
import type { LineItem } from './line-item.ts'
import { addCents, type Cents, cents } from './money.ts'
import { isPaid, newStatement, type Statement, type StatementChange, totalOf } from './statement.ts'
import type { Subscription, SubscriptionFacts, SubscriptionState } from './subscription.ts'
import type { Taxation } from './tax.ts'

export const subjectOf = (
  { site, subscription, product, customer }: SubscriptionFacts,
  at: Temporal.Instant,
): EventSubject => ({
  siteId: site.id,
  subscriptionId: subscription.id,
  customerId: customer.id,
  customerName: fullName(customer),
  productId: product.productId,
  productName: product.name,
  currency: site.currency,
  at,
})

export class Act {
  readonly facts: SubscriptionFacts
  readonly now: Temporal.Instant
  readonly subject: EventSubject
  readonly ledger: Ledger
  readonly events: SiteEvent[] = []
  readonly #ids: Ids
  readonly #newStatements: Statement[] = []
  readonly #statements: StatementChange[] = []
  readonly #settledIds = new Set<number>()
  readonly #waitingIds = new Set<number>()
  #wish: InvoiceWish = usualWish
  readonly #taxations: Taxation[] = []

  constructor(facts: SubscriptionFacts, now: Temporal.Instant, ids: Ids) {
    const { subscription } = facts
    this.facts = facts
    this.now = now
    this.#ids = ids
    this.subject = subjectOf(facts, now)
    this.ledger = this.#ledgerOf(subscription)
  }

  #ledgerOf(subscription: Subscription): Ledger {
    const origin = {
      siteId: subscription.siteId,
      subscriptionId: subscription.id,
      customerId: subscription.customerId,
      productId: subscription.productId,
      statementId: subscription.openStatementId,
      periodNumber: subscription.periodNumber,
      createdAt: this.now,
    }
    return new Ledger(subscription, origin, () => this.#ids.transaction())
  }

  /** All lines of one assessment at once: what falls of a tax on each charge is told with the row of that tax. */
  writeLines(lines: readonly LineItem[], periodNumber: number): void {
    const written = lines.map(({ isTaxable: _, isOneTime: __, taxShares = [], ...line }) => ({
      row: this.ledger.write({ ...line, periodNumber }),
      taxShares,
    }))
    for (const { row: charge, taxShares } of written) {
      for (const { tax, amount } of taxShares) {
        const taxCharge = written.find(({ row }) => row.kind === 'tax' && row.taxId === tax.id)?.row
        assert(taxCharge !== undefined, 'a tax that falls on a charge has a row of its own')
        this.#taxations.push({
          siteId: charge.siteId,
          chargeId: charge.id,
          taxChargeId: taxCharge.id,
          taxId: tax.id,
          taxName: tax.name,
          rate: tax.rate,
          amount,
        })
      }
    }
  }

  /** How the rows of this decision are invoiced, where that is not as usual: with the period that begins. */
  wishInvoice(wish: Partial<InvoiceWish>): void {
    this.#wish = { ...this.#wish, ...wish }
  }

  /** The rows from this place on wait for the invoice of the next period. */
  leaveToNextInvoice(from = 0): void {
    for (const { id } of this.ledger.rows.slice(from)) this.#waitingIds.add(id)
  }

  /** The row that charges for the period or the trial that this decision begins; null where none was charged for. */
  periodChargeId(): number | null {
    return this.ledger.rows.find(({ kind }) => kind === 'baseline' || kind === 'trial')?.id ?? null
  }

  /** What the open statement amounts to with the rows written so far. */
  openTotal(): Cents {
    return addCents(this.facts.subscription.openStatementTotal, totalOf(this.ledger.rows))
  }

  /** One event for each state passed through on the way to the present one. */
  tellStates(passed: readonly SubscriptionState[]): void {
    let from = this.facts.subscription.state
    for (const to of passed) {
      this.events.push(stateChange(this.subject, from, to))
      from = to
    }
  }

  /** Settles the closed statements that what was written so far has paid, once; whatever is written later is looked at in the end. */
  settleOlderStatements(): void {
    const { rows, balance } = this.ledger
    for (const { id, owed } of this.facts.unsettledStatements) {
      if (this.#settledIds.has(id) || !isPaid(owed, rows, balance)) continue
      this.#settledIds.add(id)
      this.#statements.push({ ...this.#untouched(id), settledAt: this.now })
      this.events.push(statementSettled(this.subject, id))
    }
  }

  #untouched(id: number): StatementChange {
    return { siteId: this.subject.siteId, id, total: null, closedAt: null, endingBalance: null, settledAt: null }
  }

  /** Closes the open statement, paid or not, and opens the next one; gives the subscription with the new one open. */
  turnStatement(subscription: Subscription): Subscription {
    const closing = subscription.openStatementId
    if (closing !== null) {
      const { settledAt } = this.#close(subscription.siteId, closing)
      this.events.push((settledAt === null ? statementClosed : statementSettled)(this.subject, closing))
    }
    const opened = newStatement(
      subscription.siteId,
      this.#ids.statement(),
      subscription.id,
      this.now,
      this.ledger.balance,
    )
    this.#newStatements.push(opened)
    return { ...subscription, openStatementId: opened.id, openStatementTotal: cents(0) }
  }

  /** Closes the open statement without a word: nothing was assessed and nothing follows. */
  endStatements(subscription: Subscription): Subscription {
    if (subscription.openStatementId === null) return subscription
    this.#close(subscription.siteId, subscription.openStatementId)
    return { ...subscription, openStatementId: null, openStatementTotal: cents(0) }
  }

  #close(siteId: number, id: number): StatementChange {
    const { balance } = this.ledger
    const settledAt = isPaid(balance, [], balance) ? this.now : null
    const closing = { siteId, id, total: this.openTotal(), closedAt: this.now, endingBalance: balance, settledAt }
    this.#statements.push(closing)
    return closing
  }

  /** Everything written so far, with the subscription as it will be. */
  changes(subscription: Subscription): Changes {
    const { balance, coveredThroughId, rows } = this.ledger
    if (rows.some((row) => row.endingBalance < row.startingBalance)) this.settleOlderStatements()
    const invoices = this.#invoices(subscription)
    return {
      subscription: { ...subscription, balance, coveredThroughId, ...invoices.subscription, updatedAt: this.now },
      transactions: rows,
      ...invoices.changes,
      ...(this.#taxations.length > 0 && { taxations: this.#taxations }),
      events: this.events,
      newStatements: this.#newStatements,
      statements: this.#statements,
    }
  }

  #invoices(subscription: Subscription): {
    subscription: Pick<Subscription, 'invoicedThroughId'> | undefined
    changes: Pick<Changes, 'newInvoice' | 'invoices'>
  } {
    const { rows } = this.ledger
    const wish = { ...this.#wish, waitingIds: this.#waitingIds }
    if (rows.length === 0 || !isInvoiced(subscription, wish)) return { subscription: undefined, changes: {} }
    const { newInvoice, changed, invoicedThroughId } = invoice(subscription, rows, wish, this.facts.invoicing, this.now)
    if (newInvoice !== null) this.events.push(invoiceIssued(this.subject))
    return {
      subscription: { invoicedThroughId },
      changes: { ...(newInvoice && { newInvoice }), ...(changed.length > 0 && { invoices: changed }) },
    }
  }
}
