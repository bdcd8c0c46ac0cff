/** Says in the file's own description (XMP) that an invoice for machines is attached, as Factur-X asks. */

import { assert } from '../billing/assert.ts'
import type { Profile } from './electronic-invoice.ts'
import { type PdfFile, type PdfObject, referenceTo } from './pdf-update.ts'

/** The new version of the description. */
export function invoiceMetadata(pdf: PdfFile, profile: Profile): PdfObject {
  const number = referenceTo(pdf.read(referenceTo(pdf.trailer, 'Root')).dictionary, 'Metadata')
  const packet = Buffer.from(pdf.stream(number)).toString('latin1')
  const told = packet
    .replace('</rdf:Bag></pdfaExtension:schemas>', `${schema}</rdf:Bag></pdfaExtension:schemas>`)
    .replace('</rdf:RDF>', `${description(profile)}</rdf:RDF>`)
  assert(told.includes(schema), 'a PDF/A lists the schemas of its description')
  const body = `<<\n  /Length ${told.length}\n  /Type /Metadata\n  /Subtype /XML\n>>\nstream\n${told}\nendstream`
  return { number, body }
}

const namespace = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#'

const description = (profile: Profile): string =>
  [
    `<rdf:Description rdf:about="" xmlns:fx="${namespace}">`,
    '<fx:DocumentType>INVOICE</fx:DocumentType><fx:DocumentFileName>factur-x.xml</fx:DocumentFileName>',
    `<fx:Version>1.0</fx:Version><fx:ConformanceLevel>${profile}</fx:ConformanceLevel></rdf:Description>`,
  ].join('')

const property = (name: string, meaning: string): string =>
  [
    '<rdf:li rdf:parseType="Resource"><pdfaProperty:category>external</pdfaProperty:category>',
    `<pdfaProperty:description>${meaning}</pdfaProperty:description><pdfaProperty:name>${name}</pdfaProperty:name>`,
    '<pdfaProperty:valueType>Text</pdfaProperty:valueType></rdf:li>',
  ].join('')

const schema = [
  '<rdf:li rdf:parseType="Resource"><pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>',
  `<pdfaSchema:namespaceURI>${namespace}</pdfaSchema:namespaceURI><pdfaSchema:prefix>fx</pdfaSchema:prefix>`,
  '<pdfaSchema:property><rdf:Seq>',
  property('DocumentFileName', 'The name of the embedded XML document'),
  property('DocumentType', 'The type of the hybrid document in capital letters'),
  property('Version', 'The version of the standard of the embedded XML'),
  property('ConformanceLevel', 'The profile of the embedded XML'),
  '</rdf:Seq></pdfaSchema:property></rdf:li>',
].join('')
