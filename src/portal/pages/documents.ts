/** Invoices and statements as PDF: the same documents that the API gives the merchant. */
import { notFound } from '../../billing/refusal.ts'
import { findInvoiceDocument } from '../../store/invoice-documents.ts'
import { getLetterhead } from '../../store/letterheads.ts'
import { findStatementDetails } from '../../store/statement-details.ts'
import { printedInvoice } from '../../views/printed-invoice.ts'
import { printedStatement } from '../../views/printed-statement.ts'
import type { Page } from '../../wire/page.ts'
import type { Visit } from '../visit.ts'

/** `500012.pdf`. */
function idFrom({ request }: Visit): number {
  const id = Number(/^(\d{1,15})\.pdf$/.exec(request.params.file ?? '')?.[1] ?? 0)
  if (id === 0) throw notFound()
  return id
}

const document = (bytes: Buffer, name: string): Page => ({
  status: 200,
  headers: { 'content-disposition': `attachment; filename="${name}.pdf"` },
  content: { kind: 'file', type: 'application/pdf', bytes },
})

/** Somebody else's is not found, nor is one that was withdrawn. */
export async function invoiceFile(visit: Visit): Promise<Page> {
  const { app, site, customer } = visit
  const found = await findInvoiceDocument(app.db, site.id, idFrom(visit))
  if (found?.invoice.customerId !== customer.id || found.invoice.state === 'archived') throw notFound()
  const printed = printedInvoice(found)
  return document(await app.pdf.render(printed), `invoice-${printed.number}`)
}

/** Of closed statements: an open one is not finished. */
export async function statementFile(visit: Visit): Promise<Page> {
  const { app, site, customer } = visit
  const details = await findStatementDetails(app.db, site.id, idFrom(visit))
  if (details?.customer.id !== customer.id || details.statement.closedAt === null) throw notFound()
  const letterhead = await getLetterhead(app.db, site.id)
  return document(
    await app.pdf.render(printedStatement(details, site, letterhead)),
    `statement-${details.statement.id}`,
  )
}
