/** Changes a site's settings. */

import { invalid, notFound } from '../billing/refusal.ts'
import type { Site } from '../billing/site.ts'
import { hasMovedMoney, lockSite, type SiteSettings, updateSiteSettings } from '../store/sites.ts'
import { type App, write } from './app.ts'

export type SiteChange = Partial<Omit<SiteSettings, 'dunning'>> & { dunning: Partial<Site['dunning']> }

/** Refuses another currency once there are amounts on the site's ledger: they would change their meaning. */
export const updateSite = (app: App, siteId: number, change: SiteChange): Promise<number> =>
  write(app, async (tx) => {
    const site = await lockSite(tx, siteId)
    if (site === undefined) throw notFound()
    const { currency = site.currency } = change
    if (currency !== site.currency && (await hasMovedMoney(tx, siteId))) {
      throw invalid('Currency: cannot be changed once the site has transactions.')
    }
    await updateSiteSettings(tx, siteId, { ...site, ...change, dunning: { ...site.dunning, ...change.dunning } })
    return siteId
  })
