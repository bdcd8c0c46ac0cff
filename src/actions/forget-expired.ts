/** Forgets what can no longer be asked for: idempotency keys, uniqueness tokens, sessions, counts, and keys of links that are over. */
import { keyKeptDays } from '../billing/management-link.ts'
import { deleteExpired } from '../store/idempotency.ts'
import { deleteLinkKeysBefore } from '../store/management-links.ts'
import { deleteExpiredPortalSessions } from '../store/portal-sessions.ts'
import { deleteRateCountsBefore } from '../store/rate-counts.ts'
import { listSites } from '../store/sites.ts'
import { keepHours, tokenMinutes } from './answer-once.ts'
import { type App, nowOf } from './app.ts'

export async function forgetExpired(app: App): Promise<void> {
  const now = app.clock.now()
  for (const site of await listSites(app.db)) {
    await deleteExpired(app.db, site.id, now.subtract({ hours: keepHours }), now.subtract({ minutes: tokenMinutes }))
    await deleteExpiredPortalSessions(app.db, site.id, now)
    await deleteRateCountsBefore(app.db, site.id, now.subtract({ hours: keepHours }))
    await deleteLinkKeysBefore(app.db, site.id, nowOf(app, site).subtract({ hours: 24 * keyKeptDays }))
  }
}
