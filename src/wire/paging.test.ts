/** Which part of a list is asked for, whatever was sent. */

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readDirection, readIdWindow, readPage } from './paging.ts'

const messages = (read: () => unknown): readonly string[] => {
  try {
    read()
  } catch (error) {
    return (error as { messages: readonly string[] }).messages
  }
  return assert.fail('nothing was refused')
}

describe('a page of a list', () => {
  it('is the first one of 20 unless said otherwise', () => {
    assert.deepEqual(readPage({}), { page: 1, perPage: 20, offset: 0 })
    assert.deepEqual(readPage({}, { perPageDefault: 50 }), { page: 1, perPage: 50, offset: 0 })
    assert.deepEqual(readPage({ page: '3', per_page: '7' }), { page: 3, perPage: 7, offset: 14 })
    assert.deepEqual(readPage({ page: ['1', '2'] }), { page: 2, perPage: 20, offset: 20 })
  })

  it('has at most 200 entries; more is lowered, not refused', () => {
    assert.equal(readPage({ per_page: '200' }).perPage, 200)
    assert.equal(readPage({ per_page: '201' }).perPage, 200)
    assert.equal(readPage({ per_page: '9'.repeat(60) }).perPage, 200)
    assert.equal(readPage({ per_page: '201' }, { perPageDefault: 50, perPageMax: 50 }).perPage, 50)
  })

  it('has the usual size for per_page=0, and is refused for what is no whole number', () => {
    assert.equal(readPage({ per_page: '0' }).perPage, 20)
    for (const per_page of ['-5', 'x', '1.5', ' ']) {
      assert.deepEqual(
        messages(() => readPage({ per_page })),
        ['Per page: is not a number.'],
      )
    }
  })

  it('is refused when there can be no such page, without repeating what is no number', () => {
    assert.deepEqual(
      messages(() => readPage({ page: '0' })),
      ['invalid page: 0'],
    )
    assert.deepEqual(
      messages(() => readPage({ page: '-1' })),
      ['invalid page: -1'],
    )
    assert.deepEqual(
      messages(() => readPage({ page: '1.5' })),
      ['invalid page'],
    )
    assert.deepEqual(
      messages(() => readPage({ page: 'abc<script>' })),
      ['invalid page'],
    )
    assert.deepEqual(
      messages(() => readPage({ page: '9'.repeat(65) })),
      ['invalid page'],
    )
  })

  for (const page of ['9007199254740992', '99999999999999999999', '9'.repeat(64)]) {
    it(`may lie beyond any list: ${page}`, () => {
      for (const per_page of ['1', '200']) {
        const { offset } = readPage({ page, per_page })
        assert.ok(Number.isSafeInteger(offset) && offset > 1e15)
      }
    })
  }
})

describe('an order and a window of ids', () => {
  it('read direction in any case', () => {
    assert.equal(readDirection({}, 'desc'), 'desc')
    assert.equal(readDirection({ direction: 'asc' }, 'desc'), 'asc')
    assert.equal(readDirection({ direction: 'DESC' }, 'asc'), 'desc')
    assert.deepEqual(
      messages(() => readDirection({ direction: 'up' }, 'asc')),
      ['Direction: must be one of asc, desc.'],
    )
  })

  it('read since_id and max_id', () => {
    assert.deepEqual(readIdWindow({}), { sinceId: null, maxId: null })
    assert.deepEqual(readIdWindow({ since_id: '5', max_id: '0' }), { sinceId: 5, maxId: 0 })
    assert.deepEqual(readIdWindow({ max_id: '9'.repeat(30) }), { sinceId: null, maxId: Number.MAX_SAFE_INTEGER })
    assert.deepEqual(
      messages(() => readIdWindow({ since_id: '-1' })),
      ['Since id: is not a number.'],
    )
    assert.deepEqual(
      messages(() => readIdWindow({ max_id: 'x' })),
      ['Max id: is not a number.'],
    )
  })
})
