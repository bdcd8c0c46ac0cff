/** The site itself: its settings, and emptying it. */
import { clearSite } from '../actions/clear-site.ts'
import { type SiteChange, updateSite } from '../actions/update-site.ts'
import { isTimeZone } from '../billing/calendar.ts'
import { cleanupScopes, currencies, downgradeSchemes, dunningFinalActions, upgradeSchemes } from '../billing/site.ts'
import { getLetterhead } from '../store/letterheads.ts'
import { findSite } from '../store/sites.ts'
import { presentSite, siteShape } from '../views/site.ts'
import { empty, missing, resource } from '../wire/answer.ts'
import {
  boolean,
  InputErrors,
  integer,
  isTree,
  object,
  oneOf,
  onlySent,
  readInput,
  text,
  wrappedChange,
} from '../wire/input.ts'
import type { Route } from '../wire/request.ts'
import { type Act, acts, type Context, type Handler, type Show, textFrom } from './handler.ts'
import { Problems } from './problems.ts'
import { readSellerChange, sellerFields } from './seller-input.ts'
import { countryCode } from './tax-input.ts'

/** Those have a value always, so they cannot be cleared. */
const required = true

export const siteInput = object({
  name: text('Name', { required }),
  time_zone: text('Time zone', { required }),
  currency: oneOf('Currency', currencies, { required }),
  country: countryCode('Country'),
  ...sellerFields,
  dunning_attempts: integer('Dunning attempts', { required, min: 1, max: 100 }),
  dunning_interval_in_hours: integer('Dunning interval', { required, min: 1, max: 720 }),
  dunning_final_action: oneOf('Dunning final action', dunningFinalActions, { required }),
  upcoming_renewal_notice_days: integer('Upcoming renewal notice days', { required, min: 0, max: 30 }),
  trial_end_notice_days: integer('Trial end notice days', { required, min: 0, max: 30 }),
  expiring_card_notices: boolean('Expiring card notices', { required }),
  component_upgrade_scheme: oneOf('Component upgrade scheme', upgradeSchemes, { required }),
  component_downgrade_scheme: oneOf('Component downgrade scheme', downgradeSchemes, { required }),
  relationship_invoicing_enabled: boolean('Relationship invoicing enabled', { required }),
}).partial()

/** Throws `InputErrors` with every problem at once. */
function readSiteChange(body: unknown): SiteChange {
  const tree = wrappedChange(body, 'site', 'Site')
  const problems = new Problems()
  const fields = problems.gather(() => readInput(siteInput, tree)) ?? {}
  const timeZone = fields.time_zone ?? tree.time_zone
  if (typeof timeZone === 'string' && timeZone.trim() !== '' && !isTimeZone(timeZone)) {
    problems.add("Time zone: must be the name of a time zone, such as 'America/New_York'.")
  }
  const seller = readSellerChange(fields, problems)
  problems.tell()
  return {
    seller,
    ...onlySent({
      name: fields.name,
      timeZone: fields.time_zone,
      currency: fields.currency,
      country: fields.country === undefined ? undefined : fields.country?.trim().toUpperCase() || null,
      componentUpgradeScheme: fields.component_upgrade_scheme,
      componentDowngradeScheme: fields.component_downgrade_scheme,
      relationshipInvoicingEnabled: fields.relationship_invoicing_enabled,
    }),
    dunning: onlySent({
      attempts: fields.dunning_attempts,
      intervalHours: fields.dunning_interval_in_hours,
      finalAction: fields.dunning_final_action,
    }),
    notices: onlySent({
      renewalDays: fields.upcoming_renewal_notice_days,
      trialDays: fields.trial_end_notice_days,
      expiringCards: fields.expiring_card_notices,
    }),
  }
}

const show: Show = async (connection, { id }, _, { seals }) => {
  const site = await findSite(connection, id)
  if (site === undefined) return undefined
  const shown = presentSite(site, await getLetterhead(connection, id), seals.open(site.sealedSharedKey))
  return resource(200, 'site', shown, siteShape)
}

/** Read anew: what is remembered of a site from request to request may be a moment old. */
const read: Handler = async ({ context: { app, site } }) => (await show(app.db, site, site.id, app)) ?? missing()

const update: Act = (app, { context: { site }, body }) => updateSite(app, site.id, readSiteChange(body))

export const cleanupInput = object({ cleanup_scope: oneOf('Cleanup scope', cleanupScopes) })

/** A scope in the body counts as one in the query does. Who names none means everything; who leaves the name blank has lost a word. */
const clear: Act = (app, { context: { site }, query, blankNames, body }) => {
  const asked = textFrom(query, 'cleanup_scope') ?? (isTree(body) ? body.cleanup_scope : undefined)
  const { cleanup_scope: scope } = readInput(cleanupInput, { cleanup_scope: asked })
  const isBlankScope = scope === null || (asked === undefined && blankNames.includes('cleanup_scope'))
  if (isBlankScope) throw new InputErrors([`Cleanup scope: must be one of ${cleanupScopes.join(', ')}.`])
  return clearSite(app, site.id, scope ?? 'all')
}

export const siteRoutes: readonly Route<Context>[] = [
  { method: 'GET', path: '/site', handler: read },
  { method: 'PUT', path: '/site', handler: acts(update, show) },
  { method: 'POST', path: '/sites/clear_data', handler: acts(clear, async () => empty(200)) },
]
