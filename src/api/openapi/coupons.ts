/** What is said of coupons, their codes, the coupon of a subscription, and taxes. */
import { couponShape, couponUseShape } from '../../views/coupon.ts'
import { subscriptionShape } from '../../views/subscription.ts'
import { taxShape } from '../../views/tax.ts'
import type { JsonSchema } from '../../wire/input-schema.ts'
import { couponCodesInput, sortedShape } from '../coupon-codes.ts'
import { couponChangeInput, couponDatesInput, couponInput, discountInput } from '../coupon-input.ts'
import { couponRestrictionsInput } from '../coupon-restriction-input.ts'
import { couponFamilyInput } from '../coupons.ts'
import { addCouponInput } from '../subscription-coupons.ts'
import { taxChangeInput, taxInput } from '../tax-input.ts'
import {
  about,
  bareList,
  bareValue,
  type Description,
  type Descriptions,
  many,
  nothing,
  one,
  type Reply,
  sent,
  sentence,
} from './description.ts'
import { schemaOf } from './named-shapes.ts'
import { asked, couponFilter, flag, id, needed, paged } from './parameters.ts'
import { named } from './shape-schema.ts'

const shown = one('coupon', couponShape)
const codes = { type: 'array', items: { type: 'string' } }
const sentCodes = sent(null, couponCodesInput)
const code = [
  needed('code', 'The code, or one of the subcodes.'),
  id('product_family_id', 'Where the coupon belongs; the first family of the site when it is not said.'),
]
const sorted = bareValue('coupon_codes', schemaOf(sortedShape))

/** By what follows `/coupons` in the path. */
const coupons: { readonly [route: string]: Omit<Description, 'tag'> } = {
  'GET ': {
    id: 'listCoupons',
    summary: 'Lists coupons.',
    query: [...paged(), flag('include_archived', 'Shows archived ones too.'), couponFilter],
    answers: many('coupons', 'coupon', couponShape),
  },
  'POST ': {
    id: 'createCoupon',
    summary: 'Creates a coupon: an amount or a percentage that is taken off.',
    input: sent('coupon', [couponInput, discountInput, couponDatesInput, couponRestrictionsInput, couponFamilyInput]),
    answers: one('coupon', couponShape, 201),
  },
  'GET /find': {
    id: 'findCoupon',
    summary: 'Finds a coupon by its code.',
    query: code,
    refuses: [404],
    answers: shown,
  },
  'GET /validate': {
    id: 'validateCoupon',
    summary: 'Tells whether a code can be used now; a 404 says why not.',
    query: code,
    refuses: [404],
    answers: shown,
  },
  'GET /:coupon_id': { id: 'readCoupon', summary: 'Shows one coupon.', answers: shown },
  'PUT /:coupon_id': {
    id: 'updateCoupon',
    summary: 'Changes a coupon.',
    input: sent('coupon', [couponChangeInput, discountInput, couponDatesInput, couponRestrictionsInput]),
    answers: shown,
  },
  'DELETE /:coupon_id': {
    id: 'archiveCoupon',
    summary: 'Archives a coupon: nobody new can use it.',
    answers: shown,
  },
  'GET /:coupon_id/usage': {
    id: 'readCouponUsage',
    summary: 'Tells for each product how often a coupon was used, and what it took off.',
    answers: bareList('products', 'product', couponUseShape),
  },
  'GET /:coupon_id/codes': {
    id: 'listCouponCodes',
    summary: 'Lists the subcodes of a coupon.',
    query: paged(),
    answers: [
      {
        status: 200,
        json: { type: 'object', properties: { codes }, required: ['codes'] },
        xml: { type: 'array', items: { type: 'string', xml: { name: 'code' } }, xml: { name: 'codes', wrapped: true } },
      },
    ],
  },
  'POST /:coupon_id/codes': {
    id: 'addCouponCodes',
    summary: 'Adds subcodes to a coupon, and tells which were taken already or are no codes.',
    input: sentCodes,
    answers: sorted,
  },
  'PUT /:coupon_id/codes': {
    id: 'replaceCouponCodes',
    summary: 'Replaces the subcodes of a coupon.',
    input: sentCodes,
    answers: sorted,
  },
  'DELETE /:coupon_id/codes/:code': {
    id: 'removeCouponCode',
    summary: 'Removes one subcode.',
    answers: nothing(200),
  },
}

