/** What callers of a busy gateway may rely on. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Turns } from './turns.ts'

test('no more calls than the gateway bears are under way at once, and all of them are made in order', async () => {
  const turns = new Turns(3)
  const begun: number[] = []
  let underWay = 0
  let underWayMax = 0
  const call = (place: number) =>
    turns.take(async () => {
      begun.push(place)
      underWay += 1
      underWayMax = Math.max(underWayMax, underWay)
      await pause(place % 4)
      underWay -= 1
      return place
    })
  const places = Array.from({ length: 40 }, (_, place) => place)
  assert.deepEqual(await Promise.all(places.map(call)), places)
  assert.equal(underWayMax, 3)
  assert.deepEqual(begun, places)
})

test('what does not wait is made only while there is a turn, and others find it taken', async () => {
  const turns = new Turns(1)
  const { promise, resolve } = Promise.withResolvers<string>()
  const first = turns.tryTake(() => promise)
  assert.notEqual(first, undefined)
  assert.equal(
    turns.tryTake(() => assert.fail('made without a turn')),
    undefined,
  )
  const waiting = turns.take(async () => 'waited')
  resolve('made')
  assert.deepEqual(await Promise.all([first, waiting]), ['made', 'waited'])
  assert.equal(await turns.tryTake(async () => 'made again'), 'made again')
})

test('a call that fails gives its turn back', async () => {
  const turns = new Turns(1)
  const failing = turns.take(() => Promise.reject(new Error('broken')))
  const next = turns.take(async () => 'made')
  await assert.rejects(failing, /broken/)
  assert.equal(await next, 'made')
  assert.equal(await turns.take(async () => 'made again'), 'made again')
})

test('where calls of some hang, there are turns left for those of others', async () => {
  const turns = new Turns(64)
  const { promise: hanging, resolve } = Promise.withResolvers<void>()
  const begun = new Map<string, number>()
  const ask = (whose: string) =>
    turns.take(async () => {
      begun.set(whose, (begun.get(whose) ?? 0) + 1)
      await hanging
    }, whose)
  const calls = ['one', 'two', 'three'].flatMap((whose) => Array.from({ length: 200 }, () => ask(whose)))
  await pause(1)
  assert.equal(begun.get('one'), 56)
  assert.deepEqual([begun.get('two'), begun.get('three')], [1, 1])
  assert.equal(await turns.take(async () => 'made', 'four'), 'made')
  resolve()
  await Promise.all(calls)
  assert.deepEqual([...begun.values()], [200, 200, 200])
})

test('a gateway that bears little at a time is asked by one alone as often as it bears', async () => {
  const turns = new Turns(3)
  let [underWay, most] = [0, 0]
  const ask = () =>
    turns.take(async () => {
      most = Math.max(most, ++underWay)
      await pause(1)
      underWay -= 1
    }, 'one')
  await Promise.all(Array.from({ length: 10 }, ask))
  assert.equal(most, 3)
})
