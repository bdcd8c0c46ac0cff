/** Usage of metered components: record it, list what was recorded. */
import { recordUsage } from '../actions/record-usage.ts'
import { startOfDay } from '../billing/calendar.ts'
import { findUsage, listUsages } from '../store/usages.ts'
import { presentUsage, usageShape } from '../views/usage.ts'
import { list, resource } from '../wire/answer.ts'
import { InputErrors } from '../wire/input.ts'
import { readIdWindow, readPage } from '../wire/paging.ts'
import type { Query, Route } from '../wire/request.ts'
import { readUsage } from './allocation-input.ts'
import { offeredOf } from './allocations.ts'
import { type Act, acts, type Context, type Handler, type Show, textFrom } from './handler.ts'

const create: Act = async (app, request) => {
  const { component, subscriptionId } = await offeredOf(request)
  return recordUsage(
    app,
    request.context.site.id,
    subscriptionId,
    { id: component.id },
    readUsage(request.body, component),
  )
}

const show: Show = async (connection, site, id) => {
  const record = await findUsage(connection, site.id, id)
  return record && resource(200, 'usage', presentUsage(record, site.timeZone), usageShape)
}

/** The first moment of a day in the site's zone: for both ends of the window, as the API has it. */
function readMidnight(query: Query, name: string, label: string, timeZone: string): Temporal.Instant | null {
  const sent = textFrom(query, name)
  if (sent === undefined) return null
  const midnight = startOfDay(sent, timeZone)
  if (midnight === undefined) throw new InputErrors([`${label}: must be a date (YYYY-MM-DD).`])
  return midnight
}

const listPage: Handler = async (request) => {
  const { query } = request
  const { app, site } = request.context
  const { component, subscriptionId } = await offeredOf(request)
  const records = await listUsages(
    app.db,
    site.id,
    { subscriptionId, componentId: component.id },
    {
      ...readPage(query),
      ...readIdWindow(query),
      since: readMidnight(query, 'since_date', 'Since date', site.timeZone),
      until: readMidnight(query, 'until_date', 'Until date', site.timeZone),
    },
  )
  return list(
    'usages',
    'usage',
    records.map((record) => presentUsage(record, site.timeZone)),
    usageShape,
  )
}

const path = '/subscriptions/:subscription_id/components/:component_id/usages'

export const usageRoutes: readonly Route<Context>[] = [
  { method: 'GET', path, handler: listPage },
  { method: 'POST', path, handler: acts(create, show) },
]
