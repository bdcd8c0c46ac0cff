/** What merchants ask of one subscription at once: each command as the request that it is on either of two sites. */
import { decliningCard, goodCard } from './shop.ts'
import type { Lived, Twin } from './twin-shops.ts'

type Request = { line: string; body?: object }
export type Command = { title: string; on(twin: Twin, lived: Lived): Request }

const command = (act: string, body?: object): Command => {
  const [method, rest = ''] = act.split(' ')
  const [path, query] = rest.split('?')
  return {
    title: `${act} ${body === undefined ? '' : JSON.stringify(body)}`.trim(),
    on: (_, { id }) => ({
      line: `${method} /subscriptions/${id}${path}.json${query ? `?${query}` : ''}`,
      ...(body && { body }),
    }),
  }
}

const update = (subscription: object): Command => command('PUT ', { subscription })

const allocate = (handle: keyof Twin['components'], quantity: number, schemes: object = {}): Command => {
  const allocation = { quantity, memo: 'Race', ...schemes }
  return {
    title: `allocate ${JSON.stringify({ handle, ...allocation })}`,
    on: ({ components }, { id }) => ({
      line: `POST /subscriptions/${id}/components/${components[handle]}/allocations.json`,
      body: { allocation },
    }),
  }
}

const use = (quantity: number): Command => ({
  title: `use ${quantity} calls`,
  on: ({ components }, { id }) => ({
    line: `POST /subscriptions/${id}/components/${components.calls}/usages.json`,
    body: { usage: { quantity, memo: 'Race' } },
  }),
})

const refund = (amount: string): Command => ({
  title: `refund ${amount}`,
  on: (_, { id, paymentId }) => ({
    line: `POST /subscriptions/${id}/refunds.json`,
    body: { refund: { payment_id: paymentId, amount, memo: 'Race' } },
  }),
})

const captured = { proration_upgrade_scheme: 'prorate-attempt-capture', proration_downgrade_scheme: 'prorate' }
const accrued = { proration_upgrade_scheme: 'prorate-delay-capture', proration_downgrade_scheme: 'prorate' }

/** These take effect when they have the lock. What comes of them depends on whose turn is sooner. */
export const quiet: readonly Command[] = [
  command('DELETE ', { subscription: { cancellation_message: 'Race' } }),
  update({ product_handle: 'dear' }),
  update({ product_handle: 'monthly' }),
  update({ product_handle: 'tried', product_change_delayed: true }),
  update({ next_billing_at: '2027-03-03' }),
  update({ cancel_at_end_of_period: true }),
  update({ cancel_at_end_of_period: false }),
  update({ customer_attributes: { last_name: 'King' } }),
  command('PUT /reset_balance'),
  command('PUT /override', { subscription: { expires_at: '2030-01-01' } }),
  command('POST /hold'),
  command('POST /resume'),
  command('POST /delayed_cancel'),
  command('DELETE /delayed_cancel'),
  command('POST /cancel_dunning'),
  command('POST /adjustments', { adjustment: { amount: '3.00', memo: 'Race' } }),
  command('POST /adjustments', { adjustment: { amount: '-1.50', memo: 'Race' } }),
  command('POST /adjustments', { adjustment: { amount: '20.00', memo: 'Race', adjustment_method: 'target' } }),
  command('POST /charges', { charge: { amount: '1.25', memo: 'Race', delay_capture: true } }),
  command('POST /credits', { credit: { amount: '12.00', memo: 'Race' } }),
  command('POST /payments', { payment: { amount: '7.00', memo: 'Race' } }),
  command('POST /add_coupon?code=HALF'),
  command('DELETE /remove_coupon'),
  allocate('users', 2, accrued),
  allocate('support', 1, accrued),
  use(100),
  use(-30),
]

/** These ask the gateway, or may. No answer depends on chance: the card says what it will be. */
export const collecting: readonly Command[] = [
  command('PUT /reactivate'),
  command('PUT /reactivate?preserve_balance=1'),
  command('PUT /reactivate?resume=true'),
  command('PUT /reactivate?include_trial=1&coupon_code=HALF'),
  update({ payment_profile_attributes: goodCard }),
  update({ payment_profile_attributes: decliningCard }),
  command('PUT /retry'),
  command('PUT /retry'),
  command('POST /charges', { charge: { amount: '2.00', memo: 'Race' } }),
  command('POST /charges', { charge: { amount: '4.00', memo: 'Race', accrue_on_failure: true } }),
  command('POST /charges', { charge: { amount: '9.00', memo: 'Race', use_negative_balance: true } }),
  refund('1.00'),
  refund('30.00'),
  command('POST /migrations', { migration: { product_handle: 'dear' } }),
  command('POST /migrations', { migration: { product_handle: 'monthly', preserve_period: true } }),
  allocate('users', 4, captured),
  allocate('users', 9, captured),
  allocate('support', 0, captured),
]
