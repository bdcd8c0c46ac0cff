/** The clock of a test site: what it shows, and moving it forward. */
import { nowOf } from '../actions/app.ts'
import { moveClock } from '../actions/move-clock.ts'
import { assert } from '../billing/assert.ts'
import { isBefore } from '../billing/calendar.ts'
import type { Connection } from '../store/database.ts'
import { findSite, type SiteRow } from '../store/sites.ts'
import { presentTestClock, testClockShape } from '../views/site.ts'
import { type Answer, resource } from '../wire/answer.ts'
import { InputErrors, object, readInput, text, wrapped } from '../wire/input.ts'
import type { Route } from '../wire/request.ts'
import { readMoment } from './date-input.ts'
import { acts, type Context, type Handler, type SiteRequest } from './handler.ts'

/** Whatever is counted from a clock's time can still be written: an interval has 3,650 months at most. */
const clockEnd = Temporal.Instant.from('9000-01-01T00:00:00Z')

export const testClockInput = object({ now: text('Now', { required: true, max: 64 }) })

function readTarget({ context: { site }, body }: SiteRequest): Temporal.Instant {
  const { now } = readInput(testClockInput, wrapped(body, 'test_clock'))
  const target = readMoment(now, 'Now', site.timeZone)
  if (!isBefore(target, clockEnd)) throw new InputErrors(['Now: must be before the year 9000.'])
  return target
}

const present = ({ context: { app } }: SiteRequest, site: SiteRow, status: number): Answer =>
  resource(status, 'test_clock', presentTestClock(site.clock, nowOf(app, site)), testClockShape)

/** Read anew: what is remembered of a site from request to request may be a moment old. */
const show: Handler = async (request) => present(request, await siteOf(request, request.context.app.db), 200)

async function siteOf({ context: { site } }: SiteRequest, connection: Connection): Promise<SiteRow> {
  const found = await findSite(connection, site.id)
  assert(found !== undefined, 'a request is bound to a site that exists')
  return found
}

/** 200 when everything on the way is done, 202 while the clock is still moving. */
const move: Handler = (request) =>
  acts(
    (app) => moveClock(app, request.context.site.id, readTarget(request)),
    async (connection) => {
      const site = await siteOf(request, connection)
      return present(request, site, site.clock.advancingTo === null ? 200 : 202)
    },
  )(request)

export const testClockRoutes: readonly Route<Context>[] = [
  { method: 'GET', path: '/test_clock', handler: show },
  { method: 'PUT', path: '/test_clock', handler: move },
]
