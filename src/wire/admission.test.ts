/** Whose turn it is: connections one after the other, those that are gone not at all. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Admission, admissionLimits, TooManyRequests } from './admission.ts'

const isHere = () => false
const admission = (limits: Partial<typeof admissionLimits>) => new Admission({ ...admissionLimits, ...limits })

describe('admission', () => {
  it('lets a quiet connection begin before the rest of a busy one', async () => {
    const one = admission({ starting_requests: 1 })
    const [busy, quiet] = [{}, {}]
    const order: string[] = []
    const enter = async (connection: object, name: string) => {
      const admitted = await one.enter(connection, isHere)
      order.push(name)
      admitted?.leave()
    }
    await Promise.all([...Array.from({ length: 5 }, () => enter(busy, 'busy')), enter(quiet, 'quiet')])
    assert.deepEqual(order, ['busy', 'quiet', 'busy', 'busy', 'busy', 'busy'])
  })

  it('drops what is gone by its turn', async () => {
    const one = admission({})
    let isGone = false
    const asked = one.enter({}, () => isGone)
    isGone = true
    assert.equal(await asked, undefined)
  })

  it('counts what works for a client that is gone to its connection', async () => {
    const one = admission({ requests_per_connection: 1 })
    const [connection, other] = [{}, {}]
    const first = await one.enter(connection, isHere)
    let hasBegun = false
    const second = one.enter(connection, isHere).then(() => {
      hasBegun = true
    })
    assert.ok(await one.enter(other, isHere))
    assert.equal(hasBegun, false)
    first?.leave()
    await second
  })

  it('does not let who waits for somebody else hold up others', async () => {
    const one = admission({ starting_requests: 1, start_in_ms: 20 })
    assert.ok(await one.enter({}, isHere))
    assert.ok(await one.enter({}, isHere))
  })

  it('refuses the last of the longest line when too many wait', async () => {
    const one = admission({ starting_requests: 0, waiting_requests: 3 })
    const busy = {}
    const refused: string[] = []
    const enter = (connection: object, name: string) =>
      void one.enter(connection, isHere).catch((error: unknown) => {
        assert.ok(error instanceof TooManyRequests)
        refused.push(name)
      })
    for (const name of ['first', 'second', 'third']) enter(busy, name)
    enter({}, 'quiet')
    await pause(5)
    assert.deepEqual(refused, ['third'])
  })
})
