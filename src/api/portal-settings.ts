/** What a site lets its customers do in the portal, and how the portal looks: read and change. */
import { updatePortalSettings } from '../actions/update-portal-settings.ts'
import { type PortalSettings, productChangeTimes } from '../billing/portal-settings.ts'
import { findPortalSettings } from '../store/portal-settings.ts'
import { portalSettingsShape, presentPortalSettings } from '../views/portal.ts'
import { resource } from '../wire/answer.ts'
import {
  blankAsNull,
  boolean,
  email,
  longTextMax,
  object,
  oneOf,
  onlySent,
  readInput,
  text,
  wrappedChange,
} from '../wire/input.ts'
import type { Route } from '../wire/request.ts'
import { type Act, acts, type Context, type Show, showsOwn } from './handler.ts'
import { Problems } from './problems.ts'

const required = true

export const portalSettingsInput = object({
  may_change_card: boolean('May change card', { required }),
  may_change_product: boolean('May change product', { required }),
  product_change: oneOf('Product change', productChangeTimes, { required }),
  may_cancel_at_once: boolean('May cancel at once', { required }),
  may_cancel_at_period_end: boolean('May cancel at period end', { required }),
  may_reactivate: boolean('May reactivate', { required }),
  may_pay: boolean('May pay', { required }),
  may_edit_address: boolean('May edit address', { required }),
  accent_color: text('Accent color', { required }),
  logo_text: text('Logo text', { max: 60 }),
  support_email: email('Support email'),
  terms: text('Terms', { max: longTextMax }),
  base_url: text('Base URL'),
}).partial()

const colorForm = /^#[0-9a-f]{6}$/i

/** What was sent and nothing else. Throws `InputErrors` with every problem at once. */
function readSettings(body: unknown): Partial<PortalSettings> {
  const tree = wrappedChange(body, 'portal_settings', 'Portal settings')
  const problems = new Problems()
  const fields = problems.gather(() => readInput(portalSettingsInput, tree)) ?? {}
  const { accent_color: color } = fields
  if (color !== undefined && !colorForm.test(color)) {
    problems.add('Accent color: must be # and six hexadecimal digits, such as #1f4fbf.')
  }
  const baseUrl = fields.base_url ? originOf(fields.base_url) : undefined
  if (fields.base_url && baseUrl === undefined) {
    problems.add('Base URL: must be https:// and a host name, such as https://billing.example.com.')
  }
  problems.tell()
  return onlySent({
    mayChangeCard: fields.may_change_card,
    mayChangeProduct: fields.may_change_product,
    productChange: fields.product_change,
    mayCancelAtOnce: fields.may_cancel_at_once,
    mayCancelAtPeriodEnd: fields.may_cancel_at_period_end,
    mayReactivate: fields.may_reactivate,
    mayPay: fields.may_pay,
    mayEditAddress: fields.may_edit_address,
    accentColor: color?.toLowerCase(),
    logoText: blankAsNull(fields.logo_text),
    supportEmail: blankAsNull(fields.support_email),
    terms: blankAsNull(fields.terms),
    baseUrl: baseUrl ?? blankAsNull(fields.base_url),
  })
}

/** Without path, query and credentials; undefined for anything that is more or less than that. */
function originOf(text: string): string | undefined {
  const url = URL.parse(text.trim())
  return url?.protocol === 'https:' && `${url.origin}/` === url.href ? url.origin : undefined
}

const show: Show = async (connection, site) =>
  resource(
    200,
    'portal_settings',
    presentPortalSettings(await findPortalSettings(connection, site.id)),
    portalSettingsShape,
  )

const update: Act = (app, { context: { site }, body }) => updatePortalSettings(app, site.id, readSettings(body))

export const portalSettingsRoutes: readonly Route<Context>[] = [
  { method: 'GET', path: '/portal/settings', handler: showsOwn(show) },
  { method: 'PUT', path: '/portal/settings', handler: acts(update, show) },
]
