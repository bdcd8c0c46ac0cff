/** Nothing secret reaches the log, whatever a caller hands over. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from './log.ts'

const logged = (write: (log: ReturnType<typeof createLog>) => void): string => {
  const lines: string[] = []
  write(createLog('trace', { write: (line) => void lines.push(line) }))
  return lines.join('')
}

test('an event is one JSON line with level, time, message and fields', () => {
  const line = logged((log) => log.info({ site: 7, list: [1, null], nested: { at: 'x' } }, 'renewed'))
  const { time, pid, ...rest } = JSON.parse(line)
  assert.match(time, /^\d{4}-\d\d-\d\dT/)
  assert.equal(pid, process.pid)
  assert.deepEqual(rest, { level: 'info', msg: 'renewed', site: 7, list: [1, null], nested: { at: 'x' } })
  assert.equal(line.split('\n').length, 2)
})

test('values of secret names are removed at any depth, however the name is written', () => {
  const line = logged((log) =>
    log.warn({
      full_number: 'leak1',
      body: { credit_card: [{ fullNumber: 'leak2', cvv: 123987, 'api-key': 'leak3' }] },
      headers: { Authorization: 'Basic leak4', cookie: 'leak5' },
    }),
  )
  assert.doesNotMatch(line, /leak|123987/)
  assert.match(line, /"full_number":"\[removed\]"/)
})

test('card numbers inside any text keep their last four digits only', () => {
  const error = new Error('cannot read "4111 1111 1111 1111"')
  const line = logged((log) => {
    log.error({ err: error, note: 'x 5555555555554444 y' }, 'card 378282246310005 and 4111-1111-1111-1111')
  })
  assert.doesNotMatch(line, /4111[ -]?1111[ -]?1111|555555555555|3782822463/)
  assert.match(line, /\[card \.\.\.4444\].*/)
  assert.match(line, /cannot read/)
})

test('other long numbers stay as they are', () => {
  assert.match(
    logged((log) => log.info({ id: 500001, nanoseconds: 1234567890123456 }, 'sent 4111111111111112')),
    /500001.*1234567890123456.*4111111111111112/,
  )
})

test('of an error only type, message, code, stack and cause are written', () => {
  const cause = Object.assign(new Error('row refused'), { code: '23505', detail: 'Key (email)=(leak) exists' })
  const line = logged((log) => log.error({ err: new Error('not committed', { cause }) }))
  assert.match(line, /not committed.*row refused/)
  assert.match(line, /23505/)
  assert.doesNotMatch(line, /leak/)
})
