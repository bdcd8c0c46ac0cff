/** How a tree is written as a form, and that decoders which are not ours read it back. */
import assert from 'node:assert/strict'
import { parse as parseQuery } from 'node:querystring'
import { test } from 'node:test'
import fc from 'fast-check'
import qs from 'qs'
import { type FormTree, writeForm } from './form.ts'

test('the recorded writing: brackets as they are, blanks %20, no value for null, quotes and brackets of values raw', () => {
  assert.equal(
    writeForm({
      id: 7,
      event: 'test',
      payload: {
        at: '2016-11-08 16:22:20 -0500',
        mail: 'a@b.co',
        memo: "it's (new)!",
        sum: '$5/mo, ok',
        none: null,
        yes: true,
      },
    }),
    "id=7&event=test&payload[at]=2016-11-08%2016%3A22%3A20%20-0500&payload[mail]=a%40b.co&payload[memo]=it's%20(new)!" +
      '&payload[sum]=%245%2Fmo%2C%20ok&payload[none]=&payload[yes]=true',
  )
})

test('the test webhook is written as it was recorded', () => {
  assert.equal(
    writeForm({ id: 123456, event: 'test', payload: { kalends: 'testing' } }),
    'id=123456&event=test&payload[kalends]=testing',
  )
})

test('items of lists carry their number; what is empty leaves no trace', () => {
  assert.equal(
    writeForm({ list: [{ id: 1 }, { id: 2 }], none: [], nothing: {}, last: 0 }),
    'list[0][id]=1&list[1][id]=2&last=0',
  )
})

const leaf = fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.boolean(), fc.constant(null))
const name = fc.stringMatching(/^[a-z]{1,6}$/)
const tree = fc.dictionary(name, fc.oneof(leaf, fc.dictionary(name, leaf, { noNullPrototype: true })), {
  noNullPrototype: true,
})

const asText = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, asText(inner)]))
    : value === null
      ? ''
      : String(value)
const full = (value: object): object =>
  Object.fromEntries(
    Object.entries(value).filter(
      ([, inner]) => typeof inner !== 'object' || inner === null || Object.keys(inner).length > 0,
    ),
  )

test('decoders that are not ours read back what was written', () => {
  fc.assert(
    fc.property(tree, (written) => {
      const text = writeForm(written as FormTree)
      const read: unknown = qs.parse(text, {
        parameterLimit: 10_000,
        arrayLimit: 0,
        depth: 9,
        ignoreQueryPrefix: false,
      })
      assert.deepEqual(JSON.parse(JSON.stringify(read)), asText(full(written)))
      const flat = parseQuery(text, '&', '=', { maxKeys: 0 })
      for (const [path, value] of Object.entries(full(written))) {
        if (typeof value !== 'object' || value === null) assert.equal(flat[path], asText(value))
        else for (const [inner, last] of Object.entries(value)) assert.equal(flat[`${path}[${inner}]`], asText(last))
      }
    }),
    { numRuns: 150 },
  )
})
