/** Metered usage: recorded in both directions, billed in arrears and never below 0, refused where it could not be billed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  holding,
  meteredComponent,
  pricedWith,
  quantityComponent,
  stocked,
} from '../../test/support/component-facts.ts'
import { assessed, at, having, type Lived, signedUp } from '../../test/support/story-facts.ts'
import type { Changes } from './changes.ts'
import { Refusal } from './refusal.ts'
import { type SubscriptionState, subscriptionStates } from './subscription.ts'
import { countable, decideUsage } from './usage.ts'

const messages = meteredComponent()
const now = '2026-02-10T00:00:00Z'

const use = (lived: Lived, quantity: string, component = messages, memo: string | null = null): Changes =>
  decideUsage(lived.facts, component, { quantity, memo }, at(now), lived.ids, 801)

const after = (lived: Lived, changes: Changes): Lived => stocked(lived, changes, [messages])
const balanceOf = (changes: Changes) => changes.subscribedComponents?.[0]?.unitBalance

test('usage adds to the unit balance and tells so, before and after', () => {
  const lived = signedUp()
  const first = use(lived, '2', messages, 'Monday')
  assert.deepEqual(first.newUsages, [
    { siteId: 1, id: 801, subscriptionId: 9, componentId: 23, quantity: '2', memo: 'Monday', createdAt: at(now) },
  ])
  const [event] = use(after(lived, first), '1').events ?? []
  assert.equal(event?.message, "Recorded 1 message of usage (total: 3) for Ada Lovelace's subscription")
  assert.deepEqual(event?.eventSpecificData, {
    previous_unit_balance: '2',
    new_unit_balance: 3,
    usage_quantity: 1,
    component_id: 23,
    component_handle: 'messages',
    memo: '',
  })
})

test('negative usage takes back; a balance below 0 is billed as 0 and starts again at 0', () => {
  const lived = signedUp({ pricing: pricedWith(holding(messages, '0', '1000')) })
  const back = use(lived, '-1500')
  assert.equal(balanceOf(back), '-500')
  const renewed = assessed(after(lived, back))
  assert.deepEqual(
    renewed.changes.transactions?.map(({ kind }) => kind),
    ['baseline'],
  )
  assert.deepEqual(renewed.changes.billedUsage, [{ subscriptionId: 9, componentId: 23 }])
})

test('usage is billed at the renewal and starts again at 0', () => {
  const lived = signedUp({ pricing: pricedWith(holding(messages, '0', '401')) })
  const renewed = assessed(lived)
  const [, line] = renewed.changes.transactions ?? []
  assert.deepEqual([line?.kind, line?.memo, line?.amount], ['metered_component', 'Messages: 401 messages', 201])
  const again = assessed(after(renewed, { billedUsage: renewed.changes.billedUsage ?? [] }))
  assert.equal(again.changes.transactions?.length, 1)
  assert.equal(again.changes.billedUsage?.length, 0)
})

test('decimals are refused unless the component counts them, and then they are exact', () => {
  const words = 'Quantity: must be a whole number for Messages.'
  for (const sent of ['1.5', '-0.5']) assert.throws(() => use(signedUp(), sent), new Refusal('invalid', [words]))
  const fuel = meteredComponent({ allowFractionalQuantities: true })
  const lived = signedUp({ pricing: pricedWith(holding(fuel, '0', '0.1')) })
  assert.equal(balanceOf(use(lived, '0.2', fuel)), '0.3')
})

test('usage is refused where it could not be billed', () => {
  const refused = (work: () => unknown, words: string) => assert.throws(work, new Refusal('invalid', [words]))
  refused(() => use(signedUp(), '1', quantityComponent()), 'Usage can only be recorded for metered components.')
  const prices = [{ startingQuantity: 1, endingQuantity: 10, unitPrice: '1' }]
  const bounded = meteredComponent({ pricingScheme: 'volume', unitPrice: null, prices })
  const lived = signedUp({ pricing: pricedWith(holding(bounded, '0', '8')) })
  assert.equal(balanceOf(use(lived, '2', bounded)), '10')
  refused(() => use(lived, '3', bounded), 'Quantity: Messages has no price for more than 10.')
  refused(() => use(signedUp(), '1000000000001'), 'Quantity: is too large.')
  refused(() => use(signedUp(), '-1000000000001'), 'Quantity: is too large.')
  const live: readonly SubscriptionState[] = ['trialing', 'active', 'past_due', 'soft_failure', 'unpaid']
  for (const state of subscriptionStates) {
    const work = () => use(having(signedUp(), { state }), '1')
    if (live.includes(state)) work()
    else refused(work, `Usage of a subscription that is ${state} cannot be recorded.`)
  }
})

test('a million millions of units can be billed, one more cannot', () => {
  const cheap = meteredComponent({ unitPrice: '0.0001' })
  assert.equal(countable(cheap, '1000000000000'), '1000000000000')
  assert.throws(() => countable(cheap, '1000000000001'), Refusal)
})
