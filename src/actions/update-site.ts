/** Changes a site's settings, and what stands at the head of its invoices. */
import { createHash } from 'node:crypto'
import type { Logo, SellerDetails } from '../billing/invoice.ts'
import { minorUnitOf } from '../billing/money.ts'
import { invalid, notFound } from '../billing/refusal.ts'
import type { Site } from '../billing/site.ts'
import type { Transaction } from '../store/database.ts'
import { getLetterhead, saveLogo, saveSeller } from '../store/letterheads.ts'
import { hasMovedMoney, hasPricesWithCents, lockSite, type SiteSettings, updateSiteSettings } from '../store/sites.ts'
import { type App, write } from './app.ts'

/** A logo of null takes the logo away. */
export type SellerChange = Partial<Omit<SellerDetails, 'logoDigest'>> & { logo?: Logo | null }

export type SiteChange = Partial<Omit<SiteSettings, 'dunning' | 'notices'>> & {
  dunning: Partial<Site['dunning']>
  notices: Partial<Site['notices']>
  seller: SellerChange
}

/** Refuses another currency once there are amounts on the site's ledger, whose meaning it would change, and one that has no cents while
 * prices have. */
export const updateSite = (app: App, siteId: number, change: SiteChange): Promise<number> =>
  write(app, async (tx) => {
    const site = await lockSite(tx, siteId)
    if (site === undefined) throw notFound()
    const { currency = site.currency } = change
    if (currency !== site.currency && (await hasMovedMoney(tx, siteId))) {
      throw invalid('Currency: cannot be changed once the site has transactions.')
    }
    if (currency !== site.currency && minorUnitOf(currency) > 1 && (await hasPricesWithCents(tx, siteId))) {
      throw invalid(`Currency: ${currency} has no cents, but prices of products or coupons have.`)
    }
    const dunning = { ...site.dunning, ...change.dunning }
    const notices = { ...site.notices, ...change.notices }
    await updateSiteSettings(tx, siteId, { ...site, ...change, dunning, notices })
    await changeSeller(tx, siteId, change.seller)
    return siteId
  })

async function changeSeller(tx: Transaction, siteId: number, { logo, ...fields }: SellerChange): Promise<void> {
  if (logo === undefined && Object.keys(fields).length === 0) return
  const { seller } = await getLetterhead(tx, siteId)
  const digest = logo && createHash('sha256').update(logo.mediaType).update(logo.data).digest('hex')
  if (logo && digest) await saveLogo(tx, siteId, digest, logo)
  await saveSeller(tx, siteId, {
    ...seller,
    invoicePageSize: seller.pageSize,
    ...fields,
    ...(digest !== undefined && { logoDigest: digest }),
  })
}
