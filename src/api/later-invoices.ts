/** Invoices in the later form, for sites that have it switched on: every bill under its uid, its payments, and what happened to it. */
import { nowOf } from '../actions/app.ts'
import { payBill } from '../actions/pay-bill.ts'
import { recordPayment } from '../actions/record-payment.ts'
import { type Bill, type BillRef, readBillUid } from '../billing/bill.ts'
import { notFound } from '../billing/refusal.ts'
import { listBillEvents } from '../store/bill-events.ts'
import { listBillRefs } from '../store/bill-refs.ts'
import { listBills } from '../store/bills.ts'
import type { Connection } from '../store/database.ts'
import { listExternalPayments } from '../store/external-payments.ts'
import type { SiteRow } from '../store/sites.ts'
import { findSubscription } from '../store/subscriptions.ts'
import { billShape, presentBill } from '../views/bill.ts'
import { billEventsShape, presentBillEvent } from '../views/bill-event.ts'
import { type BillViewer, billPartNames } from '../views/bill-parts.ts'
import { paidInvoicesShape, presentPaidInvoices } from '../views/paid-invoices.ts'
import { bare, listUnder } from '../wire/answer.ts'
import { acts, type Handler, idFrom, type SiteRequest } from './handler.ts'
import { readBillEventFilter, readBillList } from './later-invoices-input.ts'
import { readInvoicePayment, readSubscriptionPayment } from './later-payment-input.ts'
import { findPaidBills } from './paid-bills.ts'

/** The form in which a site shows its invoices decides which of two handlers answers. */
export const byForm =
  (earlier: Handler, later: Handler): Handler =>
  (request) =>
    (request.context.site.relationshipInvoicingEnabled ? later : earlier)(request)

/** The bill that the path names. What is no uid names nothing that exists. */
export function billFrom(request: SiteRequest): BillRef {
  const ref = readBillUid(request.params.invoice_id ?? '')
  if (ref === undefined) throw notFound()
  return ref
}

async function loadBill(connection: Connection, site: SiteRow, ref: BillRef) {
  const [bill] = await listBills(connection, site, [ref])
  if (bill === undefined) throw notFound()
  return bill
}

const viewerOf = async (connection: Connection, site: SiteRow, paymentIds: readonly number[]): Promise<BillViewer> => ({
  timeZone: site.timeZone,
  methods: await listExternalPayments(connection, site.id, paymentIds),
})

const paymentsOf = (bills: readonly Bill[]): number[] =>
  bills.flatMap(({ payments }) => payments.map(({ transaction }) => transaction.id))

/** Breakdowns are left out of a list but for those that are asked for. */
export const listsBills: Handler = async ({ context: { app, site }, query }) => {
  const { filter, part, parts } = readBillList(query, site.timeZone)
  const bills = await listBills(app.db, site, await listBillRefs(app.db, site.id, filter, part))
  const viewer = await viewerOf(app.db, site, parts.includes('payments') ? paymentsOf(bills) : [])
  return listUnder(
    'invoices',
    'invoice',
    bills.map((bill) => presentBill(bill, viewer, parts)),
    billShape,
  )
}

async function showBill(connection: Connection, site: SiteRow, ref: BillRef, status: number) {
  const bill = await loadBill(connection, site, ref)
  const viewer = await viewerOf(connection, site, paymentsOf([bill]))
  return bare(status, 'invoice', presentBill(bill, viewer, billPartNames), billShape)
}

export const readsBill: Handler = (request) => {
  const { app, site } = request.context
  return showBill(app.db, site, billFrom(request), 200)
}

/** That there is no such bill comes before what is wrong with the request about it. */
export const paysBill: Handler = async (request) => {
  const { app, site } = request.context
  const ref = billFrom(request)
  await loadBill(app.db, site, ref)
  const act = acts(
    (once, { body }) =>
      payBill(once, site.id, ref, readInvoicePayment(body, { now: nowOf(once, site), timeZone: site.timeZone })),
    (connection) => showBill(connection, site, ref, 201),
  )
  return act(request)
}

export const paysSubscription: Handler = async (request) => {
  const { app, site } = request.context
  const id = idFrom(request, 'subscription_id')
  if (!(await findSubscription(app.db, site.id, id))) throw notFound()
  const act = acts(
    (once, { body }) => recordPayment(once, site.id, id, readSubscriptionPayment(body)),
    async (connection, _, paymentId) => {
      const found = await findPaidBills(connection, site, paymentId)
      return bare(201, 'payment', presentPaidInvoices(found), paidInvoicesShape)
    },
  )
  return act(request)
}

const eventsPerPage = { perPageDefault: 100, perPageMax: 200 }

export const listsBillEvents: Handler = async ({ context: { app, site }, query }) => {
  if (!site.relationshipInvoicingEnabled) throw notFound()
  const { filter, page } = readBillEventFilter(query, site.timeZone, eventsPerPage)
  const events = await listBillEvents(app.db, site.id, filter, page)
  const bills = await listBills(
    app.db,
    site,
    events.map(({ ref }) => ref),
  )
  const known = new Map(bills.map((bill) => [`${bill.kind} ${bill.id}`, bill]))
  const named = events.flatMap(({ transaction }) => (transaction === null ? [] : [transaction.id]))
  const viewer = await viewerOf(app.db, site, [...paymentsOf(bills), ...named])
  const shown = events.flatMap((event) => {
    const bill = known.get(`${event.ref.kind} ${event.ref.id}`)
    return bill === undefined ? [] : [presentBillEvent(event, bill, viewer)]
  })
  return bare(200, 'invoice_events', { events: shown, page: page.page, per_page: page.perPage }, billEventsShape)
}
