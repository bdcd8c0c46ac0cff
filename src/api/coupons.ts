/** Coupons: create, list, read, find, validate, change, archive, and what they did; alone or under their product family. */

import { nowOf } from '../actions/app.ts'
import { archiveCoupon } from '../actions/archive-coupon.ts'
import { createCoupon } from '../actions/create-coupon.ts'
import { hasUsesLeft } from '../actions/redeem-coupon.ts'
import { updateCoupon } from '../actions/update-coupon.ts'
import { asCouponCode, type CouponByCode, whyNotNow } from '../billing/coupon.ts'
import { invalid, notFound } from '../billing/refusal.ts'
import { findProductFamily, listProductFamilies } from '../store/catalog.ts'
import { listCouponUsage } from '../store/coupon-usage.ts'
import { type CouponInFamily, findCoupon, findCouponByCode, listCoupons } from '../store/coupons.ts'
import type { SiteRow } from '../store/sites.ts'
import { couponShape, couponUseShape, presentCoupon, presentCouponUse } from '../views/coupon.ts'
import { type Answer, bare, empty, list, resource } from '../wire/answer.ts'
import { InputErrors, idNumber, object, readInput, wrapped, wrappedChange } from '../wire/input.ts'
import { readPage } from '../wire/paging.ts'
import type { Route } from '../wire/request.ts'
import { readCouponChange, readNewCoupon } from './coupon-input.ts'
import { withRestrictions } from './coupon-restriction-input.ts'
import { type Act, acts, type Context, type Handler, idFrom, type Show, type SiteRequest, textFrom } from './handler.ts'
import { readNarrowing, readTexts } from './list-input.ts'
import { familyOf } from './product-families.ts'
import { includesArchived } from './products.ts'

const present = (found: CouponInFamily, site: SiteRow, status = 200): Answer =>
  resource(
    status,
    'coupon',
    presentCoupon(found, site.timeZone),
    couponShape,
    status === 201 ? { Location: `/coupons/${found.coupon.id}` } : undefined,
  )

const showCoupon =
  (status: number): Show =>
  async (connection, site, id) => {
    const found = await findCoupon(connection, site.id, id)
    return found && present(found, site, status)
  }

/** The family in the path; null where the path names none. A family that does not exist is a 404. */
async function familyIdOf(request: SiteRequest): Promise<number | null> {
  if (request.params.product_family_id === undefined) return null
  const family = await familyOf(request)
  if (family === undefined) throw notFound()
  return family.id
}

/** The coupon in the path, within its family where the path names that. */
export async function couponOf(request: SiteRequest): Promise<CouponInFamily> {
  const { app, site } = request.context
  const id = idFrom(request, 'coupon_id')
  const found = await findCoupon(app.db, site.id, id, await familyIdOf(request))
  if (found === undefined) throw notFound()
  return found
}

const read: Handler = async (request) => present(await couponOf(request), request.context.site)

const listPage: Handler = async (request) => {
  const { app, site } = request.context
  const { query } = request
  const part = { ...readPage(query), familyId: await familyIdOf(request), includeArchived: includesArchived(query) }
  const codes = readTexts(query, 'filter[codes]')?.map(asCouponCode) ?? null
  const narrowing = { ...readNarrowing(query, site.timeZone, 'filter'), codes }
  const found = await listCoupons(app.db, site.id, part, narrowing)
  const presented = found.map((one) => presentCoupon(one, site.timeZone))
  return list('coupons', 'coupon', presented, couponShape)
}

export const couponFamilyInput = object({ product_family_id: idNumber('Product family') })

const create: Act = async (app, request) => {
  const { site } = request.context
  const tree = withRestrictions(wrapped(request.body, 'coupon'), request.body)
  const familyId = (await familyIdOf(request)) ?? (await chosenFamily(request, tree.product_family_id))
  if (familyId === undefined) throw invalid('Product family: must be one of the site.')
  return createCoupon(app, site.id, familyId, readNewCoupon(tree, site))
}

