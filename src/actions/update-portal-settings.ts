/** Changes what a site lets its customers do in the portal, and how the portal looks. */
import type { PortalSettings } from '../billing/portal-settings.ts'
import { findPortalSettings, savePortalSettings } from '../store/portal-settings.ts'
import { lockSite } from '../store/sites.ts'
import { type App, siteAndNow, write } from './app.ts'

/** What is not sent stays. */
export const updatePortalSettings = (app: App, siteId: number, change: Partial<PortalSettings>): Promise<number> =>
  write(app, async (tx) => {
    await lockSite(tx, siteId)
    const [{ now }, before] = await Promise.all([siteAndNow(app, tx, siteId), findPortalSettings(tx, siteId)])
    await savePortalSettings(tx, siteId, { ...before, ...change }, now)
    return siteId
  })
