/** What stands at the head of a site's statements: its address, its VAT id, its logo, all as they are now. Invoices keep a copy of their own. */
import { assert } from '../billing/assert.ts'
import type { InvoiceSeller, Logo, SellerDetails } from '../billing/invoice.ts'
import type { Connection, Transaction } from './database.ts'
import { sql } from './sql.ts'
import { Table } from './table.ts'

type SellerRow = SellerDetails & { siteId: number }
const sellers = new Table<SellerRow>('sellers', {
  address: 'text',
  address2: 'text',
  city: 'text',
  state: 'text',
  zip: 'text',
  vatNumber: 'text',
  logoDigest: 'text',
  invoicePageSize: 'text',
})

export type Letterhead = { seller: InvoiceSeller; logo: Logo | null }

export async function getLetterhead(connection: Connection, siteId: number): Promise<Letterhead> {
  const [row] = await connection.arrays(sql`
    select s.name, s.country, e.address, e.address_2, e.city, e.state, e.zip, e.vat_number, e.logo_digest,
      coalesce(e.invoice_page_size, 'A4'), l.media_type, encode(l.data, 'base64')
    from sites s
    left join sellers e on e.site_id = s.id
    left join site_logos l on l.site_id = s.id and l.digest = e.logo_digest
    where s.id = ${siteId}`)
  assert(row !== undefined, 'documents are made for a site that exists')
  const [name, country, address, address2, city, state, zip, vatNumber, logoDigest, pageSize, mediaType, data] = row
  const seller = {
    name,
    country,
    address,
    address2,
    city,
    state,
    zip,
    vatNumber,
    logoDigest,
    pageSize,
  } as InvoiceSeller
  const logo =
    mediaType === null
      ? null
      : { mediaType: mediaType as Logo['mediaType'], data: Buffer.from(data as string, 'base64') }
  return { seller, logo }
}

/** The site is locked. */
export async function saveSeller(tx: Transaction, siteId: number, details: SellerDetails): Promise<void> {
  await tx.run(sql`delete from sellers where site_id = ${siteId}`)
  await sellers.insert(tx, siteId, [details])
}

/** Kept under its digest for good: invoices show the logo that they were made with. */
export const saveLogo = (tx: Transaction, siteId: number, digest: string, { mediaType, data }: Logo) =>
  tx.run(sql`
    insert into site_logos (site_id, digest, media_type, data)
    values (${siteId}, ${digest}, ${mediaType}, decode(${Buffer.from(data).toString('base64')}, 'base64'))
    on conflict do nothing`)
