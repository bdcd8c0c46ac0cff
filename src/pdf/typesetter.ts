/** The process that makes the pages: takes one document at a time from its parent and gives back a PDF or the reason why not. */

import { join } from 'node:path'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler'
import type { PrintedDocument } from './document.ts'
import { electronicInvoice } from './electronic-invoice.ts'
import { readFonts } from './fonts.ts'
import { pageText } from './page-text.ts'
import { invoiceMetadata } from './pdf-metadata.ts'
import { PdfFile } from './pdf-update.ts'
import { tags } from './tags.ts'

export type Order = { readonly id: number; readonly document: PrintedDocument }
export type Delivery = { readonly id: number; readonly memoryBytes: number } & (
  | { readonly pdf: Uint8Array }
  | { readonly problem: string }
)

const root = import.meta.dirname
const template = join(root, 'document.typ')

const fonts = readFonts()
const compiler = NodeCompiler.create({ workspace: root, fontArgs: [{ fontBlobs: [...fonts.blobs] }] })

process.on('message', (order: Order) => {
  process.send?.({
    id: order.id,
    ...attempt(order.document),
    memoryBytes: process.memoryUsage.rss(),
  } satisfies Delivery)
})
// The service is gone, and with it everybody who could ask.
process.on('disconnect', () => process.exit())

function attempt(document: PrintedDocument): { pdf: Uint8Array } | { problem: string } {
  try {
    return { pdf: typeset(document) }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

/**
 * A customer is owed a page whatever is wrong with the logo or with one letter: without the one, and at last without the
 * archive standard, which forbids letters that no font draws.
 */
function typeset(document: PrintedDocument): Uint8Array {
  const plain = { ...document, seller: { ...document.seller, logo: null } }
  try {
    return print(document, 'a-3b')
  } catch {
    try {
      return print(plain, 'a-3b')
    } catch {
      return print(plain, '1.7')
    }
  }
}

function print(document: PrintedDocument, pdfStandard: 'a-3b' | '1.7'): Uint8Array {
  const invoice = electronicInvoice(document)
  const { logo } = document.seller
  give('document.json', Buffer.from(JSON.stringify({ ...pageText(document, fonts), attachment: invoice?.xml ?? null })))
  if (logo !== null) give(`logo.${logo.type}`, Buffer.from(logo.bytes))
  const compiled = compiler.compile({ mainFilePath: template })
  const failure = compiled.takeError()
  if (failure !== null) throw new Error(JSON.stringify(compiler.fetchDiagnostics(failure)))
  // Results that the last ten documents had no use for are forgotten.
  compiler.evictCache(10)
  const pdf = new PdfFile(compiler.pdf(compiled.result!, { pdfStandard }))
  const isDescribed = invoice !== null && pdfStandard === 'a-3b'
  return pdf.update([...tags(pdf), ...(isDescribed ? [invoiceMetadata(pdf, invoice.profile)] : [])])
}

const give = (name: string, bytes: Buffer): void => compiler.mapShadow(join(root, name), bytes)
