/** The invoice for machines says what the page says, and only what is on record. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { documents } from '../../test/support/printed-documents.ts'
import { cents } from '../billing/money.ts'
import type { PrintedDocument } from './document.ts'
import { electronicInvoice } from './electronic-invoice.ts'

const basic = documents['partial-payment']!

const amountOf = (xml: string, name: string): number =>
  Math.round(100 * Number(new RegExp(`<ram:${name}[^>]*>([^<]*)<`).exec(xml)?.[1] ?? 0))

const profileOf = (document: PrintedDocument): string | undefined => electronicInvoice(document)?.profile

describe('the profile', () => {
  test('is BASIC WL where the taxes explain the whole amount', () => {
    assert.equal(profileOf(basic), 'BASIC WL')
  })

  test('is MINIMUM where a rate, a base or the country of the buyer is not known', () => {
    const [tax] = basic.taxes
    assert.equal(profileOf({ ...basic, taxes: [{ ...tax!, ratePercent: null }] }), 'MINIMUM')
    assert.equal(profileOf({ ...basic, taxes: [{ ...tax!, base: null }] }), 'MINIMUM')
    assert.equal(profileOf({ ...basic, taxes: [{ ...tax!, base: cents(5000) }] }), 'MINIMUM')
    assert.equal(profileOf({ ...basic, taxes: [{ ...tax!, ratePercent: '7' }] }), 'MINIMUM')
    assert.equal(profileOf({ ...basic, buyer: { ...basic.buyer, country: null } }), 'MINIMUM')
  })

  test('is none without the VAT id or the country of the seller, and of what is no invoice', () => {
    assert.equal(profileOf({ ...basic, seller: { ...basic.seller, vatNumber: null } }), undefined)
    assert.equal(profileOf({ ...basic, seller: { ...basic.seller, country: null } }), undefined)
    assert.equal(profileOf({ ...basic, kind: 'statement' }), undefined)
  })
})

test('the amounts add up: lines less allowances is the basis, with the tax the grand total, less what was paid the rest', () => {
  for (const document of Object.values(documents)) {
    const invoice = electronicInvoice(document)
    if (invoice === null) continue
    const of = (name: string): number => amountOf(invoice.xml, name)
    assert.equal(of('TaxBasisTotalAmount') + of('TaxTotalAmount'), of('GrandTotalAmount'), document.number)
    assert.equal(of('GrandTotalAmount'), Math.abs(document.total))
    if (invoice.profile === 'MINIMUM') continue
    assert.equal(of('LineTotalAmount') - of('AllowanceTotalAmount'), of('TaxBasisTotalAmount'))
    assert.equal(of('GrandTotalAmount') - of('TotalPrepaidAmount'), of('DuePayableAmount'))
  }
})

test('a negative total is a credit note with positive amounts', () => {
  const { xml } = electronicInvoice(documents['credits-only']!)!
  assert.match(xml, /<ram:TypeCode>381</)
  assert.doesNotMatch(xml, />-\d/)
})

test('names are written as XML, and a VAT id begins with its country', () => {
  const seller = { ...basic.seller, name: '<A> & "B"\u0007', vatNumber: '123 456.789' }
  const { xml } = electronicInvoice({ ...basic, seller })!
  assert.match(xml, /<ram:Name>&lt;A&gt; &amp; &quot;B&quot;<\/ram:Name>/)
  assert.match(xml, /<ram:ID schemeID="VA">DE123456789</)
})
