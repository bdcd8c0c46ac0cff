/** Invoices: listed, read, paid, credited, charged; archiving one is an extension of ours. */
import { archiveInvoice, chargeInvoice, creditInvoice, payInvoice } from '../actions/act-on-invoice.ts'
import type { App } from '../actions/app.ts'
import { invoiceStates } from '../billing/invoice.ts'
import { notFound } from '../billing/refusal.ts'
import { findInvoiceDocument } from '../store/invoice-documents.ts'
import { findInvoiceRecord, type InvoiceRecord, listInvoiceRecords } from '../store/invoice-records.ts'
import { findInvoice } from '../store/invoices.ts'
import { findTransactionRecord } from '../store/transaction-records.ts'
import { entryShape, presentEntry } from '../views/entry.ts'
import { invoiceShape, presentInvoice, presentInvoiceCharge, presentInvoiceEntry } from '../views/invoice.ts'
import { printedInvoice } from '../views/printed-invoice.ts'
import { transactionShape } from '../views/transaction.ts'
import { list, pdf, resource } from '../wire/answer.ts'
import { InputErrors, wrapped } from '../wire/input.ts'
import { readPage } from '../wire/paging.ts'
import type { Route } from '../wire/request.ts'
import { acts, type Context, type Handler, idFrom, type Show, shows } from './handler.ts'
import { readDateWindow, readIdFilter, readWords } from './list-input.ts'
import { readCredit, readInvoiceCharge, readPayment } from './money-input.ts'
import { Problems } from './problems.ts'

export const showInvoice: Show = async (connection, site, id) => {
  const found = await findInvoiceRecord(connection, site.id, id)
  return found && resource(200, 'invoice', presentInvoice(found, site.timeZone), invoiceShape)
}

const showsPages: Handler = async (request) => {
  const { app, site } = request.context
  const found = await findInvoiceDocument(app.db, site.id, idFrom(request, 'invoice_id'))
  if (found === undefined) throw notFound()
  const printed = printedInvoice(found)
  return pdf(await app.pdf.render(printed), `invoice-${printed.number}`)
}

const read: Handler = (request) =>
  request.format === 'pdf' ? showsPages(request) : shows('invoice_id', showInvoice)(request)

/** Dates are days in the site's zone on which invoices were made. Reports every problem at once. */
const listed: Handler = async ({ context: { app, site }, query }) => {
  const problems = new Problems()
  const window = problems.gather(() => readDateWindow(query, site.timeZone, ['start_date', 'end_date']))
  const states = problems.gather(() => readWords(query, 'status', invoiceStates)) ?? null
  const subscriptionId = problems.gather(() => readIdFilter(query, 'subscription_id')) ?? null
  const page = problems.gather(() => readPage(query))
  problems.tell()
  const filter = { since: window?.since ?? null, until: window?.until ?? null, states, subscriptionId }
  const found = await listInvoiceRecords(app.db, site.id, filter, page!)
  return list(
    'invoices',
    'invoice',
    found.map((one) => presentInvoice(one, site.timeZone)),
    invoiceShape,
  )
}

const listsRows =
  (plural: string, item: string, rowsOf: (record: InvoiceRecord, timeZone: string) => object[]): Handler =>
  async (request) => {
    const { app, site } = request.context
    const found = await findInvoiceRecord(app.db, site.id, idFrom(request, 'invoice_id'))
    if (found === undefined) throw notFound()
    return list(plural, item, rowsOf(found, site.timeZone), transactionShape)
  }

const listsCharges = listsRows('charges', 'charge', ({ charges }, timeZone) =>
  charges.map((charge) => presentInvoiceCharge(charge, timeZone)),
)
const listsPayments = listsRows('payments', 'payment', ({ entries }, timeZone) =>
  entries
    .filter(({ transaction }) => transaction.type === 'payment')
    .map((entry) => presentInvoiceEntry(entry, timeZone)),
)

const show =
  (name: string): Show =>
  async (connection, site, id) => {
    const found = await findTransactionRecord(connection, site.id, id)
    return found && resource(201, name, presentEntry(found, site.timeZone), entryShape)
  }

/** Under its own name, or one by which clients know it. That there is no such invoice comes before what is wrong with the request. */
const makes = <Sent>(
  name: string,
  otherNames: readonly string[],
  read: (tree: object) => Sent,
  act: (app: App, siteId: number, invoiceId: number, sent: Sent) => Promise<number>,
): Handler =>
  acts(async (app, request) => {
    const { site, body } = { site: request.context.site, body: request.body }
    const invoiceId = idFrom(request, 'invoice_id')
    const sent = typeof body === 'object' && body !== null ? body : {}
    const used = [name, ...otherNames].find((one) => Object.hasOwn(sent, one)) ?? name
    try {
      return await act(app, site.id, invoiceId, read(wrapped(body, used)))
    } catch (error) {
      if (error instanceof InputErrors && !(await findInvoice(app.db, site.id, invoiceId))) throw notFound()
      throw error
    }
  }, show(name))

const archives = acts(
  (app, request) => archiveInvoice(app, request.context.site.id, idFrom(request, 'invoice_id')),
  showInvoice,
)

const path = '/invoices/:invoice_id'

export const invoiceRoutes: readonly Route<Context>[] = [
  { method: 'GET', path: '/invoices', handler: listed },
  { method: 'GET', path, handler: read, pdf: true },
  { method: 'GET', path: `${path}/payments`, handler: listsPayments },
  { method: 'GET', path: `${path}/charges`, handler: listsCharges },
  { method: 'POST', path: `${path}/payments`, handler: makes('payment', [], readPayment, payInvoice) },
  { method: 'POST', path: `${path}/charges`, handler: makes('charge', ['payment'], readInvoiceCharge, chargeInvoice) },
  { method: 'POST', path: `${path}/credits`, handler: makes('credit', ['adjustment'], readCredit, creditInvoice) },
  { method: 'POST', path: `${path}/adjustments`, handler: makes('adjustment', ['credit'], readCredit, creditInvoice) },
  { method: 'PUT', path: `${path}/archive`, handler: archives },
]
