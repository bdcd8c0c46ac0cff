/** The coupons of a subscription: put on, taken off. */
import { addCoupon, addCoupons } from '../actions/add-coupon.ts'
import { noCoupon, removeCoupon } from '../actions/remove-coupon.ts'
import { assert } from '../billing/assert.ts'
import { asCouponCodes } from '../billing/coupon.ts'
import { Refusal } from '../billing/refusal.ts'
import { type Answer, bare, errors, plain } from '../wire/answer.ts'
import { InputErrors, object, readInput, text, wordsOf } from '../wire/input.ts'
import type { Route } from '../wire/request.ts'
import { type Act, acts, type Context, changes, type Handler, idFrom, textFrom } from './handler.ts'
import { showSubscription } from './subscriptions.ts'

export const addCouponInput = object({
  code: text('Code'),
  coupon_code: text('Coupon Code'),
  codes: wordsOf('Codes', { max: 100 }),
})

const noCode = 'A valid coupon code is required.'

/** One code, of the query or the body, takes the place of all that are on; a list of codes in the body comes beside them. */
const add: Act = (app, request) => {
  const { query, body, context } = request
  const id = idFrom(request, 'subscription_id')
  const asked = textFrom(query, 'code') ?? textFrom(query, 'coupon_code')
  if (asked?.trim()) return addCoupon(app, context.site.id, id, asked)
  const sent = readInput(addCouponInput, body)
  const codes = asCouponCodes(sent.codes ?? [])
  const [code, ...others] = asCouponCodes([sent.code, sent.coupon_code]).filter((one) => !codes.includes(one))
  if (code === undefined && codes.length === 0) throw new InputErrors([noCode])
  if (code === undefined) return addCoupons(app, context.site.id, id, codes)
  if (others.length > 0 || codes.length > 0) throw new InputErrors(['Codes: give one code, or a list, not both.'])
  return addCoupon(app, context.site.id, id, code)
}

const added = changes('subscription_id', add, showSubscription(200))

/** What is wrong with a code is told in JSON under every name by which clients know codes, and in one list as elsewhere. */
const addOrTell: Handler = async (request): Promise<Answer> => {
  try {
    return await added(request)
  } catch (error) {
    if (!(error instanceof InputErrors) && !(error instanceof Refusal && error.kind === 'invalid')) throw error
    const { messages } = error
    const ofCodes = messages.filter((message) => /^Co(de|upon)/.test(message))
    const codes = ofCodes.length > 0 && { codes: ofCodes, coupon_code: ofCodes, coupon_codes: ofCodes }
    const { status, content } = errors(422, messages)
    assert(content.kind === 'tree', 'errors are a tree')
    return { status, content: { ...content, json: { errors: messages, ...codes, subscription: messages } } }
  }
}

const remove: Act = (app, request) => {
  const code = textFrom(request.query, 'coupon_code') ?? textFrom(request.query, 'code')
  return removeCoupon(app, request.context.site.id, idFrom(request, 'subscription_id'), code?.trim() ? code : null)
}

const removed = acts(remove, async () => plain(200, 'Coupon removed.'))

/** That there is nothing to remove is told under the subscription's name. */
const removeOrTell: Handler = async (request): Promise<Answer> => {
  try {
    return await removed(request)
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind !== 'invalid' || error.messages[0] !== noCoupon) throw error
    const told = { subscription: error.messages }
    const shape = { fields: { subscription: { list: 'string', item: 'error', isUntyped: true } } } as const
    return bare(422, 'errors', told, shape)
  }
}

export const subscriptionCouponRoutes: readonly Route<Context>[] = [
  {
    method: 'POST',
    path: '/subscriptions/:subscription_id/add_coupon',
    handler: addOrTell,
  },
  { method: 'DELETE', path: '/subscriptions/:subscription_id/remove_coupon', handler: removeOrTell },
]
