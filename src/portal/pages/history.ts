/** What was billed and paid: invoices, statements and payments, the newest of each or all of one. */
import { html } from 'hono/html'
import { formatInvoiceNumber, type InvoiceState } from '../../billing/invoice.ts'
import { lastFourOf } from '../../billing/payment-profile.ts'
import {
  type InvoiceLine,
  listInvoicesOfCustomer,
  listPaymentsOfCustomer,
  listStatementsOfCustomer,
  type PaymentLine,
  type StatementLine,
} from '../../store/portal-records.ts'
import { kindName } from '../../views/card-words.ts'
import type { Page } from '../../wire/page.ts'
import { show, type Visit } from '../visit.ts'
import type { Markup, Tone, Words } from '../words.ts'

const newestMax = 6
const pageRows = 50
const pagesMax = 10_000

type Part = { perPage: number; offset: number }

/** One kind of record: its heading, and its newest ones as items of a list. */
type Section = {
  name: string
  heading: string
  none: string
  items: (visit: Visit, part: Part) => Promise<Markup[]>
}

/** What it was for, what is known beside it, how it stands, the amount, and its document. */
type Item = { title: string; aside: Markup; badge: readonly [words: string, tone: Tone]; amount: string; file?: string }

const item = ({ title, aside, badge: [words, tone], amount, file }: Item): Markup => html`<li>
        <p class="what"><strong>${title}</strong><br><span class="hint">${aside}</span></p>
        <span class="badge ${tone}">${words}</span>
        <span class="amount">${amount}</span>
        ${file === undefined ? '' : html`<a class="file" href="${file}">PDF<span class="unseen"> of ${title}, ${aside}</span></a>`}
      </li>`

const invoiceStates: Record<InvoiceState, readonly [string, Tone]> = {
  paid: ['Paid', 'good'],
  partial: ['Partly paid', 'warning'],
  unpaid: ['Unpaid', 'bad'],
  archived: ['Withdrawn', 'quiet'],
}

const invoiceItem = ({ id, number, state, createdAt, total }: InvoiceLine, words: Words): Markup =>
  item({
    title: `Invoice ${formatInvoiceNumber(number)}`,
    aside: words.date(createdAt),
    badge: invoiceStates[state],
    amount: words.money(total),
    file: `/account/invoices/${id}.pdf`,
  })

const statementItem = (
  { id, productName, openedAt, closedAt, settledAt, total }: StatementLine,
  words: Words,
): Markup =>
  item({
    title: productName,
    aside: words.span(openedAt, closedAt),
    badge: settledAt === null ? ['Unpaid', 'bad'] : ['Paid', 'good'],
    amount: words.money(total),
    file: `/account/statements/${id}.pdf`,
  })

/** Payments made by us are told by their last words, since the customer knows whose they are; of a failed one the gateway tells why. */
const paymentItem = ({ transaction, productName }: PaymentLine, words: Words): Markup => {
  const { createdAt, memo, success, amount, type, cardNumber, cardType } = transaction
  const card = cardNumber === null ? '' : `, ${kindName(cardType)} ending in ${lastFourOf(cardNumber)}`
  return item({
    title: productName,
    aside: html`${words.date(createdAt)}, ${memo.replace(/^.* - .*?: (?=\w+ payment$)/, '')}${card}`,
    badge: !success ? ['Declined', 'bad'] : type === 'refund' ? ['Paid back', 'quiet'] : ['Paid', 'good'],
    amount: words.money(amount),
  })
}

const sections: readonly Section[] = [
  {
    name: 'payments',
    heading: 'Payments',
    none: 'No payments yet.',
    items: async ({ app, site, customer, words }, part) =>
      (await listPaymentsOfCustomer(app.db, site.id, customer.id, part)).map((payment) => paymentItem(payment, words)),
  },
  {
    name: 'invoices',
    heading: 'Invoices',
    none: 'No invoices yet.',
    items: async ({ app, site, customer, words }, part) =>
      (await listInvoicesOfCustomer(app.db, site.id, customer.id, part)).map((invoice) => invoiceItem(invoice, words)),
  },
  {
    name: 'statements',
    heading: 'Statements',
    none: 'No statements yet.',
    items: async ({ app, site, customer, words }, part) =>
      (await listStatementsOfCustomer(app.db, site.id, customer.id, part)).map((line) => statementItem(line, words)),
  },
]

const panel = (
  section: Section,
  items: readonly Markup[],
  more: Markup,
): Markup => html`<section class="panel" aria-labelledby="${section.name}">
      <h2 id="${section.name}">${section.heading}</h2>
      ${items.length === 0 ? html`<p>${section.none}</p>` : html`<ul class="records">${items}</ul>`}
      ${more}
    </section>`

const newest = async (visit: Visit, section: Section): Promise<Markup> => {
  const rows = await section.items(visit, { perPage: newestMax + 1, offset: 0 })
  const more =
    rows.length > newestMax
      ? html`<p class="actions"><a href="/account/history?show=${section.name}">All ${section.heading.toLowerCase()}</a></p>`
      : html``
  return panel(section, rows.slice(0, newestMax), more)
}

async function allOf(visit: Visit, section: Section): Promise<Markup> {
  const asked = Number(visit.request.query.page)
  const number = Number.isSafeInteger(asked) && asked > 0 ? Math.min(asked, pagesMax) : 1
  const rows = await section.items(visit, { perPage: pageRows + 1, offset: (number - 1) * pageRows })
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
