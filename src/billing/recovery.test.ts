/** What is done about a payment of which nobody heard, case by case. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Outcome } from './changes.ts'
import { decideRecovery } from './recovery.ts'

const terms = { quietSeconds: 100, keySeconds: 3600, heldSeconds: 0 }
const attempt = (begun: number, heard: number, { first = 200, last = 200, message = null as string | null } = {}) => ({
  callsBegun: begun,
  callsHeard: heard,
  outcomeMessage: message,
  secondsSinceFirstCall: first,
  secondsSinceLastCall: last,
})
const notFound = { result: 'not_found' } as const
const approved: Outcome = { result: 'approved', gatewayTransactionId: 'g1', message: 'Fine.' }
const declined: Outcome = { result: 'declined', message: 'No.' }

test('what the gateway has on record is believed at once, however young the last call is', () => {
  for (const outcome of [approved, declined]) {
    const step = decideRecovery(attempt(2, 0, { last: 0 }), outcome, terms)
    assert.deepEqual(step, { does: 'settle', outcome, isQuiet: false })
  }
})

test('a gateway that does not say is waited for', () => {
  assert.equal(decideRecovery(attempt(1, 0), undefined, terms).does, 'wait')
  assert.equal(decideRecovery(attempt(1, 0), { result: 'unknown', message: '' }, terms).does, 'wait')
})

test('a key that nobody heard of is asked again while it lives, and left to a human when it is older and nothing is on its way', () => {
  assert.equal(decideRecovery(attempt(1, 0, { last: 1 }), notFound, terms).does, 'ask')
  assert.equal(decideRecovery(attempt(1, 0, { first: 3599 }), notFound, terms).does, 'ask')
  assert.equal(decideRecovery(attempt(1, 0, { first: 3600 }), notFound, terms).does, 'tell')
  assert.equal(decideRecovery(attempt(1, 0, { first: 3590 }), notFound, { ...terms, heldSeconds: 10 }).does, 'tell')
  assert.equal(decideRecovery(attempt(2, 0, { first: 3600, last: 99 }), notFound, terms).does, 'wait')
  assert.equal(decideRecovery(attempt(1, 0, { first: 1e9 }), notFound, { ...terms, keySeconds: null }).does, 'ask')
})

test('an error beside a call that was not heard ends the attempt once nothing can be on its way, in the words that were heard', () => {
  const heard = { message: 'Could not.' }
  assert.equal(decideRecovery(attempt(2, 1, { ...heard, last: 99 }), notFound, terms).does, 'wait')
  assert.deepEqual(decideRecovery(attempt(2, 1, { ...heard, last: 100 }), notFound, terms), {
    does: 'settle',
    outcome: { result: 'error', message: 'Could not.' },
    isQuiet: true,
  })
})

test('a gateway that may have forgotten with the key what it did is not believed', () => {
  assert.equal(decideRecovery(attempt(2, 1, { first: 3600 }), notFound, terms).does, 'tell')
})

test('calls that were all withdrawn are asked anew, and end the attempt when the key is too old for that', () => {
  assert.equal(decideRecovery(attempt(1, 1, { last: 1 }), notFound, terms).does, 'ask')
  assert.deepEqual(decideRecovery(attempt(1, 1, { first: 3600, last: 1 }), notFound, terms), {
    does: 'settle',
    outcome: { result: 'error', message: 'The gateway captured nothing.' },
    isQuiet: true,
  })
})
