/** Keys are random, hashed for one purpose, and compared without telling how much was right. */

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { equalHashes, hashKey, prefixOfKey, randomKey, randomToken } from './secrets.ts'

test('a key is 32 characters that need no escaping in a URL, and no two are alike', () => {
  const keys = Array.from({ length: 1000 }, randomKey)
  for (const key of keys) assert.match(key, /^[A-Za-z0-9_-]{32}$/)
  assert.equal(new Set(keys).size, keys.length)
  assert.equal(randomToken(30).length, 40)
})

test('the hash of a key is stable, and is not the plain hash of the key', () => {
  assert.equal(hashKey('abc'), '36c87218d06f980a966106643998ea8a0c1f6a064f83502990b785639bed70f4')
  assert.notEqual(hashKey('abc'), createHash('sha256').update('abc').digest('hex'))
})

test('hashes are equal only when they are the same', () => {
  assert.ok(equalHashes(hashKey('a'), hashKey('a')))
  assert.ok(!equalHashes(hashKey('a'), hashKey('b')))
  assert.ok(!equalHashes(hashKey('a'), hashKey('a').slice(1)))
  assert.ok(!equalHashes('', hashKey('a')))
})

test('a key is told by its first six characters, a short one by no more than a quarter of it', () => {
  assert.equal(prefixOfKey('abcdefghijklmnopqrstuvwxyz012345'), 'abcdef')
  assert.deepEqual(['k', 'key', 's3cret!!', ''].map(prefixOfKey), ['', '', 's3', ''])
})
