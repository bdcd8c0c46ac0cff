/** What XML is written, and that it says the same as JSON. */

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { readJson } from './json.ts'
import type { Shape } from './shape.ts'
import { readXml, writeXml } from './xml.ts'

const body = (root: string, value: unknown, shape?: Shape): string =>
  writeXml(root, value, shape).replace('<?xml version="1.0" encoding="UTF-8"?>\n', '').trimEnd()

/** Objects without a prototype compare as plain ones. */
const plain = (tree: unknown): unknown => JSON.parse(JSON.stringify(tree))

describe('writing XML', () => {
  it('begins with the declaration and ends with a line feed', () => {
    assert.equal(writeXml('status', 'ok', 'string'), '<?xml version="1.0" encoding="UTF-8"?>\n<status>ok</status>\n')
  })

  const typed: [string, unknown, Shape | undefined, string][] = [
    ['an integer', 12, 'integer', '<x type="integer">12</x>'],
    ['a boolean', false, 'boolean', '<x type="boolean">false</x>'],
    [
      'a datetime that is a string in JSON',
      '2026-01-31T00:00:00Z',
      'datetime',
      '<x type="datetime">2026-01-31T00:00:00Z</x>',
    ],
    ['a decimal that is a string in JSON', '6.0', 'decimal', '<x type="decimal">6.0</x>'],
    ['a string', 'a b', 'string', '<x>a b</x>'],
    ['an empty string, which is not null', '', 'string', '<x></x>'],
    ['a null string', null, 'string', '<x nil="true"/>'],
    ['a null integer, which keeps its type', null, 'integer', '<x type="integer" nil="true"/>'],
    ['a null boolean', null, 'boolean', '<x type="boolean" nil="true"/>'],
    ['a null datetime', null, 'datetime', '<x type="datetime" nil="true"/>'],
    ['a null without a shape', null, undefined, '<x nil="true"/>'],
    ['an inferred integer', 12, undefined, '<x type="integer">12</x>'],
    ['an inferred decimal', 1.5, undefined, '<x type="decimal">1.5</x>'],
    ['an inferred boolean', true, undefined, '<x type="boolean">true</x>'],
    [
      'an inferred list',
      [1, 'a', null],
      undefined,
      '<x type="array"><item type="integer">1</item><item>a</item><item nil="true"/></x>',
    ],
    ['an empty list', [], { list: 'string', item: 'id' }, '<x type="array"></x>'],
    [
      'a list',
      [1, 2],
      { list: 'integer', item: 'id' },
      '<x type="array"><id type="integer">1</id><id type="integer">2</id></x>',
    ],
    ['a list without its type', ['a'], { list: 'string', item: 'error', isUntyped: true }, '<x><error>a</error></x>'],
    [
      'an object with a type of its own',
      { id: 1 },
      { fields: { id: 'integer' }, xmlType: 'PaymentProfile' },
      '<x type="PaymentProfile"><id type="integer">1</id></x>',
    ],
    ['a null object', null, { fields: {} }, '<x nil="true"/>'],
    [
      'a field that is undefined, as JSON does: not at all',
      { a: undefined, b: 1 },
      { fields: {} },
      '<x><b type="integer">1</b></x>',
    ],
  ]
  for (const [name, value, shape, expected] of typed) {
    it(`writes ${name}`, () => assert.equal(body('x', value, shape), expected))
  }

  it('escapes markup and carriage returns, and replaces what XML cannot say', () => {
    assert.equal(body('x', `<a href="b">&]]>\r\n\t'`), `<x>&lt;a href="b"&gt;&amp;]]&gt;&#13;\n\t'</x>`)
    assert.equal(body('x', 'a\0b\u0001c\ufffed\ud800e'), '<x>a\ufffdb\ufffdc\ufffdd\ufffde</x>')
    assert.equal(body('x', '\u{1f600}é中'), '<x>\u{1f600}é中</x>')
  })

  it('makes names out of keys that are none', () => {
    assert.equal(
      body('x', { 'a b': 1, '1st': 2, '<': 3 }),
      '<x><a_b type="integer">1</a_b><_1st type="integer">2</_1st><_ type="integer">3</_></x>',
    )
  })
})

const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,7}$/).filter((one) => one !== 'constructor' && one !== 'prototype')
// biome-ignore lint/suspicious/noControlCharactersInRegex: the very characters that XML has no way to write
const writable = (text: string): boolean => text.isWellFormed() && !/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/.test(text)
const anyText = fc.string({ unit: 'binary', maxLength: 20 }).filter(writable)

type Case = { readonly shape: Shape; readonly value: unknown }
const leaf: fc.Arbitrary<Case> = fc.oneof(
  fc.record({ shape: fc.constant<Shape>('string'), value: fc.option(anyText) }),
  fc.record({ shape: fc.constant<Shape>('integer'), value: fc.option(fc.maxSafeInteger().map((one) => one + 0 || 0)) }),
  fc.record({ shape: fc.constant<Shape>('boolean'), value: fc.option(fc.boolean()) }),
  fc.record({
    shape: fc.constant<Shape>('datetime'),
    value: fc.option(fc.constantFrom('2026-02-28T23:59:59-05:00', '2024-02-29T00:00:00Z')),
  }),
  fc.record({ shape: fc.constant<Shape>('decimal'), value: fc.option(fc.constantFrom('0.00', '-12.5', '6.125')) }),
)
const { tree } = fc.letrec<{ tree: Case; list: Case; object: Case }>((tie) => ({
  tree: fc.oneof({ depthSize: 'small', withCrossShrink: true }, leaf, tie('object'), tie('list')),
  list: fc.tuple(leaf, fc.nat(3), name).map(([{ shape, value }, length, item]) => ({
    shape: { list: shape, item },
    value: Array(length).fill(value),
  })),
  object: fc.dictionary(name, tie('tree'), { minKeys: 1, maxKeys: 5 }).map((fields) => ({
    shape: { fields: Object.fromEntries(Object.entries(fields).map(([key, one]) => [key, one.shape])) },
    value: Object.fromEntries(Object.entries(fields).map(([key, one]) => [key, one.value])),
  })),
}))

describe('XML and JSON of the same tree', () => {
  it('carry the same values and round-trip', () => {
    fc.assert(
      fc.property(name, tree, (root, { shape, value }) => {
        const throughXml = readXml(writeXml(root, value, shape))
        const throughJson = readJson(JSON.stringify({ [root]: value }))
        assert.deepEqual(plain(throughXml), throughJson)
      }),
      { numRuns: 300 },
    )
  })

  it('are readable whatever the strings and names hold', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.dictionary(fc.string({ unit: 'binary' }), fc.string()),
        (text, fields) => {
          const names = Object.keys(fields).filter((one) => !/^(?:__proto__|constructor|prototype)$/.test(one))
          const value = { text, ...Object.fromEntries(names.map((one) => [one, fields[one]])) }
          assert.doesNotThrow(() => readXml(writeXml('x', value)))
        },
      ),
      { numRuns: 300 },
    )
  })
})
