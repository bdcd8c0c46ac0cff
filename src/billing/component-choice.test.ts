/** What a sign-up may take of components, and what is on record of it from the start. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meteredComponent, onOffComponent, quantityComponent } from '../../test/support/component-facts.ts'
import { at, site } from '../../test/support/story-facts.ts'
import { type ComponentChoice, chooseComponents, startComponents } from './component-choice.ts'

const offered = [quantityComponent(), onOffComponent(), meteredComponent()]

const choice = (by: ComponentChoice['by'], change: Partial<ComponentChoice> = {}): ComponentChoice => ({
  by,
  allocatedQuantity: null,
  enabled: null,
  unitBalance: null,
  ...change,
})

const taken = (...choices: ComponentChoice[]) =>
  chooseComponents(offered, choices).components.map(({ component, quantity, unitBalance }) => [
    component.id,
    quantity,
    unitBalance,
  ])

test('each kind takes what goes with it, by id or handle, in the order of the ids', () => {
  assert.deepEqual(
    taken(
      choice({ handle: 'messages' }, { unitBalance: '10', allocatedQuantity: '7' }),
      choice({ id: 22 }, { enabled: true }),
      choice({ id: 21 }, { allocatedQuantity: '3', unitBalance: '7' }),
    ),
    [
      [21, '3', '0'],
      [22, '1', '0'],
      [23, '0', '10'],
    ],
  )
  assert.deepEqual(taken(choice({ id: 22 }, { allocatedQuantity: '1' })), [[22, '1', '0']])
  assert.deepEqual(taken(choice({ id: 22 }, { enabled: false }), choice({ id: 21 })), [
    [21, '0', '0'],
    [22, '0', '0'],
  ])
})

test('what cannot be had is told, all of it at once', () => {
  const { components, problems } = chooseComponents(offered, [
    choice({ id: 5 }),
    choice({ handle: 'nothing' }),
    choice({ id: 21 }, { allocatedQuantity: '1' }),
    choice({ handle: 'users' }),
    choice({ id: 22 }, { allocatedQuantity: '2' }),
  ])
  assert.equal(components.length, 1)
  assert.deepEqual(problems, [
    'Component: 5 could not be found.',
    'Component: nothing could not be found.',
    'Component: Users is given more than once.',
    'Quantity: must be 0 or 1 for Support.',
  ])
})

test('quantities begin as allocations from 0, usage that is there already as a usage', () => {
  const { components } = chooseComponents(offered, [
    choice({ id: 21 }, { allocatedQuantity: '2' }),
    choice({ id: 23 }, { unitBalance: '10' }),
  ])
  const now = at('2026-01-31T12:00:00Z')
  const begun = startComponents({ site: site(), subscriptionId: 9, now, isCharged: true }, components, [901, 902])
  assert.deepEqual(begun.subscribedComponents, [
    { siteId: 1, subscriptionId: 9, componentId: 21, quantity: '2', unitBalance: '0' },
    { siteId: 1, subscriptionId: 9, componentId: 23, quantity: '0', unitBalance: '10' },
  ])
  const [allocation] = begun.newAllocations ?? []
  assert.deepEqual(
    [allocation?.id, allocation?.requestId, allocation?.previousQuantity, allocation?.quantity],
    [901, 901, '0', '2'],
  )
  assert.deepEqual(
    begun.newUsages?.map(({ id, quantity }) => [id, quantity]),
    [[902, '10']],
  )
  const idle = chooseComponents(offered, [choice({ id: 23 })]).components
  assert.deepEqual(
    startComponents({ site: site(), subscriptionId: 9, now, isCharged: true }, idle, [903]).newUsages,
    [],
  )
})
