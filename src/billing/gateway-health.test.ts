/** A gateway that fails is told of once when it begins and once when it ends; one card in trouble is no failing gateway. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approved, at, declined, wrong } from '../../test/support/story-facts.ts'
import { afterAnswer, type GatewayHealth, isUnsuspected, unsuspected } from './gateway-health.ts'

const wall = at('2026-01-01T00:00:00Z')
const from = at('2026-03-01T12:00:00Z')

type Answer = [minutes: number, subscriptionId: number, outcome: typeof approved]

/** What is told after each answer; `isSilent` is true of the first alone. */
function toldOf(answers: readonly Answer[], { isSilent = false } = {}): { told: unknown[]; health: GatewayHealth } {
  let health: GatewayHealth = unsuspected
  const told = answers.map(([minutes, subscriptionId, outcome], place) => {
    const answer = { subscriptionId, outcome, at: from.add({ minutes }) }
    const after = afterAnswer(health, answer, { isSilent: isSilent && place === 0, wall })
    health = after.health
    return after.told
  })
  return { told, health }
}

const errors = (count: number, minutes = 0): Answer[] =>
  Array.from({ length: count }, (_, i) => [minutes, i + 1, wrong])

test('the first error is enough where the gateway has decided on nothing for an hour', () => {
  assert.deepEqual(toldOf([...errors(3), ...errors(3, 60)], { isSilent: true }).told, [
    'failing',
    ...Array(5).fill(null),
  ])
})

test('else ten subscriptions are, with nothing decided between them', () => {
  assert.deepEqual(toldOf(errors(11)).told, [...Array(9).fill(null), 'failing', null])
  const interrupted: Answer[] = [...errors(9), [0, 20, declined], [0, 30, wrong]]
  assert.deepEqual(toldOf(interrupted).told, Array(11).fill(null))
})

test('so is one after an hour without another answer', () => {
  assert.deepEqual(toldOf([...errors(1), ...errors(1, 59), ...errors(1, 60)]).told, [null, null, 'failing'])
})

test('an approval and a decline end it, once', () => {
  for (const good of [approved, declined]) {
    const answers: Answer[] = [...errors(2), [1, 1, good], [2, 2, good], [3, 3, good]]
    const { told, health } = toldOf(answers, { isSilent: true })
    assert.deepEqual(told, ['failing', null, 'recovered', null, null])
    assert.ok(isUnsuspected(health))
  }
})

test('a card that a gateway cannot use tells nothing of it, while others are decided on', () => {
  const answers: Answer[] = [
    [0, 1, wrong],
    [10, 2, approved],
    ...Array.from({ length: 48 }, (_, hour): Answer => [60 * (hour + 1), 1, wrong]),
    [3000, 2, approved],
  ]
  const { told, health } = toldOf(answers)
  assert.deepEqual(told, Array(answers.length).fill(null))
  assert.deepEqual(health.oddIds, [1])
  assert.ok(
    isUnsuspected(
      afterAnswer(health, { subscriptionId: 1, outcome: approved, at: from }, { isSilent: false, wall }).health,
    ),
  )
})

test('a gateway that fails now and then, between payments that it decides on, is not told of', () => {
  const answers = Array.from({ length: 300 }, (_, i): Answer => [i, i + 1, i % 3 === 0 ? approved : wrong])
  assert.deepEqual(new Set(toldOf(answers).told), new Set([null]))
})
