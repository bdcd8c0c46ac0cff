/** Fail points do nothing in service, and a mistyped one is refused instead of never being reached. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failPoints, stopAt } from './fail-points.ts'

test('without a fail point every place is passed', () => {
  const reach = stopAt(undefined)
  for (const point of failPoints) reach(point)
})

test('other places than the wanted one are passed', () => {
  const reach = stopAt('renewal: settled')
  for (const point of failPoints.filter((name) => name !== 'renewal: settled')) reach(point)
})

test('the wanted place is passed until its turn has come', () => {
  const reach = stopAt('renewal: settled #3')
  reach('renewal: settled')
  reach('renewal: settled')
})

test('a place that does not exist is refused', () => {
  for (const wanted of ['renewal: setled', 'renewal: settled #x', 'renewal: settled#2', '#1']) {
    assert.throws(() => stopAt(wanted), /names no place/)
  }
})
