/** No test is left out: every test file of the tree is run by the gate, once. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { filesOf, groups } from './together/import-tests.ts'

test('every test file is run by the gate, once', () => {
  const gate = readFileSync(join(import.meta.dirname, '../bin/ci'), 'utf8')
  const patterns = [...gate.matchAll(/'((?:src|test)\/[^']*\.test\.ts)'/g)].map(([, pattern]) => pattern!)
  const named = patterns.flatMap(filesOf)
  const together = named.filter((file) => dirname(file) === 'test/together').map((file) => basename(file))
  assert.deepEqual(together.toSorted(), Object.keys(groups).toSorted())
  const run = [...named, ...Object.values(groups).flatMap(filesOf)].toSorted()
  assert.deepEqual(run, [...filesOf('src/**/*.test.ts'), ...filesOf('test/**/*.test.ts')].toSorted())
})