/** The family whose id was sent, or the first one of the site. */
async function chosenFamily({ context: { app, site } }: SiteRequest, sent: unknown): Promise<number | undefined> {
  const { product_family_id: id } = readInput(couponFamilyInput, { product_family_id: sent })
  if (id) return (await findProductFamily(app.db, site.id, { id }))?.id
  const [first] = await listProductFamilies(app.db, site.id, { perPage: 1, offset: 0 })
  return first?.id
}

const update: Act = async (app, request) => {
  const { coupon } = await couponOf(request)
  const { site } = request.context
  const sent = withRestrictions(wrappedChange(request.body, 'coupon', 'Coupon'), request.body)
  return updateCoupon(app, site.id, coupon.id, readCouponChange(sent, site))
}

const archive: Act = async (app, request) => {
  const { coupon } = await couponOf(request)
  return archiveCoupon(app, request.context.site.id, coupon.id)
}

/** By its own code or a subcode, in the family of the path or the query, else in the first one. */
async function byCode(request: SiteRequest): Promise<CouponByCode | undefined> {
  const { app, site } = request.context
  const { query } = request
  const code = textFrom(query, 'code') ?? textFrom(query, 'coupon_code')
  const sent = textFrom(query, 'product_family_id')
  const familyId = (await familyIdOf(request)) ?? (await chosenFamily(request, sent).catch(nowhere))
  if (code === undefined || familyId === undefined) return undefined
  return findCouponByCode(app.db, site.id, asCouponCode(code), familyId)
}

/** What is no id names no family. */
function nowhere(error: unknown): undefined {
  if (!(error instanceof InputErrors)) throw error
}

const find: Handler = async (request) => {
  const { app, site } = request.context
  const asked = await byCode(request)
  const found = asked && (await findCoupon(app.db, site.id, asked.coupon.id))
  return found === undefined ? empty(404) : present(found, site)
}

const reasons = {
  archived: 'That coupon is no longer active.',
  not_started: 'Coupon is invalid',
  expired: 'Coupon expired',
} as const

const validate: Handler = async (request) => {
  const { app, site } = request.context
  const asked = await byCode(request)
  if (asked === undefined) return unusable('Coupon code could not be found.')
  const reason = whyNotNow(asked.coupon, nowOf(app, site))
  if (reason !== null) return unusable(reasons[reason])
  if (!(await hasUsesLeft(app.db, site.id, asked))) return unusable('Coupon is invalid')
  return find(request)
}

/** One sentence, in JSON not in a list. */
const unusable = (sentence: string): Answer => {
  const xml = [sentence]
  const shape = { list: 'string', item: 'error', isUntyped: true } as const
  return { status: 404, content: { kind: 'tree', root: 'errors', json: { errors: sentence }, xml, shape } }
}

const usage: Handler = async (request) => {
  const { app, site } = request.context
  const { coupon } = await couponOf(request)
  const used = (await listCouponUsage(app.db, site.id, coupon)).map(presentCouponUse)
  return bare(200, 'products', used, { list: couponUseShape, item: 'product' })
}

/** Every path about coupons exists twice: under the coupon's family, and on its own. */
const both = (method: Route['method'], path: string, handler: Handler): Route<Context>[] => [
  { method, path: `/coupons${path}`, handler },
  { method, path: `/product_families/:product_family_id/coupons${path}`, handler },
]

export const couponRoutes: readonly Route<Context>[] = [
  ...both('GET', '', listPage),
  ...both('POST', '', acts(create, showCoupon(201))),
  ...both('GET', '/find', find),
  ...both('GET', '/validate', validate),
  ...both('GET', '/:coupon_id', read),
  ...both('PUT', '/:coupon_id', acts(update, showCoupon(200))),
  ...both('DELETE', '/:coupon_id', acts(archive, showCoupon(200))),
  ...both('GET', '/:coupon_id/usage', usage),
]
