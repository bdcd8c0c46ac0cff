/** Every field of every writing endpoint around subscriptions, wrong in every way: a 422 that names the field, and nothing is written. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allocationInput } from '../../src/api/allocation-input.ts'
import { countedComponentInput } from '../../src/api/component-input.ts'
import { couponDatesInput, couponInput } from '../../src/api/coupon-input.ts'
import { couponRestrictionsInput } from '../../src/api/coupon-restriction-input.ts'
import { newCustomerInput } from '../../src/api/customer-input.ts'
import { migrationInput } from '../../src/api/migrations.ts'
import { noteInput } from '../../src/api/notes.ts'
import { reasonCodeInput } from '../../src/api/reason-codes.ts'
import { refusedFields } from '../../src/api/refused-fields.ts'
import { signupInput } from '../../src/api/signup-input.ts'
import { cancellationInput, holdInput, overrideInput } from '../../src/api/subscription-acts-input.ts'
import { updateInput } from '../../src/api/subscription-update-input.ts'
import { taxInput } from '../../src/api/tax-input.ts'
import { everyEndpoint } from './bad-input-endpoints.ts'
import { openPlace } from './bad-input-place.ts'
import type { Endpoint } from './bad-input-subscriptions.ts'
import { withValue } from './bad-values.ts'
import { countRows } from './table-counts.ts'
import { type Format, formats, type Say, speaker, wordsOf } from './two-formats.ts'

const place = await openPlace()
const endpoints = everyEndpoint(place)

/** What was answered otherwise than it should; empty when all is well. */
async function wrongsOf(say: Say, endpoint: Endpoint, format: Format): Promise<string[]> {
  const { line, body, fields } = endpoint
  const wrongs: string[] = []
  for (const [path, { label, values }] of Object.entries(fields)) {
    for (const [what, value] of values.slice(0, ways(line, format))) {
      const asked = withValue(body, path, value)
      const { status, errors } = await say(line, rooted(endpoint, asked, format))
      const isNamed = errors.some((told) => wordsOf(told).toLowerCase().includes(label.toLowerCase()))
      if (status !== 422 || !isNamed) wrongs.push(`${path} ${what}: ${status} ${errors.join(' ')}`)
    }
  }
  return wrongs
}

/** A body without a wrapper gets a root in XML. */
const rooted = ({ isBare = false }: Endpoint, body: object, format: Format): object =>
  format === 'xml' && isBare ? { request: body } : body

/** XML and rehearsals are read by the same inputs: there each field is wrong in one way. */
const ways = (line: string, format: Format): number => (format === 'xml' || line.endsWith('/preview') ? 1 : 10)

for (const format of formats) {
  const say = speaker(place.shop, format)
  for (const endpoint of endpoints) {
    test(`${endpoint.line} in ${format} refuses what is wrong with each field by its name`, async () => {
      const before = await countRows(place.shop)
      assert.deepEqual(await wrongsOf(say, endpoint, format), [])
      assert.deepEqual(await countRows(place.shop), before)
    })
  }

  test(`nothing of another site can be reached in ${format}`, async () => {
    const before = await countRows(place.shop)
    const reached: string[] = []
    for (const endpoint of endpoints) {
      const foreign = place.abroad(endpoint.line)
      if (foreign === undefined) continue
      const { status } = await say(foreign, rooted(endpoint, endpoint.body, format))
      if (status !== 404) reached.push(`${foreign}: ${status}`)
    }
    assert.deepEqual(reached, [])
    assert.deepEqual(await countRows(place.shop), before)
  })
}

test('the bodies that are made wrong here are right as they stand', async () => {
  const say = speaker(place.shop, 'json')
  const refused: string[] = []
  for (const { line, body } of endpoints) {
    const { status, text } = await say(line, body)
    if (status >= 300) refused.push(`${line}: ${status} ${text}`)
  }
  assert.deepEqual(refused, [])
})

/** Those that are not supported have a test of their own. */
const unsupported = new Set(Object.values(refusedFields).flatMap((fields) => Object.keys(fields)))

test('no field of an input is left out here', () => {
  const inputs: [line: RegExp, wrapper: string, shape: object][] = [
    [/^POST \/subscriptions$/, 'subscription', signupInput.shape],
    [/^PUT \/subscriptions\/\d+$/, 'subscription', updateInput.shape],
    [/^DELETE \/subscriptions\/\d+$/, 'subscription', cancellationInput.shape],
    [/\/override$/, 'subscription', overrideInput.shape],
    [/\/hold$/, 'hold', holdInput.shape],
    [/\d\/allocations$/, 'allocation', allocationInput.shape],
    [/\/migrations$/, 'migration', migrationInput.shape],
    [/\/coupons$/, 'coupon', { ...couponInput.shape, ...couponDatesInput.shape, ...couponRestrictionsInput.shape }],
    [/^POST \/taxes$/, 'tax', taxInput.shape],
    [/\/notes$/, 'note', noteInput.shape],
    [/^POST \/reason_codes$/, 'reason_code', reasonCodeInput.shape],
    [/^POST \/customers$/, 'customer', newCustomerInput.shape],
    [/\/quantity_based_components$/, 'quantity_based_component', countedComponentInput.shape],
  ]
  for (const [line, wrapper, shape] of inputs) {
    const of = endpoints.filter((one) => line.test(one.line) && one.isBare !== true)
    assert.ok(of.length > 0, String(line))
    const known = new Set(of.flatMap(({ fields }) => Object.keys(fields)))
    const left = Object.keys(shape).filter((name) => !known.has(`${wrapper}.${name}`) && !unsupported.has(name))
    assert.deepEqual(left, [], String(line))
  }
})
