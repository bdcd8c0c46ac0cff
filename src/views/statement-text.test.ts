/** The text of a statement: never wider than its columns, whatever people write, and with all that was written. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { atBothEnds, padEnd, widthOf, wrap } from './columns.ts'
import type { StatementContent, StatementLine } from './statement-content.ts'
import { basicStatementHtml, statementHtml } from './statement-html.ts'
import { statementText } from './statement-text.ts'

const line: StatementLine = {
  at: '11/20/2026 07:05AM',
  type: 'Recur',
  detail: 'Basic (11/20/2026 - 12/20/2026)',
  card: null,
  amount: '$50.00',
}
const content: StatementContent = {
  id: 500001,
  merchantName: 'Acme',
  product: 'Almanacs - Basic',
  summary: [
    ['ID', '500001'],
    ['Balance Paid', '11/20/2026 07:05AM EST'],
  ],
  account: { name: 'Ada Lovelace', organization: null, email: 'ada@example.com', phone: null },
  shippingAddress: ['12 St James’s Square', 'London 02120'],
  billingAddress: [],
  charges: [line],
  chargesTotal: '$50.00',
  payments: [{ ...line, type: 'CCPay', card: 'XXXX-XXXX-XXXX-1 bogus (01/2026)' }],
  futurePayments: [],
  activity: [{ at: '11/20/2026 07:05AM', title: 'Signup Success', message: 'Successful signup for Ada' }],
  closing: 'Thank you for your business!',
}

describe('a statement as text', () => {
  test('has its number and its product at the right edge, and titles between rules', () => {
    const lines = statementText(content).split('\n')
    assert.equal(lines[0], `Acme${' '.repeat(68)}(500001)`)
    assert.equal(lines[1], 'Almanacs - Basic'.padStart(80))
    assert.equal(lines[2], '='.repeat(80))
    assert.ok(lines.includes(' Account Information'))
    assert.ok(lines.includes('  Balance Paid......: 11/20/2026 07:05AM EST'))
    assert.ok(lines.includes('No payments this period') === false)
    assert.match(statementText({ ...content, payments: [] }), /No payments this period/)
    assert.match(statementText({ ...content, charges: [] }), /No charges this period/)
  })

  test('is never wider than 80 columns, and loses nothing of what was written', () => {
    const word = fc.string({
      unit: fc.constantFrom('a', 'é', 'Ж', '中', '한', '😀', 'e\u0301', '<', '\t'),
      minLength: 1,
      maxLength: 120,
    })
    const words = fc.array(word, { minLength: 1, maxLength: 8 }).map((list) => list.join(' '))
    fc.assert(
      fc.property(words, words, words, (detail, name, title) => {
        const text = statementText({
          ...content,
          merchantName: name,
          product: title,
          account: { ...content.account, name, organization: title },
          shippingAddress: [detail],
          charges: [{ ...line, detail }],
          payments: [{ ...line, detail: name, card: title }],
          activity: [{ at: line.at, title, message: detail }],
          closing: name,
        })
        for (const one of text.split('\n')) assert.ok(widthOf(one) <= 80, `${widthOf(one)}: ${one}`)
        const dense = (some: string): string => some.replace(/\s/g, '')
        assert.ok(dense(text).endsWith(dense(name)))
        assert.ok(dense(text).includes(dense(detail)))
      }),
      { numRuns: 50 },
    )
  })
})

describe('columns', () => {
  test('wide characters take two, marks on letters none', () => {
    assert.deepEqual(['abc', '中文', 'e\u0301', '한국', '😀', 'ｱ'].map(widthOf), [3, 4, 1, 4, 2, 1])
    assert.equal(padEnd('中', 4), '中  ')
  })

  test('lines break between words, and inside a word that is longer than a line', () => {
    assert.deepEqual(wrap('one two three', 7), ['one two', 'three'])
    assert.deepEqual(wrap('abcdefghij kl', 4), ['abcd', 'efgh', 'ij', 'kl'])
    assert.deepEqual(wrap('中文中文', 5), ['中文', '中文'])
    assert.deepEqual(wrap('', 5), [''])
    assert.deepEqual(wrap(' a\n b\u0000c ', 5), ['a b c'])
  })

  test('what does not fit on both ends of a line takes two', () => {
    assert.deepEqual(atBothEnds('left', 'right', 10), ['left right'])
    assert.deepEqual(atBothEnds('left', 'right', 9), ['left', '    right'])
  })
})

describe('a statement as HTML', () => {
  const hostile = '<img src=x onerror=alert(1)> & "\'</style></title><script>'
  const attacked: StatementContent = {
    ...content,
    merchantName: hostile,
    product: hostile,
    account: { name: hostile, organization: hostile, email: hostile, phone: hostile },
    shippingAddress: [hostile],
    billingAddress: [hostile],
    charges: [{ ...line, detail: hostile }],
    payments: [{ ...line, card: hostile }],
    futurePayments: [{ ...line, detail: hostile }],
    activity: [{ at: line.at, title: hostile, message: hostile }],
    closing: hostile,
  }

  test('shows what people wrote and never runs it', () => {
    for (const shown of [statementHtml(attacked), basicStatementHtml(attacked)]) {
      assert.doesNotMatch(shown, /<img|<script/)
      assert.ok(shown.split('&lt;img src=x onerror=alert(1)&gt; &amp; &quot;').length > 12)
    }
  })

  test('has one table with an id for each part, none twice', () => {
    for (const shown of [statementHtml(attacked), basicStatementHtml(content)]) {
      const ids = [...shown.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!)
      assert.equal(ids[0], 'billing_statement')
      assert.ok(ids.every((id) => id.startsWith('billing_statement')))
      assert.deepEqual(ids, [...new Set(ids)])
    }
    assert.match(basicStatementHtml(content), /^<table id="billing_statement">/)
  })
})
