/** A link into the portal: how long it is good, how often it is fetched, and what of it can be read back. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  expiresAt,
  fetchAgain,
  isAdmitted,
  keyKeptDays,
  keySignsUntil,
  linkEndsAt,
  linkPath,
  linkPurposes,
  type ManagementLink,
  newLinkAvailableAt,
  readLinkPath,
  signedText,
} from './management-link.ts'

const at = (text: string): Temporal.Instant => Temporal.Instant.from(text)
const createdAt = at('2027-01-15T12:00:00Z')
const link: ManagementLink = {
  siteId: 1,
  customerId: 500123,
  keyId: 500255,
  baseUrl: 'https://billing.example.com',
  fetchCount: 1,
  createdAt,
}

describe('a management link', () => {
  test('is the same for 15 days and good for 65, whatever the clocks of a zone do', () => {
    assert.equal(String(newLinkAvailableAt(link)), '2027-01-30T12:00:00Z')
    assert.equal(String(expiresAt(link)), '2027-03-21T12:00:00Z')
    assert.equal(String(linkEndsAt({ purpose: 'management', at: createdAt })), '2027-03-21T12:00:00Z')
    assert.equal(String(linkEndsAt({ purpose: 'invitation', at: createdAt })), '2027-01-17T12:00:00Z')
    assert.equal(String(keySignsUntil(createdAt)), '2027-02-14T12:00:00Z')
    assert.equal(keyKeptDays, 95)
  })

  test('counts its fetches, refuses the sixteenth, and gives way to a new one at the end of its 15 days', () => {
    assert.deepEqual(fetchAgain(link, createdAt), { ...link, fetchCount: 2 })
    assert.equal(fetchAgain({ ...link, fetchCount: 14 }, createdAt)?.fetchCount, 15)
    assert.throws(() => fetchAgain({ ...link, fetchCount: 15 }, createdAt), /Too many requests/)
    assert.notEqual(fetchAgain(link, at('2027-01-30T11:59:59Z')), undefined)
    assert.equal(fetchAgain(link, at('2027-01-30T12:00:00Z')), undefined)
    assert.equal(fetchAgain(undefined, createdAt), undefined)
  })

  test('is read back from its path as it was signed, and what was cut off is no link', () => {
    const digest = '0123456789abcdef'.repeat(4)
    for (const purpose of linkPurposes) {
      const signed = { purpose, keyId: link.keyId, customerId: link.customerId, at: createdAt }
      const path = linkPath(signed, digest)
      assert.equal(path, `500123/1800014400/${digest.slice(0, 32)}7a21f`)
      const read = readLinkPath(purpose, path)
      assert.equal(read?.signature, digest.slice(0, 32))
      assert.equal(read && signedText(read.link), signedText(signed))
    }
    assert.equal(readLinkPath('management', `500123/1800014400/${digest.slice(0, 32)}`), undefined)
    assert.equal(readLinkPath('management', ''), undefined)
  })

  test('lets in whom the merchant has let in; a letter brings its own key until the portal was closed', () => {
    const closed = { enabledAt: null, wasRevoked: false }
    const opened = { enabledAt: createdAt, wasRevoked: false }
    const reopened = { enabledAt: createdAt, wasRevoked: true }
    const before = createdAt.subtract({ seconds: 1 })
    const admitted = (purpose: (typeof linkPurposes)[number], moment: Temporal.Instant) =>
      [closed, { ...closed, wasRevoked: true }, opened, reopened].map((access) =>
        isAdmitted({ purpose, at: moment }, access),
      )
    assert.deepEqual(admitted('letter', before), [true, false, true, false])
    assert.deepEqual(admitted('management', before), [false, false, false, false])
    assert.deepEqual(admitted('letter', createdAt), [true, false, true, true])
    assert.deepEqual(admitted('management', createdAt), [false, false, true, true])
  })
})
