/** The page about events lists every key, with what it tells and the payload of its webhook. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { eventKeys } from '../../src/billing/event.ts'

test('the documents list every key', () => {
  const text = readFileSync(new URL('../../docs/events.md', import.meta.url), 'utf8')
  const [keys = '', payloads = ''] = text.split('## Payloads')
  const named = (part: string): string[] =>
    part
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .flatMap((line) =>
        line
          .split('|')[1]!
          .split(',')
          .map((key) => key.trim()),
      )
  assert.deepEqual(
    named(keys)
      .filter((key) => key !== 'key')
      .toSorted(),
    eventKeys.toSorted(),
  )
  const shapes = named(payloads).map((key) => new RegExp(`^${key.replace('*', '.*')}$`))
  for (const key of eventKeys)
    assert.ok(
      shapes.some((shape) => shape.test(key)),
      key,
    )
})
