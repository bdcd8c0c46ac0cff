/** The subcodes of a coupon: list, add, replace, remove. */
import { removeCouponCode, type SortedCodes, setCouponCodes } from '../actions/set-coupon-codes.ts'
import { listSubcodes } from '../store/coupon-codes.ts'
import { type Answer, bare, empty } from '../wire/answer.ts'
import { listOf, object, readInput, text } from '../wire/input.ts'
import { readPage } from '../wire/paging.ts'
import type { Route } from '../wire/request.ts'
import type { Fields } from '../wire/shape.ts'
import { couponOf } from './coupons.ts'
import { type Act, acts, type Context, type Handler } from './handler.ts'

const codesMax = 20_000

/** A code that is too long is sorted out as invalid, like any other that is not one. */
export const couponCodesInput = object({ codes: listOf('Codes', text('Code', { max: 65_535 }), { max: codesMax }) })

const codes = { list: 'string', item: 'code' } as const
export const sortedShape: Fields = { fields: { created_codes: codes, duplicate_codes: codes, invalid_codes: codes } }

const present = ({ created, duplicate, invalid }: SortedCodes): Answer =>
  bare(200, 'coupon_codes', { created_codes: created, duplicate_codes: duplicate, invalid_codes: invalid }, sortedShape)

const listPage: Handler = async (request) => {
  const { app, site } = request.context
  const { coupon } = await couponOf(request)
  const found = await listSubcodes(app.db, site.id, coupon.id, readPage(request.query))
  return { status: 200, content: { kind: 'tree', root: 'codes', json: { codes: found }, xml: found, shape: codes } }
}

/** What became of each code is known to the act alone, so each request has its own place to tell it. */
const set =
  ({ replaces }: { replaces: boolean }): Handler =>
  (request) => {
    let sorted: SortedCodes = { created: [], duplicate: [], invalid: [] }
    const act: Act = async (app) => {
      const { coupon } = await couponOf(request)
      const sent = readInput(couponCodesInput, request.body).codes ?? []
      const command = { codes: sent.map((code) => code ?? ''), replaces }
      return setCouponCodes(app, coupon.siteId, coupon.id, command, (told) => {
        sorted = told
      })
    }
    return acts(act, async () => present(sorted))(request)
  }

const remove: Act = async (app, request) => {
  const { coupon } = await couponOf(request)
  return removeCouponCode(app, coupon.siteId, coupon.id, request.params.code ?? '')
}

const both = (method: Route['method'], path: string, handler: Handler): Route<Context>[] => [
  { method, path: `/coupons/:coupon_id${path}`, handler },
  { method, path: `/product_families/:product_family_id/coupons/:coupon_id${path}`, handler },
]

export const couponCodeRoutes: readonly Route<Context>[] = [
  ...both('GET', '/codes', listPage),
  ...both('POST', '/codes', set({ replaces: false })),
  ...both('PUT', '/codes', set({ replaces: true })),
  ...both(
    'DELETE',
    '/codes/:code',
    acts(remove, async () => empty(200)),
  ),
]
