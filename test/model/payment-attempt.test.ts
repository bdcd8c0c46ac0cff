/** The model of payment attempts in docs/model, walked through state by state by spin: the rules hold, and without any of them they do not. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { canFail, skip } from './check.ts'

const payment = ['KIND=1', 'CALLS=2']
const signup = ['KIND=3', 'CALLS=3']

describe('the model of payment attempts', { skip }, () => {
  test('a sign-up moves money once or not at all, whatever its gateway and its processes do', () => {
    assert.equal(canFail(signup), false)
  })

  for (const rule of ['HEARD_ALL', 'QUIET_FIRST', 'KEY_LIVES', 'SENT_FRESH']) {
    test(`a payment does not stay single without ${rule}`, () => {
      assert.equal(canFail([...payment, `${rule}=0`]), true)
    })
  }

  test('an approval is dropped without KEEP_LATE when a gateway breaks its contract, and not with it', () => {
    assert.equal(canFail([...signup, 'LIES=1', 'KEEP_LATE=0']), true)
    assert.equal(canFail([...signup, 'LIES=1']), false)
  })
})
