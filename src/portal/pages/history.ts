/** What was billed and paid: invoices, statements and payments, the newest of each or all of one. */
import { html } from 'hono/html'
import { formatInvoiceNumber, type InvoiceState } from '../../billing/invoice.ts'
import {
  type InvoiceLine,
  listInvoicesOfCustomer,
  listPaymentsOfCustomer,
  listStatementsOfCustomer,
  type PaymentLine,
  type StatementLine,
} from '../../store/portal-records.ts'
import type { Page } from '../../wire/page.ts'
import { show, type Visit } from '../visit.ts'
import type { Markup, Tone, Words } from '../words.ts'

const newestMax = 6
const pageRows = 50
const pagesMax = 10_000

type Part = { perPage: number; offset: number }

/** A table of one kind of record: its heading, its columns, its rows. */
type Section = {
  name: string
  heading: string
  none: string
  columns: readonly string[]
  rows: (visit: Visit, part: Part) => Promise<Markup[]>
}

const badge = (words: string, tone: Tone): Markup => html`<span class="badge ${tone}">${words}</span>`

const invoiceStates: Record<InvoiceState, readonly [string, Tone]> = {
  paid: ['Paid', 'good'],
  partial: ['Partly paid', 'warning'],
  unpaid: ['Unpaid', 'bad'],
  archived: ['Withdrawn', 'quiet'],
}

const invoiceRow = ({ id, number, state, createdAt, total }: InvoiceLine, words: Words): Markup => {
  const shown = formatInvoiceNumber(number)
  return html`<tr><td>${words.date(createdAt)}</td><td>${shown}</td><td>${badge(...invoiceStates[state])}</td>
          <td class="amount">${words.money(total)}</td><td><a href="/account/invoices/${id}.pdf">PDF<span class="unseen"> of invoice ${shown}</span></a></td></tr>`
}

const statementRow = (line: StatementLine, words: Words): Markup => {
  const { id, productName, openedAt, closedAt, settledAt, total } = line
  return html`<tr><td>${words.span(openedAt, closedAt)}</td><td>${productName}</td>
          <td>${settledAt === null ? badge('Unpaid', 'bad') : badge('Paid', 'good')}</td><td class="amount">${words.money(total)}</td>
          <td><a href="/account/statements/${id}.pdf">PDF<span class="unseen"> of statement ${id}</span></a></td></tr>`
}

/** Payments made by us are told by their last words, since the customer knows whose they are; of a failed one the gateway tells why. */
const paymentRow = ({ transaction, productName }: PaymentLine, words: Words): Markup => {
  const { createdAt, memo, success, amount, type, cardNumber } = transaction
  const state = !success
    ? badge('Declined', 'bad')
    : type === 'refund'
      ? badge('Paid back', 'quiet')
      : badge('Paid', 'good')
  const card = cardNumber === null ? '' : `, card ending in ${cardNumber.replace(/^.*-/, '').slice(-4)}`
  return html`<tr><td>${words.date(createdAt)}</td><td>${productName}<br><span class="hint">${memo.replace(/^.* - .*?: (?=\w+ payment$)/, '')}${card}</span></td>
          <td>${state}</td><td class="amount">${words.money(amount)}</td></tr>`
}

const sections: readonly Section[] = [
  {
    name: 'payments',
    heading: 'Payments',
    none: 'No payments yet.',
    columns: ['Date', 'For', 'State', 'Amount'],
    rows: async ({ app, site, customer, words }, part) =>
      (await listPaymentsOfCustomer(app.db, site.id, customer.id, part)).map((payment) => paymentRow(payment, words)),
  },
  {
    name: 'invoices',
    heading: 'Invoices',
    none: 'No invoices yet.',
    columns: ['Date', 'Number', 'State', 'Amount', 'Document'],
    rows: async ({ app, site, customer, words }, part) =>
      (await listInvoicesOfCustomer(app.db, site.id, customer.id, part)).map((invoice) => invoiceRow(invoice, words)),
  },
  {
    name: 'statements',
    heading: 'Statements',
    none: 'No statements yet.',
    columns: ['Period', 'Product', 'State', 'Amount', 'Document'],
    rows: async ({ app, site, customer, words }, part) =>
      (await listStatementsOfCustomer(app.db, site.id, customer.id, part)).map((line) => statementRow(line, words)),
  },
]

const table = (
  { name, columns }: Section,
  rows: readonly Markup[],
): Markup => html`<div class="scroll" role="region" aria-labelledby="${name}" tabindex="0"><table>
        <thead><tr>${columns.map((column) => html`<th scope="col"${column === 'Amount' ? html` class="amount"` : ''}>${column}</th>`)}</tr></thead>
        <tbody>${rows}</tbody>
      </table></div>`

const panel = (
  section: Section,
  rows: readonly Markup[],
  more: Markup,
): Markup => html`<section class="panel" aria-labelledby="${section.name}">
      <h2 id="${section.name}">${section.heading}</h2>
      ${rows.length === 0 ? html`<p>${section.none}</p>` : table(section, rows)}
      ${more}
    </section>`

const newest = async (visit: Visit, section: Section): Promise<Markup> => {
  const rows = await section.rows(visit, { perPage: newestMax + 1, offset: 0 })
  const more =
    rows.length > newestMax
      ? html`<p class="actions"><a href="/account/history?show=${section.name}">All ${section.heading.toLowerCase()}</a></p>`
      : html``
  return panel(section, rows.slice(0, newestMax), more)
}

async function allOf(visit: Visit, section: Section): Promise<Markup> {
  const asked = Number(visit.request.query.page)
  const number = Number.isSafeInteger(asked) && asked > 0 ? Math.min(asked, pagesMax) : 1
  const rows = await section.rows(visit, { perPage: pageRows + 1, offset: (number - 1) * pageRows })
  const link = (to: number, words: string) =>
    html`<a class="button secondary" href="/account/history?show=${section.name}&page=${to}">${words}</a>`
  const more = html`<p class="actions">${number > 1 ? link(number - 1, 'Newer') : ''} ${rows.length > pageRows ? link(number + 1, 'Older') : ''}</p>`
  return panel(section, rows.slice(0, pageRows), more)
}

export async function historyPage(visit: Visit): Promise<Page> {
  const chosen = sections.find(({ name }) => name === visit.request.query.show)
  const content =
    chosen === undefined
      ? await Promise.all(sections.map((section) => newest(visit, section)))
      : [await allOf(visit, chosen)]
  return show(visit, {
    title: chosen?.heading ?? 'Billing history',
    place: '/account/history',
    content: html`${chosen === undefined ? '' : html`<p class="back"><a href="/account/history">Billing history</a></p>`}
    <h1>${chosen?.heading ?? 'Billing history'}</h1>
    ${content}`,
  })
}
