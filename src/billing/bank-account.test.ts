/** The numbers of bank accounts, and what a mask leaves of them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bankNumberIn, isAccountNumber, isBankCode, isIban, maskBankNumber } from './bank-account.ts'
import { lastFourOf } from './payment-profile.ts'

test('a mask shows four characters of a number, and no account number is so short that it shows all of it', () => {
  assert.equal(maskBankNumber('0011223344'), 'XXXX3344')
  assert.equal(maskBankNumber(null), 'XXXX')
  for (const number of ['1', '4', '12345', '12345678901234567890']) assert.ok(isAccountNumber(number), number)
  for (const number of ['', '5', '1234', '123456789012345678901', '12a45', '12 345']) {
    assert.ok(!isAccountNumber(number), number)
  }
})

test('what a mask leaves is read from cards and accounts alike', () => {
  for (const [mask, left] of [
    ['XXXX-XXXX-XXXX-1111', '1111'],
    ['XXXX-XXXX-XXXX-1', '1'],
    ['XXXX3344', '3344'],
    ['XXXX1', '1'],
    ['XXXXA1X4', 'A1X4'],
    ['XXXX', ''],
  ] as const) {
    assert.equal(lastFourOf(mask), left)
  }
})

test('an IBAN needs its checksum; numbers are read with blanks and dashes between their groups', () => {
  assert.equal(bankNumberIn('de62 3704-0044'), 'DE6237040044')
  for (const iban of ['DE62370400440532013001', 'GB82WEST12345698765432', 'MT84MALT011000012345MTLCAST001S']) {
    assert.ok(isIban(iban), iban)
  }
  for (const iban of ['DE62370400440532013002', 'GB82', '', '82GBWEST12345698765432']) assert.ok(!isIban(iban), iban)
  for (const code of ['021000089', '40-40-40'.replaceAll('-', ''), '082']) assert.ok(isBankCode(code), code)
  for (const code of ['', '12', '0210000890000']) assert.ok(!isBankCode(code), code)
})
