/** Which format is chosen, as a table. */

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { processorMs } from '../../test/support/patience.ts'
import { answerFormat, bodyFormat } from './negotiation.ts'
import type { Format } from './request.ts'

const trees: Format[] = ['json', 'xml']
const withPdf: Format[] = ['json', 'xml', 'pdf']
const json = 'application/json'
const xml = 'application/xml'
const pdf = 'application/pdf'
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

type Row = [
  suffix: Format | undefined,
  accept: string | undefined,
  contentType: string | undefined,
  offered: Format[],
  expected: Format | undefined,
]

describe('the format of the answer', () => {
  const table: Row[] = [
    // The suffix wins over everything.
    ['xml', json, json, trees, 'xml'],
    ['json', xml, xml, trees, 'json'],
    ['json', 'text/html', undefined, trees, 'json'],
    ['pdf', json, undefined, withPdf, 'pdf'],
    ['pdf', undefined, undefined, trees, undefined],
    // Accept.
    [undefined, json, undefined, trees, 'json'],
    [undefined, xml, json, trees, 'xml'],
    [undefined, 'text/xml', undefined, trees, 'xml'],
    [undefined, 'APPLICATION/XML; charset=utf-8', undefined, trees, 'xml'],
    [undefined, `${json}, ${xml}`, undefined, trees, 'json'],
    [undefined, `${xml}, ${json}`, undefined, trees, 'xml'],
    [undefined, `${xml};q=0.5, ${json};q=0.6`, undefined, trees, 'json'],
    [undefined, `${json};q=0.5,${xml} ; q=0.501`, undefined, trees, 'xml'],
    [undefined, `${xml}, */*`, undefined, trees, 'xml'],
    [undefined, `*/*, ${xml}`, undefined, trees, 'xml'],
    [undefined, browser, undefined, trees, 'xml'],
    [undefined, `${json};q=0, */*`, undefined, trees, 'xml'],
    [undefined, `${xml};q=0, */*`, undefined, trees, 'json'],
    [undefined, pdf, undefined, withPdf, 'pdf'],
    [undefined, `${pdf}, ${json};q=0.9`, undefined, withPdf, 'pdf'],
    [undefined, `${pdf}, ${json};q=0.9`, undefined, trees, 'json'],
    // Nothing that we speak.
    [undefined, 'text/html', undefined, trees, undefined],
    [undefined, 'image/png, text/csv;q=0.5', json, trees, undefined],
    [undefined, pdf, undefined, trees, undefined],
    [undefined, `${json};q=0`, undefined, trees, undefined],
    [undefined, '*/*;q=0', undefined, trees, undefined],
    // A wildcard, or nothing, leaves it to the Content-Type.
    [undefined, '*/*', xml, trees, 'xml'],
    [undefined, '*/*', json, trees, 'json'],
    [undefined, 'application/*', xml, trees, 'xml'],
    [undefined, undefined, xml, trees, 'xml'],
    [undefined, '', xml, trees, 'xml'],
    [undefined, undefined, 'text/xml; charset=utf-8', trees, 'xml'],
    [undefined, undefined, pdf, withPdf, 'pdf'],
    [undefined, undefined, pdf, trees, 'json'],
    // JSON at last, never a PDF by chance.
    [undefined, undefined, undefined, trees, 'json'],
    [undefined, '*/*', undefined, withPdf, 'json'],
    [undefined, '*', undefined, withPdf, 'json'],
    [undefined, '*/*', 'application/x-www-form-urlencoded', trees, 'json'],
    [undefined, ', ,;q=1', undefined, trees, 'json'],
  ]
  for (const [suffix, accept, contentType, offered, expected] of table) {
    const title = `suffix ${suffix ?? '-'}, Accept ${accept ?? '-'}, Content-Type ${contentType ?? '-'}, of ${offered.join()}`
    it(`${title}: ${expected ?? '406'}`, () =>
      assert.equal(answerFormat(suffix, accept, contentType, offered), expected))
  }

  it('is found in no time in a hostile Accept header', () => {
    const cost = processorMs(() => {
      answerFormat(undefined, 'a/b;'.repeat(4000), undefined, trees)
      answerFormat(undefined, `${'*/*,'.repeat(4000)}${xml}`, undefined, trees)
      answerFormat(undefined, `x;q=${' '.repeat(16_000)}1`, undefined, trees)
    })
    assert.ok(cost < 100, `${cost} ms`)
  })
})

describe('the format of the body', () => {
  const table: [
    contentType: string | undefined,
    suffix: Format | undefined,
    answered: Format,
    expected: 'json' | 'xml' | 415,
  ][] = [
    [json, undefined, 'json', 'json'],
    ['application/json; charset=utf-8', 'xml', 'xml', 'json'],
    ['application/json; charset="UTF-8"', undefined, 'json', 'json'],
    [xml, 'json', 'json', 'xml'],
    ['text/xml', undefined, 'json', 'xml'],
    [undefined, 'xml', 'xml', 'xml'],
    [undefined, undefined, 'xml', 'xml'],
    [undefined, undefined, 'json', 'json'],
    ['', 'json', 'json', 'json'],
    ['application/x-www-form-urlencoded', 'json', 'json', 415],
    ['multipart/form-data; boundary=x', undefined, 'json', 415],
    ['text/plain', 'json', 'json', 415],
    ['application/yaml', undefined, 'json', 415],
    [pdf, undefined, 'json', 415],
    ['json', undefined, 'json', 415],
    ['application/json; charset=iso-8859-1', undefined, 'json', 415],
    [undefined, 'pdf', 'pdf', 415],
  ]
  for (const [contentType, suffix, answered, expected] of table) {
    it(`Content-Type ${contentType ?? '-'}, suffix ${suffix ?? '-'}, answered in ${answered}: ${expected}`, () => {
      if (expected === 415) assert.throws(() => bodyFormat(contentType, suffix, answered), { status: 415 })
      else assert.equal(bodyFormat(contentType, suffix, answered), expected)
    })
  }
})
