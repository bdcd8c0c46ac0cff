/** Site events: what happened, for merchants who ask; of the whole site or of one subscription. */
import { ownEventKeys } from '../billing/event.ts'
import { type EventFilter, findEventCount, listEvents } from '../store/events.ts'
import { eventShape, presentEvent } from '../views/event.ts'
import { list, resource } from '../wire/answer.ts'
import { InputErrors } from '../wire/input.ts'
import { readDirection, readIdWindow, readPage } from '../wire/paging.ts'
import type { Query, Route } from '../wire/request.ts'
import { type Context, type Handler, type SiteRequest, subscriptionFrom } from './handler.ts'
import { readDaysOrMoments, readWord } from './list-input.ts'
import { Problems } from './problems.ts'

const keysMax = 100

/** Keys that are no longer supported, or that nothing here causes, are accepted and match nothing. */
function readKeys(query: Query): string[] | null {
  const sent = query.filter
  if (sent === undefined) return null
  const keys = (typeof sent === 'string' ? [sent] : sent)
    .flatMap((text) => text.split(','))
    .map((key) => key.trim())
    .filter((key) => key !== '')
  if (keys.length > keysMax || keys.some((key) => !/^[a-z][a-z0-9_]{0,63}$/.test(key))) {
    throw new InputErrors(['Filter: must be event keys, separated by commas.'])
  }
  return keys.length === 0 ? null : [...new Set(keys)]
}

/** Throws `InputErrors` with every problem at once. */
function readFilter({ query, context }: SiteRequest, subscriptionId: number | null): EventFilter {
  const { timeZone } = context.site
  const problems = new Problems()
  const ids = problems.gather(() => readIdWindow(query)) ?? { sinceId: null, maxId: null }
  const keys = problems.gather(() => readKeys(query)) ?? null
  problems.gather(() => readWord(query, 'date_field', ['created_at'], 'created_at'))
  const window = problems.gather(() => readDaysOrMoments(query, timeZone)) ?? { since: null, until: null }
  problems.tell()
  return {
    subscriptionId,
    ...ids,
    keys,
    ...(keys === null && { exceptKeys: ownEventKeys }),
    ...window,
  }
}

/** Null is the whole site; 404 when the site has no such subscription. */
type Of = (request: SiteRequest) => Promise<number | null>

const ofSite: Of = async () => null
const ofSubscription: Of = subscriptionFrom

const listed =
  (of: Of): Handler =>
  async (request) => {
    const { app, site } = request.context
    const filter = readFilter(request, await of(request))
    const { perPage, offset } = readPage(request.query)
    const direction = readDirection(request.query, 'desc')
    const found = await listEvents(app.db, site.id, filter, { perPage, offset, direction })
    return list(
      'events',
      'event',
      found.map((event) => presentEvent(event, site.timeZone)),
      eventShape,
    )
  }

const counted: Handler = async (request) => {
  const { app, site } = request.context
  return resource(200, 'count', await findEventCount(app.db, site.id, readFilter(request, null)), 'integer')
}

export const eventRoutes: readonly Route<Context>[] = [
  { method: 'GET', path: '/events', handler: listed(ofSite) },
  { method: 'GET', path: '/events/count', handler: counted },
  { method: 'GET', path: '/subscriptions/:subscription_id/events', handler: listed(ofSubscription) },
]
