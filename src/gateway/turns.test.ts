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
