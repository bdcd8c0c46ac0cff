/** Empties a test site of its customers, or of everything but its settings and keys. */

import { notFound, Refusal } from '../billing/refusal.ts'
import type { CleanupScope } from '../billing/site.ts'
import { wallClockOfSite } from '../billing/site-clock.ts'
import { bogusGatewayIn } from '../gateway/bogus.ts'
import { clearAttempts, clearSite as clearRows } from '../store/clear-site.ts'
import { violatedConstraint } from '../store/database.ts'
import { lockSite, updateSiteClock } from '../store/sites.ts'
import { type App, write } from './app.ts'

/** A site that is being written to may need a second look. */
const triesMax = 5

/** Refuses live sites. With the scope `all` the clock shows wall time again. */
export async function clearSite(app: App, siteId: number, scope: CleanupScope): Promise<number> {
  for (let tries = 1; ; tries++) {
    try {
      await clearOnce(app, siteId, scope)
      break
    } catch (error) {
      // Rows that were written meanwhile refer to rows that are to go.
      if (violatedConstraint(error) === undefined) throw error
      if (tries === triesMax) throw new Refusal('conflict', ['The site is being written to. Please try again.'])
    }
  }
  await bogusGatewayIn(app.gateways)?.clear(siteId)
  return siteId
}

const clearOnce = (app: App, siteId: number, scope: CleanupScope): Promise<number> =>
  write(app, async (tx) => {
    await clearAttempts(tx, siteId)
    const site = await lockSite(tx, siteId)
    if (site === undefined) throw notFound()
    if (site.live) throw new Refusal('forbidden', ['The data of a live site cannot be cleared.'])
    if (site.clock.advancingTo !== null) throw new Refusal('conflict', ['Test clock: the clock is being moved.'])
    await clearRows(tx, siteId, scope)
    if (scope === 'all') await updateSiteClock(tx, siteId, wallClockOfSite)
    return siteId
  })
