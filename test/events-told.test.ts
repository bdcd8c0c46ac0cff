/** A fact and its telling are one: there is one way in which events are written, and it writes their webhooks too. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { readSources } from './support/sources.ts'

const service = readSources(join(import.meta.dirname, '..'), []).project.filter(
  ({ path }) => path.startsWith('src/') && !path.endsWith('.test.ts'),
)

const importersOf = (from: string, name: string): string[] =>
  service
    .filter(({ imports }) => imports.some((one) => one.from === from && one.values.includes(name)))
    .map(({ path }) => path)

const saying = (pattern: RegExp): string[] => service.filter(({ text }) => pattern.test(text)).map(({ path }) => path)

test('one statement inserts events, and only the writer of webhooks runs it', () => {
  assert.deepEqual(saying(/\bevents\.(insert|insertion|update)\(|insert into events\b/), ['src/store/events.ts'])
  assert.deepEqual(importersOf('src/store/events.ts', 'insertEvents'), ['src/actions/tell-webhooks.ts'])
  assert.deepEqual(importersOf('src/actions/tell-webhooks.ts', 'writeEvents'), ['src/actions/commit.ts'])
  assert.deepEqual(importersOf('src/actions/tell-webhooks.ts', 'tellEvents').sort(), [
    'src/actions/park-subscription.ts',
    'src/actions/record-deliveries.ts',
    'src/actions/resolve-late-approvals.ts',
  ])
})

test('the one writer tells once all rows of the act are written', () => {
  const { text } = service.find(({ path }) => path === 'src/actions/commit.ts')!
  assert.match(text, /const \[tell\] = await Promise\.all\(\[\n\s+writeEvents\(/)
  assert.match(text, /\n {2}\]\)\n {2}await tell\(\)\n/)
})