/** Every path about coupons exists twice: under the coupon's family, and on its own. */
const under = (prefix: string, suffix: string): Descriptions =>
  about(
    'Coupons',
    Object.fromEntries(
      Object.entries(coupons).map(([route, description]) => [
        route.replace(' ', ` ${prefix}`),
        { ...description, id: description.id + suffix },
      ]),
    ),
  )

const noCouponLeft: JsonSchema = {
  type: 'object',
  properties: {
    subscription: { type: 'array', items: { type: 'string', xml: { name: 'error' } }, xml: { wrapped: true } },
  },
  required: ['subscription'],
}
/** That there is nothing to remove is told under the subscription's name. */
const noCoupon: Reply = {
  status: 422,
  description: 'There is no such coupon on the subscription, or the request was refused.',
  json: { anyOf: [noCouponLeft, { $ref: '#/components/schemas/Errors' }] },
  xml: named(noCouponLeft, 'errors'),
}

const sentences: JsonSchema = { type: 'array', items: { type: 'string' } }
/** In JSON what is wrong with codes is told under each of their names. */
const refusedCodes: Reply = {
  status: 422,
  description: 'A code cannot be used on this subscription, or the request was refused.',
  json: {
    type: 'object',
    properties: {
      errors: sentences,
      codes: sentences,
      coupon_code: sentences,
      coupon_codes: sentences,
      subscription: sentences,
    },
    required: ['errors', 'subscription'],
  },
  xml: { type: 'array', items: { type: 'string', xml: { name: 'error' } }, xml: { name: 'errors', wrapped: true } },
}

const ofSubscription = about('Coupons', {
  'POST /subscriptions/:subscription_id/add_coupon': {
    id: 'addCoupon',
    summary:
      'Puts coupons on a subscription: one `code` in place of all that are on, the `codes` of the body beside them.',
    query: [asked('code', 'The code, or one of the subcodes.')],
    input: { ...sent(null, addCouponInput), xmlRoot: 'codes' },
    answers: [...one('subscription', subscriptionShape), refusedCodes],
  },
  'DELETE /subscriptions/:subscription_id/remove_coupon': {
    id: 'removeCoupon',
    summary: 'Takes a coupon off a subscription.',
    query: [asked('coupon_code', 'The code; all that there are when it is not said.')],
    answers: [...sentence('Coupon removed.'), noCoupon],
  },
})

const taxes = about('Coupons', {
  'GET /taxes': {
    id: 'listTaxes',
    summary: 'Lists the taxes of the site.',
    query: paged(200),
    answers: many('taxes', 'tax', taxShape),
  },
  'POST /taxes': {
    id: 'createTax',
    summary: 'Creates a tax: a rate for a country or one of its states.',
    input: sent('tax', taxInput),
    answers: one('tax', taxShape, 201),
  },
  'GET /taxes/:tax_id': { id: 'readTax', summary: 'Shows one tax.', answers: one('tax', taxShape) },
  'PUT /taxes/:tax_id': {
    id: 'updateTax',
    summary: 'Changes a tax for what is billed from now on.',
    input: sent('tax', taxChangeInput),
    answers: one('tax', taxShape),
  },
  'DELETE /taxes/:tax_id': { id: 'deleteTax', summary: 'Deletes a tax.', answers: nothing(200) },
})

export const couponDescriptions: Descriptions = {
  ...under('/coupons', ''),
  ...under('/product_families/:product_family_id/coupons', 'InFamily'),
  ...ofSubscription,
  ...taxes,
}
