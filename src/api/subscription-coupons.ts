/** The coupon of a subscription: put on, taken off. */
import { addCoupon } from '../actions/add-coupon.ts'
import { noCoupon, removeCoupon } from '../actions/remove-coupon.ts'
import { Refusal } from '../billing/refusal.ts'
import { type Answer, bare, plain } from '../wire/answer.ts'
import { InputErrors, listOf, object, readInput, text } from '../wire/input.ts'
import type { Route } from '../wire/request.ts'
import { type Act, acts, type Context, changes, type Handler, idFrom, type SiteRequest, textFrom } from './handler.ts'
import { showSubscription } from './subscriptions.ts'

export const addCouponInput = object({
  code: text('Code'),
  coupon_code: text('Coupon Code'),
  codes: listOf('Codes', text('Code'), { max: 100 }),
})

/** The query, or the body: one code, or a list of one. */
function codeOf({ query, body }: SiteRequest): string {
  const asked = textFrom(query, 'code') ?? textFrom(query, 'coupon_code')
  if (asked?.trim()) return asked
  const sent = readInput(addCouponInput, body)
  const codes = [sent.code, sent.coupon_code, ...(sent.codes ?? [])].filter((code) => code?.trim())
  const [code, ...others] = new Set(codes.map((one) => one?.trim().toUpperCase()))
  if (code === undefined) throw new InputErrors(['A valid coupon code is required.'])
  if (others.length > 0) throw new InputErrors(['Codes: a subscription has one coupon at a time.'])
  return code
}

const add: Act = (app, request) =>
  addCoupon(app, request.context.site.id, idFrom(request, 'subscription_id'), codeOf(request))

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
    handler: changes('subscription_id', add, showSubscription(200)),
  },
  { method: 'DELETE', path: '/subscriptions/:subscription_id/remove_coupon', handler: removeOrTell },
]
