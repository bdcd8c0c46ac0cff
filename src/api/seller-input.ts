/** What a request says of the merchant for the head of invoices. */
import type { SellerChange } from '../actions/update-site.ts'
import { type Logo, pageSizes } from '../billing/invoice.ts'
import { oneOf, text } from '../wire/input.ts'
import type { Problems } from './problems.ts'

const logoBytesMax = 204_800
/** Base64 takes four characters for three bytes. */
const logoTextMax = Math.ceil(logoBytesMax / 3) * 4 + 100

export const sellerFields = {
  address: text('Address'),
  address_2: text('Address 2'),
  city: text('City'),
  state: text('State'),
  zip: text('Zip'),
  vat_number: text('Vat number'),
  invoice_page_size: oneOf('Invoice page size', pageSizes),
  logo: text('Logo', { max: logoTextMax }),
}

type Sent = { [Field in keyof typeof sellerFields]?: string | null | undefined }

/** What is absent stays as it is, what is blank is cleared. */
export function readSellerChange(sent: Sent, problems: Problems): SellerChange {
  const logo = sent.logo?.trim() ? problems.gather(() => readLogo(sent.logo!.trim(), problems)) : null
  return {
    ...present({
      address: sent.address,
      address2: sent.address_2,
      city: sent.city,
      state: sent.state,
      zip: sent.zip,
      vatNumber: sent.vat_number,
    }),
    ...(sent.invoice_page_size && { invoicePageSize: sent.invoice_page_size as SellerChange['invoicePageSize'] }),
    ...(sent.logo !== undefined && { logo: logo ?? null }),
  } as SellerChange
}

const present = (fields: { readonly [name: string]: string | null | undefined }): object =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, value?.trim() || null]),
  )

const dataUrl = /^data:(image\/png|image\/jpeg|image\/svg\+xml);base64,([A-Za-z0-9+/]+={0,2})$/

const beginnings: Readonly<Record<Logo['mediaType'], (data: Buffer) => boolean>> = {
  'image/png': (data) => data.subarray(0, 8).toString('latin1') === '\x89PNG\r\n\x1a\n',
  'image/jpeg': (data) => data[0] === 0xff && data[1] === 0xd8 && data[2] === 0xff,
  'image/svg+xml': (data) => /<svg[\s>]/.test(data.toString('utf8')),
}

/** A drawing that stands alone: no scripts, and nothing that is fetched from elsewhere. */
const reachesOut =
  /<!DOCTYPE|<!ENTITY|<\?xml-stylesheet|<(\w+:)?(script|foreignObject|image|iframe)\b|\bon\w+\s*=|href\s*=\s*["']?\s*(?!["']?#)|url\(\s*["']?(?!["']?#)|@import/i

function readLogo(text: string, problems: Problems): Logo | undefined {
  const [, type, base64 = ''] = dataUrl.exec(text) ?? []
  if (type === undefined) {
    problems.add('Logo: must be a data URL of an image/png, image/jpeg or image/svg+xml, in base64.')
    return undefined
  }
  const mediaType = type as Logo['mediaType']
  const data = Buffer.from(base64, 'base64')
  const isSvg = mediaType === 'image/svg+xml'
  if (data.length > logoBytesMax) problems.add('Logo: is too large (maximum is 200 kB).')
  else if (!beginnings[mediaType](data)) problems.add(`Logo: is not an ${mediaType}.`)
  else if (isSvg && reachesOut.test(data.toString('utf8'))) {
    problems.add('Logo: must not contain scripts, images or references to anything outside of it.')
  } else return { mediaType, data }
  return undefined
}
