/** Which errors come again for one row alone, and which pass with what is wrong with the database or the machine. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOfOneRow } from './database-trouble.ts'

const coded = (code: string, more: object = {}): Error => Object.assign(new Error('x'), { code, ...more })

test('an error of our own, and a row that the database refuses, belong to the row', () => {
  for (const error of [new Error('a bug'), new RangeError('no such date'), coded('ERR_ASSERTION')])
    assert.equal(isOfOneRow(error), true)
  for (const code of ['22003', '22P02', '23505', '54000', 'P0001']) assert.equal(isOfOneRow(coded(code)), true, code)
})

test('a database that is away, full, busy or of another version belongs to nobody, and neither does the machine', () => {
  const codes = ['57P01', '08006', '53100', '53300', '57014', '40P01', '42703', '25P02', 'XX000', '28P01', 'ECONNRESET']
  for (const code of codes) assert.equal(isOfOneRow(coded(code)), false, code)
  assert.equal(isOfOneRow(new Error('Connection terminated unexpectedly')), false)
  assert.equal(isOfOneRow(coded('EMFILE', { syscall: 'open' })), false)
})
