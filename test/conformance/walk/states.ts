/** A subscription in each state, which time leads there, and what may be done in it. */
import type { Walker } from '../walker.ts'
import { card, decliningCard } from './people.ts'
import { someone, subscribe } from './signups.ts'

export type States = Record<
  | 'awaiting_signup'
  | 'active'
  | 'trialing'
  | 'past_due'
  | 'soft_failure'
  | 'unpaid'
  | 'trial_ended'
  | 'canceled'
  | 'on_hold'
  | 'expired',
  number
>

const expiringCard = { ...card, expiration_month: 2, expiration_year: 2027 }

export const moveClock = (walker: Walker, now: string) => walker.ask('PUT', '/test_clock.json', { test_clock: { now } })

/** How often the test gateway declines or fails. */
export const behave = (walker: Walker, behaviour: object) =>
  walker.ask('PUT', '/bogus_gateway/behaviour.json', { behaviour })

/** Leaves the clock at 30 January 2027. */
export async function walkStates(walker: Walker): Promise<States> {
  const buy = (product_handle: string, more: object = { credit_card_attributes: card }): Promise<number> =>
    subscribe(walker, { product_handle, customer_attributes: someone(), ...more })
  const declined = { product_handle: 'monthly', customer_attributes: someone(), credit_card_attributes: decliningCard }
  await walker.call('createSubscription', { body: { subscription: declined } }, { refusedWith: /Forced failure/ })
  const states = {
    awaiting_signup: await buy('monthly', { credit_card_attributes: card, defer_signup: true }),
    active: await buy('monthly', { credit_card_attributes: expiringCard, coupon_code: 'FLAT' }),
    past_due: await buy('trial', { credit_card_attributes: decliningCard }),
    soft_failure: await buy('monthly'),
    unpaid: await buy('free-trial', { credit_card_attributes: decliningCard }),
    trial_ended: await buy('free-trial', {}),
    canceled: await buy('monthly'),
    on_hold: await buy('monthly'),
    expired: await buy('expiring'),
  }
  await walker.call('cancelSubscription', {
    subscriptionId: states.canceled,
    body: { subscription: { cancellation_message: 'Enough', reason_code: 'ENOUGH' } },
  })
  await walker.call('pauseSubscription', {
    subscriptionId: states.on_hold,
    body: { hold: { automatically_resume_at: '2027-05-01T00:00:00Z' } },
  })
  await buy('monthly', { credit_card_attributes: card, initial_billing_at: '2027-02-10T12:00:00Z' })
  await moveBilling(walker, states.soft_failure, '2027-01-30T11:00:00Z')
  await walker.ask('PUT', `/subscriptions/${await buy('expiring')}.json`, {
    subscription: { next_billing_at: '2027-01-25T12:00:00Z', expiration_tracks_next_billing_change: true },
  })
  await moveClock(walker, '2027-01-30T10:00:00Z')
  await behave(walker, { error_rate: 1 })
  await moveClock(walker, '2027-01-30T12:00:00Z')
  await behave(walker, { error_rate: 0 })
  return { ...states, trialing: await buy('paid-trial') }
}

const moveBilling = (walker: Walker, subscriptionId: number, next_billing_at: string) =>
  walker.call(
    'updateSubscription',
    { subscriptionId, body: { subscription: { next_billing_at } } },
    { shownAs: { next_billing_at: 'next_assessment_at' } },
  )

/** In the middle of the walk each of them is in the state of its name. */
export async function readStates(walker: Walker, states: States): Promise<void> {
  for (const [state, subscriptionId] of Object.entries(states)) {
    const { subscription } = await walker.call('readSubscription', { subscriptionId })
    if (subscription.state !== state)
      throw new Error(`${subscriptionId} should be ${state}, and is ${subscription.state}`)
  }
  await walker.call('listSubscriptions', { perPage: 200 })
  await walker.call('listSubscriptions', { state: 'past_due', sort: 'period_end', direction: 'desc' })
}

const newCard = { ...card, expiration_month: '12', expiration_year: '2031' }

/** Each state is left again. */
export async function leaveStates(walker: Walker, states: States): Promise<void> {
  await walker.call('retrySubscription', { subscriptionId: states.past_due }, { refusedWith: /Forced failure/ })
  await walker.call('updateSubscription', {
    subscriptionId: states.past_due,
    body: { subscription: { credit_card_attributes: newCard } },
  })
  await walker.call('retrySubscription', { subscriptionId: states.soft_failure })
  await walker.call(
    'reactivateSubscription',
    { subscriptionId: states.canceled, body: { preserve_balance: true, coupon_code: 'FLAT' } },
    { shownAs: { preserve_balance: null } },
  )
  await walker.call(
    'activateSubscription',
    { subscriptionId: states.awaiting_signup, body: { revert_on_failure: true } },
    { shownAs: { revert_on_failure: null } },
  )
  const hold = { automatically_resume_at: '2027-06-01T00:00:00Z' }
  await walker.call('updateAutomaticSubscriptionResumption', { subscriptionId: states.on_hold, body: { hold } })
  await walker.call('resumeSubscription', { subscriptionId: states.on_hold })
}
