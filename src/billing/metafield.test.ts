/** What becomes of the values in fields when several are set, moved and taken out at once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  decideMetadata,
  decideMetadataRemoval,
  type MetadatumChange,
  type Metafield,
  metafieldProblems,
  metafieldsMax,
  metafieldTerms,
  newMetafield,
  tooManyMetafields,
  valueBytesMax,
} from './metafield.ts'

const at = Temporal.Instant.from('2027-01-15T12:00:00Z')
const owner = { siteId: 1, resourceType: 'customer', resourceId: 7, customerId: 7, at } as const
const field = (id: number, name: string): [string, Metafield] => [
  name,
  { ...newMetafield(name), siteId: 1, id, resourceType: 'customer' },
]
const fields = new Map([field(1, 'color'), field(2, 'size')])
const before = [{ metafieldId: 1, name: 'color', resourceId: 7, value: 'blue' }]
const set = (name: string, value: string | null, currentName: string | null = null): MetadatumChange => ({
  name,
  value,
  currentName,
})

test('of several words about one field the last one counts, and is told once', () => {
  const changes = decideMetadata({ owner, fields, before }, [set('color', 'red'), set('color', 'green')])
  assert.deepEqual(changes.set, [{ metafieldId: 1, value: 'green' }])
  assert.equal(changes.events.length, 1)
})

test('what comes back to where it was leaves no trace', () => {
  const there = [set('size', null, 'color'), set('color', null, 'size')]
  assert.deepEqual(decideMetadata({ owner, fields, before }, there), { set: [], removed: [], events: [] })
})

test('a value that moves to a field takes the place of what stands there', () => {
  const both = [...before, { metafieldId: 2, name: 'size', resourceId: 7, value: '10' }]
  const changes = decideMetadata({ owner, fields, before: both }, [set('size', null, 'color')])
  assert.deepEqual([changes.set, changes.removed], [[{ metafieldId: 2, value: 'blue' }], [1]])
  assert.deepEqual(
    changes.events.map((event) => event.eventSpecificData?.event_type),
    ['deleted', 'updated'],
  )
})

test('values for something new are judged before it is made: what a field offers, and how many fields there may be', () => {
  const known = new Map([
    ['plan', { choices: ['gold', 'silver'] }],
    ['color', { choices: null }],
  ])
  const asked = (name: string, value: string): MetadatumChange => ({ name, currentName: null, value })
  const lead = asked('plan', 'lead')
  const unfit = 'Metafields plan: must be one of gold, silver.'
  assert.deepEqual(metafieldProblems(known, 200, [asked('plan', 'gold'), asked('color', 'lead')]), [])
  assert.deepEqual(metafieldProblems(known, 2, [lead]), [unfit])
  assert.deepEqual(metafieldProblems(known, 199, [asked('size', '1')]), [])
  assert.deepEqual(metafieldProblems(known, 200, [lead, asked('size', '1')]), [unfit, tooManyMetafields])
  assert.deepEqual(metafieldProblems(known, 201, [asked('color', 'red')]), [])
})

test('a value that is not there cannot be moved, and taking it out changes nothing', () => {
  const known = { owner, fields, before }
  assert.throws(() => decideMetadata(known, [set('color', 'red', 'size')]), /no metadata of that name/)
  assert.throws(() => decideMetadata(known, [set('size', null)]), /Value: cannot be blank/)
  assert.equal(decideMetadataRemoval(known, ['size']), undefined)
  assert.deepEqual(decideMetadataRemoval(known, ['color', 'size'])?.removed, [1])
})

test('a new field is plain text, offers no choices and is shown nowhere', () => {
  const scope = { csv: false, statements: false, invoices: false, portal: false, public_show: false }
  assert.deepEqual(newMetafield('color'), {
    ...{ name: 'color', inputType: 'text', choices: null },
    scope: { ...scope, public_edit: false, hosted: [] },
  })
})

test('choices go with radio and dropdown, where there must be some; other fields drop them', () => {
  const before = newMetafield('plan')
  const choices = ['gold', 'silver']
  for (const inputType of ['radio', 'dropdown'] as const) {
    assert.deepEqual(metafieldTerms(before, { inputType, choices }), { ...before, inputType, choices })
    assert.throws(() => metafieldTerms(before, { inputType }), /Enum: cannot be blank/)
    assert.throws(() => metafieldTerms(before, { inputType, choices: [] }), /Enum: cannot be blank/)
  }
  for (const inputType of ['text', 'balance_tracker'] as const) {
    assert.deepEqual(metafieldTerms({ ...before, inputType: 'radio', choices }, { inputType }), {
      ...before,
      inputType,
    })
  }
})

test('a value that a field does not offer is refused when it is set', () => {
  const plan: Metafield = { ...fields.get('size')!, inputType: 'radio', choices: ['gold'] }
  const known = { owner, fields: new Map([['size', plan]]), before: [] }
  assert.throws(() => decideMetadata(known, [set('size', 'lead')]), /^Refusal: Value: must be one of gold\.$/)
  assert.deepEqual(decideMetadata(known, [set('size', 'gold')]).set, [{ metafieldId: 2, value: 'gold' }])
})

test('fields have limits that merchants can read: 200 for each type of resource, 2048 bytes a value', () => {
  assert.deepEqual([metafieldsMax, valueBytesMax], [200, 2048])
})
