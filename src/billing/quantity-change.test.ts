/** An update sets quantities: without a charge, in the states in which they can be changed, and only those that differ. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  holding,
  meteredComponent,
  onOffComponent,
  pricedWith,
  quantityComponent,
} from '../../test/support/component-facts.ts'
import { at, having, keysOf, signedUp } from '../../test/support/story-facts.ts'
import type { Component } from './component.ts'
import { Refusal } from './refusal.ts'
import { allowedStates, subscriptionStates } from './subscription.ts'
import { decideUpdate } from './update.ts'

const users = quantityComponent()
const support = onOffComponent()
const lived = signedUp({ pricing: pricedWith(holding(users, '1'), holding(support, '1')) })
const later = at('2026-02-21T12:00:00Z')

const setting = (...wanted: [Component, string][]) => ({
  components: {
    wanted: wanted.map(([component, quantity]) => ({
      component,
      quantity,
      memo: null,
      upgradeScheme: 'no-prorate' as const,
      downgradeScheme: 'no-prorate' as const,
    })),
    ids: wanted.map((_, place) => 901 + place),
  },
})

test('quantities that differ are set and told, and nothing is charged', () => {
  const changes = decideUpdate(lived.facts, setting([users, '3'], [support, '0']), later, lived.ids)
  assert.deepEqual(changes.transactions, [])
  assert.equal(changes.attempt, undefined)
  assert.deepEqual(keysOf(changes), ['component_allocation_change', 'component_allocation_change'])
  assert.deepEqual(
    changes.newAllocations?.map((one) => [one.id, one.requestId, one.previousQuantity, one.quantity, one.createdAt]),
    [
      [901, 901, '1', '3', later],
      [902, 901, '1', '0', later],
    ],
  )
  assert.deepEqual(
    changes.subscribedComponents?.map((one) => [one.componentId, one.quantity, one.subscriptionId]),
    [
      [users.id, '3', lived.facts.subscription.id],
      [support.id, '0', lived.facts.subscription.id],
    ],
  )
})

test('one that stays what it was leaves no trace, also where nothing may be changed', () => {
  const ended = having(lived, { state: 'canceled' })
  assert.deepEqual(decideUpdate(ended.facts, setting([users, '1'], [support, '1']), later, ended.ids), {})
  const changes = decideUpdate(lived.facts, setting([users, '1'], [support, '0']), later, lived.ids)
  assert.deepEqual(
    changes.newAllocations?.map((one) => [one.componentId, one.id]),
    [[support.id, 901]],
  )
})

test('it is refused where no period goes on, and for what cannot be allocated', () => {
  for (const state of subscriptionStates) {
    const { facts, ids } = having(lived, { state })
    const update = () => decideUpdate(facts, setting([users, '2']), later, ids)
    if ((allowedStates.allocate as readonly string[]).includes(state)) update()
    else
      assert.throws(
        update,
        new Refusal('invalid', [`Components of a subscription that is ${state} cannot be changed.`]),
      )
  }
  assert.throws(() => decideUpdate(lived.facts, setting([meteredComponent(), '1']), later, lived.ids), Refusal)
  assert.throws(() => decideUpdate(lived.facts, setting([support, '2']), later, lived.ids), Refusal)
})
