/** What the portal offers: only what the site allows, the state admits, and no payment under way forbids. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signedUp } from '../../test/support/story-facts.ts'
import { cents } from './money.ts'
import { actsOffered, type PortalAct, portalActs } from './portal-acts.ts'
import { defaultPortalSettings, type PortalSettings } from './portal-settings.ts'
import { type Subscription, type SubscriptionState, subscriptionStates } from './subscription.ts'

const everything: PortalSettings = {
  ...defaultPortalSettings,
  mayChangeCard: true,
  mayChangeProduct: true,
  productChange: 'at_renewal',
  mayCancelAtOnce: true,
  mayCancelAtPeriodEnd: true,
  mayReactivate: true,
  mayPay: true,
}

const { subscription: paid } = signedUp().facts

const offered = (change: Partial<Subscription>, settings: Partial<PortalSettings> = {}): PortalAct[] => [
  ...actsOffered({ ...paid, ...change }, { ...everything, ...settings }),
]

/** The states in which an act is offered, all settings on. */
const statesOf = (act: PortalAct, change: Partial<Subscription> = {}, settings: Partial<PortalSettings> = {}) =>
  subscriptionStates.filter((state) => offered({ ...change, state }, settings).includes(act))

const goingOn: SubscriptionState[] = ['trialing', 'active', 'past_due', 'soft_failure', 'unpaid']

test('each act is offered in exactly its states', () => {
  const owing = { balance: cents(1) }
  assert.deepEqual(statesOf('pay', owing), ['past_due', 'soft_failure', 'unpaid'])
  assert.deepEqual(statesOf('change_card'), [...goingOn, 'canceled', 'trial_ended', 'on_hold', 'awaiting_signup'])
  assert.deepEqual(statesOf('change_product'), goingOn)
  assert.deepEqual(statesOf('change_product', {}, { productChange: 'now' }), ['trialing', 'active'])
  assert.deepEqual(statesOf('cancel_at_once'), [...goingOn, 'on_hold', 'awaiting_signup'])
  assert.deepEqual(statesOf('cancel_at_period_end'), ['trialing', 'active', 'soft_failure', 'unpaid'])
  assert.deepEqual(statesOf('keep', { cancelAtEndOfPeriod: true }), goingOn)
  assert.deepEqual(statesOf('reactivate'), ['canceled', 'trial_ended'])
})

test('a site that forbids an act does not offer it in any state', () => {
  const forbidden: readonly [PortalAct, Partial<PortalSettings>][] = [
    ['pay', { mayPay: false }],
    ['change_card', { mayChangeCard: false }],
    ['change_product', { mayChangeProduct: false }],
    ['cancel_at_once', { mayCancelAtOnce: false }],
    ['cancel_at_period_end', { mayCancelAtPeriodEnd: false }],
    ['reactivate', { mayReactivate: false }],
  ]
  for (const [act, settings] of forbidden) {
    assert.deepEqual(statesOf(act, { balance: cents(1) }, settings), [], act)
  }
})

test('while a payment is under way nothing that collects or ends is offered', () => {
  const held: PortalAct[] = ['pay', 'change_product', 'cancel_at_once', 'reactivate']
  for (const act of held) {
    assert.deepEqual(statesOf(act, { balance: cents(1), collectingAttemptId: 4 }), [], act)
  }
  assert.deepEqual(statesOf('change_card', { collectingAttemptId: 4 }), statesOf('change_card'))
})

test('there is something to pay only when money is owed and cards are asked for it', () => {
  const pays = (change: Partial<Subscription>) => offered({ state: 'past_due', ...change }).includes('pay')
  assert.deepEqual(
    [
      pays({ balance: cents(1) }),
      pays({ balance: cents(0) }),
      pays({ balance: cents(1), paymentCollectionMethod: 'invoice' }),
    ],
    [true, false, false],
  )
})

test('who is leaving may stay, and is offered neither to leave again nor another product', () => {
  assert.deepEqual(offered({ state: 'active' }), [
    'change_card',
    'change_product',
    'cancel_at_once',
    'cancel_at_period_end',
  ])
  assert.deepEqual(offered({ state: 'active', cancelAtEndOfPeriod: true }), ['change_card', 'cancel_at_once', 'keep'])
})

test('to stay is offered where leaving or reactivating is, and not where neither is', () => {
  const keeps = (settings: Partial<PortalSettings>) =>
    offered({ state: 'active', cancelAtEndOfPeriod: true }, settings).includes('keep')
  assert.deepEqual(
    [
      keeps({ mayCancelAtPeriodEnd: false }),
      keeps({ mayReactivate: false }),
      keeps({ mayCancelAtPeriodEnd: false, mayReactivate: false }),
    ],
    [true, true, false],
  )
})

test('until a site says otherwise, customers may do what cannot surprise the merchant', () => {
  const byDefault = (change: Partial<Subscription>) => [...actsOffered({ ...paid, ...change }, defaultPortalSettings)]
  assert.deepEqual(byDefault({ state: 'active' }), ['change_card', 'cancel_at_period_end'])
  assert.deepEqual(byDefault({ state: 'past_due', balance: cents(5000) }), ['pay', 'change_card'])
  assert.deepEqual(byDefault({ state: 'canceled' }), ['change_card', 'reactivate'])
  assert.equal(defaultPortalSettings.mayEditAddress, true)
  assert.equal(portalActs.length, 7)
})
