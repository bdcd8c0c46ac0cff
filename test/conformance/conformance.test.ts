/** The official SDKs of three languages can use every operation that is served, and docs/sdk.md says what came of it. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { eventKeys, ownEventKeys } from '../../src/billing/event.ts'
import { isServed, operations, plainName, served } from './operations.ts'
import { isServedByAll, languages, pageFile, pageOf, rowsOnFile } from './page.ts'
import { rowsOf, walkAll } from './run.ts'

const lines = (found: readonly { name: string; method: string; path: string }[]): string[] =>
  found.map(({ name, method, path }) => `${name} ${method} ${path}`)

const walked = await walkAll()
const onFile = rowsOnFile()

test('the SDK was read: it has operations of every method', () => {
  assert.ok(operations.length > 150)
  assert.deepEqual(lines(operations.filter(({ method, path }) => method === '' || path === '')), [])
})

for (const language of languages) {
  const walker = walked.walkers.find(({ sdk }) => sdk.language === language)
  const skip = walked.missing.find((one) => one.language === language)?.missing ?? false

  test(`the SDK of ${language} reads every answer, misses no field, and finds again what it sent`, { skip }, () => {
    assert.deepEqual(walker?.defects, [])
  })

  test(`the SDK of ${language} was asked for every operation that is served`, { skip }, () => {
    const { sdk, done } = walker!
    const unasked = served.filter(({ name }) => sdk.knows(name) && !done.has(name))
    assert.deepEqual(lines(unasked), [])
  })

  test(`the SDK of ${language} knows no operation that the page lacks`, { skip }, () => {
    const known = new Set(operations.map(({ name }) => plainName(name)))
    assert.deepEqual(
      walker?.sdk.operations.filter((name) => !known.has(plainName(name))),
      [],
    )
  })

  test(`the SDK of ${language} read every kind of event that its lists show`, { skip }, () => {
    const shown = eventKeys.filter((key) => !(ownEventKeys as readonly string[]).includes(key))
    assert.deepEqual(
      shown.filter((key) => !walker?.events.includes(key)),
      [],
    )
  })
}

test('what is not served is answered as not there, or refused', () => {
  assert.deepEqual(
    operations
      .filter((one) => !isServed(one) && !((walked.statuses.get(one.name) ?? 0) >= 400))
      .map(({ name }) => name),
    [],
  )
})

test('docs/sdk.md is what the walk saw', () => {
  assert.equal(readFileSync(pageFile, 'utf8'), pageOf(rowsOf(walked, onFile)))
})

test('what is not served has a remark that says why', () => {
  const bare = [...onFile].filter(([, { cells, remark }]) => remark === '' && !isServedByAll(cells))
  assert.deepEqual(
    bare.map(([name]) => name),
    [],
  )
})
