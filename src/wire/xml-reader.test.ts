/** What trees XML is read into. */

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readXml } from './xml-reader.ts'

const read = (text: string): unknown => JSON.parse(JSON.stringify(readXml(text)))

describe('reading XML', () => {
  const cases: [string, string, unknown][] = [
    ['untyped leaves as strings', '<c><zip>02120</zip><n>1e3</n></c>', { c: { zip: '02120', n: '1e3' } }],
    ['dashes as underscores', '<s><product-handle>gold</product-handle></s>', { s: { product_handle: 'gold' } }],
    ['integers', '<a><b type="integer">-7</b></a>', { a: { b: -7 } }],
    ['an integer that is none as it stands', '<a><b type="integer">4x</b></a>', { a: { b: '4x' } }],
    ['digits beyond the exact range as text', '<b type="integer">9007199254740993</b>', { b: '9007199254740993' }],
    ['booleans', '<a><b type="boolean">true</b><c type="boolean">0</c></a>', { a: { b: true, c: false } }],
    [
      'datetimes as text, in both spellings',
      '<a><b type="datetime">2026</b><c type="dateTime">x</c></a>',
      { a: { b: '2026', c: 'x' } },
    ],
    [
      'an empty typed element as null',
      '<a><b type="dateTime"></b><c type="integer"/><d type="boolean"> </d></a>',
      { a: { b: null, c: null, d: null } },
    ],
    ['an empty untyped element as an empty string', '<a><b></b><c/></a>', { a: { b: '', c: '' } }],
    [
      'nil as null',
      '<a><b nil="true"/><c nil="1" type="integer"/><d xsi:nil="true"></d></a>',
      { a: { b: null, c: null, d: null } },
    ],
    ['nil with text as null', '<a nil="true">text</a>', { a: null }],
    ['nil="false" as nothing special', '<a nil="false">text</a>', { a: 'text' }],
    ['lists', '<ids type="array"><id type="integer">1</id><id>2</id></ids>', { ids: [1, '2'] }],
    ['empty lists', '<a><ids type="array"/><b type="array"> \n </b></a>', { a: { ids: [], b: [] } }],
    ['repeated names as a list', '<a><b>1</b><c>x</c><b>2</b><b>3</b></a>', { a: { b: ['1', '2', '3'], c: 'x' } }],
    ['lists of objects', '<l type="array"><o><a>1</a></o><o><a>2</a></o></l>', { l: [{ a: '1' }, { a: '2' }] }],
    [
      'unknown types as text',
      '<a><b type="yaml">--- !ruby/object:X</b><c type="symbol">x</c><d type="file">y</d></a>',
      { a: { b: '--- !ruby/object:X', c: 'x', d: 'y' } },
    ],
    [
      'a type of an object without a meaning for us',
      '<a><card type="PaymentProfile"><id>1</id></card></a>',
      { a: { card: { id: '1' } } },
    ],
    [
      'CDATA, comments and the five entities',
      '<a><b><![CDATA[<x> & y]]></b><!-- c --><d>&lt;&amp;&gt;&quot;&apos;&#x41;</d></a>',
      { a: { b: '<x> & y', d: `<&>"'A` } },
    ],
    ['namespaces away', '<x:a xmlns:x="urn:y"><x:b x:type="z">1</x:b></x:a>', { a: { b: '1' } }],
    ['the spaces of a text, and none between elements', '<a>\n  <b> x\n y </b>\n</a>', { a: { b: ' x\n y ' } }],
    ['a declaration', '<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<a>1</a>', { a: '1' }],
  ]
  for (const [title, text, tree] of cases) it(`reads ${title}`, () => assert.deepEqual(read(text), tree))

  it('gives objects without a prototype', () => {
    const tree = readXml('<a><b><c>1</c></b></a>') as { a: { b: object } }
    assert.equal(Object.getPrototypeOf(tree), null)
    assert.equal(Object.getPrototypeOf(tree.a.b), null)
  })
})
