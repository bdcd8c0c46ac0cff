/** The rules of the link, at the second at which each begins and ends. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  fetchAgain,
  isAdmitted,
  linkEndsAt,
  linkPath,
  type ManagementLink,
  readLinkPath,
  signedText,
} from './management-link.ts'
import { Refusal } from './refusal.ts'

const made = Temporal.Instant.from('2013-11-05T00:00:00Z')
const later = (days: number, seconds = 0) => made.add({ seconds: 86_400 * days + seconds })
const link = (fetchCount: number): ManagementLink => ({
  siteId: 1,
  customerId: 500_012,
  keyId: 500_001,
  baseUrl: 'https://localhost',
  fetchCount,
  createdAt: made,
})

describe('a fetch', () => {
  test('gives the same link for 15 days, counted', () => {
    for (const now of [made, later(14), later(15, -1)]) assert.equal(fetchAgain(link(1), now)?.fetchCount, 2)
    assert.equal(fetchAgain(link(15), later(15)), undefined, 'time for a new one')
    assert.equal(fetchAgain(undefined, made), undefined)
  })

  test('is refused when it is the sixteenth', () => {
    assert.equal(fetchAgain(link(14), made)?.fetchCount, 15)
    assert.throws(
      () => fetchAgain(link(15), later(14)),
      (error: unknown) => error instanceof Refusal && error.kind === 'link_exhausted',
    )
  })
})

test('a link is good for 65 days, that of an invitation for 48 hours', () => {
  assert.ok(linkEndsAt({ purpose: 'management', at: made }).equals(later(65)))
  assert.ok(linkEndsAt({ purpose: 'letter', at: made }).equals(later(65)))
  assert.ok(linkEndsAt({ purpose: 'invitation', at: made }).equals(later(2)))
})

test('what is signed differs for every customer, second, key and purpose; what is written is read back', () => {
  const base = { purpose: 'management', keyId: 500_001, customerId: 500_012, at: made } as const
  const others = [
    base,
    { ...base, keyId: 1 },
    { ...base, customerId: 1 },
    { ...base, at: later(1) },
    { ...base, purpose: 'letter' as const },
  ]
  assert.equal(new Set(others.map(signedText)).size, others.length)
  const digest = '0123456789abcdef'.repeat(4)
  const path = linkPath(base, digest)
  assert.match(path, /^500012\/1383609600\/(0123456789abcdef){2}7a121$/)
  assert.deepEqual(readLinkPath('management', path), { link: base, signature: digest.slice(0, 32) })
  for (const bad of [
    '',
    path.slice(1 + path.lastIndexOf('/')),
    path.slice(0, 30),
    `${path}/`,
    ` ${path}`,
    path.toUpperCase(),
    path.replace('500012', '-1'),
  ]) {
    assert.equal(readLinkPath('management', bad), undefined, bad)
  }
})

test('letters open the portal until it is closed; the other links need it to be open; closing ends all that is older', () => {
  const at = later(1)
  const purposes = ['management', 'invitation', 'letter'] as const
  const admitted = (enabledAt: Temporal.Instant | null, wasRevoked: boolean) =>
    purposes.filter((purpose) => isAdmitted({ purpose, at }, { enabledAt, wasRevoked }))
  assert.deepEqual(admitted(null, false), ['letter'])
  assert.deepEqual(admitted(null, true), [])
  assert.deepEqual(admitted(at, false), purposes)
  assert.deepEqual(admitted(later(2), false), ['letter'])
  assert.deepEqual(admitted(later(2), true), [])
  assert.deepEqual(admitted(at, true), purposes)
})
