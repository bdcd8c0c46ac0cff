/** Invoices: listed, read, paid, credited, charged; archiving one is an extension of ours. */
import { archiveInvoice, chargeInvoice, creditInvoice, payInvoice } from '../actions/act-on-invoice.ts'
import { invoiceDates, invoiceSorts, invoiceStates } from '../billing/invoice.ts'
import { notFound } from '../billing/refusal.ts'
import { findInvoiceDocument } from '../store/invoice-documents.ts'
import { findInvoiceRecord, type InvoiceRecord, listInvoiceRecords } from '../store/invoice-records.ts'
import { findInvoice } from '../store/invoices.ts'
import { invoiceShape, presentInvoice, presentInvoiceCharge, presentInvoiceEntry } from '../views/invoice.ts'
import { printedInvoice } from '../views/printed-invoice.ts'
import { transactionShape } from '../views/transaction.ts'
import { list, pdf, resource } from '../wire/answer.ts'
import { readDirection, readPage } from '../wire/paging.ts'
import type { Route } from '../wire/request.ts'
import { acts, type Context, type Handler, idFrom, type Show, shows } from './handler.ts'
import { billFrom, byForm, listsBillEvents, listsBills, paysBill, readsBill } from './later-invoices.ts'
import { makesFor } from './ledger-acts.ts'
import { readDaysOrMoments, readIdFilter, readIds, readWord, readWords, refuseFilters } from './list-input.ts'
import { readCredit, readInvoiceCharge, readPayment } from './money-input.ts'
import { Problems } from './problems.ts'
import { showsStatementPages } from './statements.ts'

const showInvoice: Show = async (connection, site, id) => {
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

/** The pages of a bill are those of the invoice or of the statement that it is. */
const readLater: Handler = (request) => {
  if (request.format !== 'pdf') return readsBill(request)
  const { kind, id } = billFrom(request)
  return (kind === 'invoice' ? showsPages : showsStatementPages)({
    ...request,
    params: { ...request.params, [`${kind}_id`]: String(id) },
  })
}

/** The newest first where nothing is said. Reports every problem at once. */
const listed: Handler = async ({ context: { app, site }, query }) => {
  const problems = new Problems()
  const dateField = problems.gather(() => readWord(query, 'date_field', invoiceDates, 'created_at')) ?? 'created_at'
  const window = problems.gather(() => readDaysOrMoments(query, site.timeZone)) ?? { since: null, until: null }
  const states = problems.gather(() => readWords(query, 'status', invoiceStates)) ?? null
  const subscriptionId = problems.gather(() => readIdFilter(query, 'subscription_id')) ?? null
  const customerIds = problems.gather(() => readIds(query, 'customer_ids')) ?? null
  const productIds = problems.gather(() => readIds(query, 'product_ids')) ?? null
  const numbers = problems.gather(() => readIds(query, 'number')) ?? null
  const page = problems.gather(() => readPage(query))
  const sort = problems.gather(() => readWord(query, 'sort', invoiceSorts, 'created_at'))
  const direction = problems.gather(() => readDirection(query, 'desc'))
  problems.gather(() => refuseFilters(query, ['subscription_group_uid']))
  problems.tell()
  const filter = { dateField, ...window, states, subscriptionId, customerIds, productIds, numbers }
  const part = { ...page!, sort: sort!, direction: direction! }
  const found = await listInvoiceRecords(app.db, site.id, filter, part)
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

const makes = makesFor(
  'invoice_id',
  async (connection, site, id) => (await findInvoice(connection, site.id, id)) !== undefined,
)

const archives = acts(
  (app, request) => archiveInvoice(app, request.context.site.id, idFrom(request, 'invoice_id')),
  showInvoice,
)

const path = '/invoices/:invoice_id'

export const invoiceRoutes: readonly Route<Context>[] = [
  { method: 'GET', path: '/invoices', handler: byForm(listed, listsBills) },
  { method: 'GET', path: '/invoices/events', handler: listsBillEvents },
  { method: 'GET', path, handler: byForm(read, readLater), pdf: true },
  { method: 'GET', path: `${path}/payments`, handler: listsPayments },
  { method: 'GET', path: `${path}/charges`, handler: listsCharges },
  { method: 'POST', path: `${path}/payments`, handler: byForm(makes(['payment'], readPayment, payInvoice), paysBill) },
  { method: 'POST', path: `${path}/charges`, handler: makes(['charge', 'payment'], readInvoiceCharge, chargeInvoice) },
  { method: 'POST', path: `${path}/credits`, handler: makes(['credit', 'adjustment'], readCredit, creditInvoice) },
  { method: 'POST', path: `${path}/adjustments`, handler: makes(['adjustment', 'credit'], readCredit, creditInvoice) },
  { method: 'PUT', path: `${path}/archive`, handler: archives },
]
