/** What an action may use, and the one way in which it writes. */

import { assert } from '../billing/assert.ts'
import type { Site } from '../billing/site.ts'
import { siteNow } from '../billing/site-clock.ts'
import type { Courier } from '../delivery/courier.ts'
import type { Gateway, Gateways } from '../gateway/gateway.ts'
import { observed } from '../gateway/observed.ts'
import { forTestSites } from '../gateway/test-sites-only.ts'
import { timeLimits, withTimeLimits } from '../gateway/time-limits.ts'
import type { Clock } from '../host/clock.ts'
import type { FailPoint } from '../host/fail-points.ts'
import type { Log } from '../host/log.ts'
import type { Metrics } from '../host/metrics.ts'
import type { Hashes, Seals } from '../host/seals.ts'
import type { Timers } from '../host/timers.ts'
import type { PdfRenderer } from '../pdf/renderer.ts'
import type { Connection, Database, Transaction } from '../store/database.ts'
import { findSite, type SiteRow } from '../store/sites.ts'
import { isLiveSite } from './live-sites.ts'

export type App = {
  db: Database
  gateways: Gateways
  /** The wall clock; a site's own time is `nowOf`. */
  clock: Clock
  log: Log
  /** Counts what this process does. */
  metrics: Metrics
  /** Seals and opens the secrets that the database keeps. */
  seals: Seals
  /** Makes pages in a process of its own. */
  pdf: PdfRenderer
  /** Carries webhooks to their receivers. */
  courier: Courier
  /** How time passes for this process, whatever any clock says. */
  timers: Timers
  /** This process among those that share the database. */
  asker: number
  /** Whether this process still holds the session that says so to the others. One that lost it begins nothing under the old number. */
  isAlive: (asker: number) => boolean
  /** Where customers reach the service, without a slash at the end, where the operator has said so. */
  publicUrl?: string
  /** Where crash tests stop the process; does nothing in service. */
  reach: (point: FailPoint) => void
  /** Name the request that is carried out, where it came with a key: what it asks gateways for is kept with the first of them. */
  requestHashes?: Hashes
  /** Told when a gateway is about to be asked for that request, or was: what it is refused from then on is its answer. */
  began?: () => void
  /** Runs in the transaction of an act, just before it commits, with the id of what the act made. */
  beforeCommit?: (tx: Transaction, id: number) => Promise<void>
}

/** The transaction that makes an act real: whatever must stand or fall with it is written before it commits. */
export const write = (app: App, work: (tx: Transaction) => Promise<number>): Promise<number> =>
  app.db.transaction(async (tx) => {
    const id = await work(tx)
    await app.beforeCommit?.(tx, id)
    return id
  })

export const nowOf = (app: App, site: SiteRow): Temporal.Instant => siteNow(site.clock, app.clock.now())

/** The site as it is on record now, and the time by its clock. */
export async function siteAndNow(
  app: App,
  connection: Connection,
  siteId: number,
): Promise<{ site: Site; now: Temporal.Instant; row: SiteRow }> {
  const row = await findSite(connection, siteId)
  assert(row !== undefined, 'a request is bound to a site that exists')
  return { site: row, now: nowOf(app, row), row }
}

/** The gateway behind a vault, which answers in time or not at all; undefined when this installation has none of that name. */
export function gatewayOf({ db, gateways, metrics, timers, began }: App, vault: string): Gateway | undefined {
  began?.()
  const gateway = gateways.get(vault)
  if (gateway === undefined) return undefined
  const limited = withTimeLimits(gateway, timeLimits, timers)
  const allowed = gateway.isForTests ? forTestSites(limited, (siteId) => isLiveSite(db, siteId)) : limited
  return observed(allowed, metrics.gatewayAsked)
}
