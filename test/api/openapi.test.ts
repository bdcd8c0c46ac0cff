/** The description of the API: complete, well formed, and true of what is said and read. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { tags } from '../../src/api/openapi/description.ts'
import { descriptions } from '../../src/api/openapi/descriptions.ts'
import { routes } from '../../src/api/routes.ts'
import {
  answerViolations,
  document,
  inputViolations,
  type Operation,
  resolve,
  violations,
} from '../support/api-description.ts'
import type { Schema } from '../support/json-schema.ts'
import { everyEndpoint } from './bad-input-endpoints.ts'
import { openPlace } from './bad-input-place.ts'

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

/** Every object in the document, with the place where it stands. */
function* trees(value: unknown, place = '#'): Generator<[place: string, tree: Schema]> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield [place, value as Schema]
  for (const [name, inner] of Object.entries(value)) yield* trees(inner, `${place}/${name}`)
}

describe('the document', () => {
  test('every route has a description, and every description a route', () => {
    const named = routes.map(({ method, path }) => `${method} ${path}`)
    assert.deepEqual([...named].sort(), Object.keys(descriptions).sort())
  })

  test('says what OpenAPI 3.1 asks for', () => {
    assert.equal(document.openapi, '3.1.0')
    const { title, version } = document.info as { title: string; version: string }
    const packaged = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
    assert.deepEqual([title, version], ['Kalends', packaged.version])
    assert.deepEqual(Object.keys(document.components.securitySchemes!), ['apiKey'])
    const names = Object.values(document.components).flatMap(Object.keys)
    assert.deepEqual(
      names.filter((name) => !/^[A-Za-z0-9._-]+$/.test(name)),
      [],
    )
    assert.deepEqual(
      Object.keys(document.paths).filter((path) => !/^(\/([\w.]+|\{\w+\}))+$/.test(path)),
      [],
    )
    for (const { path, method, operation } of operations) {
      assert.deepEqual(problemsOf(path, operation), [], `${method} ${path}`)
    }
  })

  test('inputs say what their fields say, and answers what their shapes say, with the names of XML', () => {
    assert.deepEqual(document.components.schemas!.CreateTaxInput, {
      type: 'object',
      properties: {
        name: { title: 'Name', type: 'string', maxLength: 255 },
        rate: { title: 'Rate', type: ['string', 'number'] },
        country: { title: 'Country', type: 'string', maxLength: 255 },
        state: { title: 'State', type: ['string', 'null'], maxLength: 255 },
      },
      required: ['name', 'rate', 'country'],
    })
    const { get, post } = document.paths['/taxes']!
    assert.deepEqual(post!.requestBody!.content['application/xml']!.schema, {
      $ref: '#/components/schemas/CreateTaxInput',
      xml: { name: 'tax' },
    })
    assert.deepEqual(get!.responses[200]!.content!['application/xml']!.schema, {
      type: 'array',
      items: { $ref: '#/components/schemas/Tax', xml: { name: 'tax' } },
      xml: { name: 'taxes', wrapped: true },
    })
    const { properties } = document.components.schemas!.Transaction as { properties: Schema }
    assert.deepEqual(properties.created_at, { type: ['string', 'null'], format: 'date-time' })
    assert.equal((properties.taxations as { items: { xml: Schema } }).items.xml.name, 'taxation')
    const pages = document.paths['/invoices/{invoice_id}']!.get!.responses
    assert.deepEqual(Object.keys(pages[200]!.content!), ['application/json', 'application/xml', 'application/pdf'])
    assert.ok(pages[503])
  })

  test('no two operations have the same name', () => {
    const names = operations.map(({ operation }) => operation.operationId)
    assert.equal(new Set(names).size, names.length)
  })

  test('every reference names something, and nothing is named in vain', () => {
    const references = [...trees(document)].flatMap(([, tree]) => (typeof tree.$ref === 'string' ? [tree.$ref] : []))
    for (const reference of references) assert.ok(resolve(reference))
    const used = new Set(references)
    const inVain = ['schemas', 'responses', 'parameters'].flatMap((kind) =>
      Object.keys(document.components[kind]!)
        .map((name) => `#/components/${kind}/${name}`)
        .filter((reference) => !used.has(reference)),
    )
    assert.deepEqual(inVain, [])
  })

  test('each schema is one of JSON Schema 2020-12, without a keyword, type or format that it does not know', () => {
    for (const [place, { schema }] of trees(document)) {
      if (schema !== undefined) assert.doesNotThrow(() => violations(schema as Schema, undefined), place)
    }
    for (const [name, schema] of Object.entries(document.components.schemas!)) {
      assert.doesNotThrow(() => violations(schema, {}), name)
    }
  })
})

/** What the standard asks of an operation. */
function problemsOf(
  path: string,
  { summary, tags: said, parameters = [], responses, requestBody }: Operation,
): string[] {
  const all = parameters.map((one) => (typeof one.$ref === 'string' ? resolve(one.$ref) : one))
  const inPath = all.filter((one) => one.in === 'path')
  const wanted = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  const keys = all.map((one) => `${one.in} ${one.name}`)
  const bodies = [requestBody, ...Object.values(responses)].flatMap((one) => Object.values(one?.content ?? {}))
  return [
    ...(/^[A-Z].*\.$/.test(summary) ? [] : ['the summary is no sentence']),
    ...(said.every((tag) => Object.hasOwn(tags, tag)) ? [] : ['a tag is not declared']),
    ...(JSON.stringify(inPath.map((one) => one.name)) === JSON.stringify(wanted)
      ? []
      : ['its path has other parameters']),
    ...(inPath.every((one) => one.required === true) ? [] : ['a parameter of the path is not required']),
    ...(new Set(keys).size === keys.length ? [] : ['a parameter is named twice']),
    ...(all.every((one) => one.name && one.in && one.schema && one.description) ? [] : ['a parameter is not whole']),
    ...(Object.keys(responses).every((status) => /^[1-5]\d\d$/.test(status)) ? [] : ['a status is no status']),
    ...(Object.values(responses).every((one) => one.$ref || one.description) ? [] : ['a response has no description']),
    ...(bodies.every((body) => typeof body.schema === 'object') ? [] : ['a body has no schema']),
  ]
}

describe('what is said is what is described', () => {
  /** The golden bodies of one resource, or of one list, and the request that they answer. */
  const lines: { readonly [file: string]: string } = {
    'customer.json': 'GET /customers/1',
    'customers.json': 'GET /customers',
    'events.json': 'GET /events',
    'later-invoice.json': 'GET /invoices/inv_s1.json',
    'later-invoice-remittance.json': 'GET /invoices/inv_i1.json',
    'later-invoices.json': 'GET /invoices.json',
    'later-invoice-events.json': 'GET /invoices/events.json',
    'invoice.json': 'GET /invoices/1',
    'invoice-paid.json': 'GET /invoices/1',
    'invoices.json': 'GET /invoices',
    'payment-profile.json': 'GET /payment_profiles/1',
    'payment-profiles.json': 'GET /payment_profiles',
    'product.json': 'GET /products/1',
    'product-with-trial.json': 'GET /products/1',
    'product-family.json': 'GET /product_families/1',
    'statement-ids.json': 'GET /statements/ids',
    'statement-ids-none.json': 'GET /statements/ids',
    'statements.json': 'GET /statements',
    'statement-open.json': 'GET /statements/1',
    'statement-paid.json': 'GET /statements/1',
    'statement-silent.json': 'GET /statements/1',
    'statement-unpaid.json': 'GET /statements/1',
    'subscription.json': 'GET /subscriptions/1',
    'subscription-past-due.json': 'GET /subscriptions/1',
    'subscription-without-card.json': 'GET /subscriptions/1',
    'subscriptions.json': 'GET /subscriptions',
    'subscriptions-none.json': 'GET /subscriptions',
    'transaction.json': 'GET /transactions/1',
    'transactions.json': 'GET /transactions',
    'transactions-count.json': 'GET /transactions/count',
    'transactions-declined.json': 'GET /transactions',
    'transactions-none.json': 'GET /transactions',
    'transactions-of-declined.json': 'GET /subscriptions/1/transactions',
    'transactions-of-monthly.json': 'GET /subscriptions/1/transactions',
    'transactions-of-taxed.json': 'GET /subscriptions/1/transactions',
  }
  const directory = new URL('../golden/', import.meta.url)

  test('by the bodies on file, each of them', () => {
    for (const [file, line] of Object.entries(lines)) {
      const text = readFileSync(new URL(file, directory), 'utf8')
      assert.deepEqual(answerViolations(line, { status: 200, type: 'application/json', text }), [], file)
    }
    for (const file of ['errors-not-found.json', 'errors-page.json']) {
      const text = readFileSync(new URL(file, directory), 'utf8')
      const status = file === 'errors-page.json' ? 422 : 404
      assert.deepEqual(answerViolations('GET /subscriptions/1/events', { status, type: 'application/json', text }), [])
    }
    const known = new Set([...Object.keys(lines), 'errors-not-found.json', 'errors-page.json'])
    const files = readdirSync(directory).filter((file) => file.endsWith('.json') && !file.startsWith('webhook-'))
    assert.deepEqual(
      files.filter((file) => !known.has(file)),
      [],
      'a golden body whose request is not told here',
    )
  })

  test('a field that is not described, a null where there is an id, and a word that is none are found', () => {
    const told = (subscription: object, status = 200) =>
      answerViolations('GET /subscriptions/1.json', {
        status,
        type: 'application/json; charset=utf-8',
        text: JSON.stringify({ subscription }),
      })
    assert.deepEqual(told({ id: 1, state: 'active', canceled_at: null }), [])
    assert.equal(told({ id: 1, color: 'red' }).length, 1)
    assert.equal(told({ id: null }).length, 1)
    assert.equal(told({ state: 'asleep' }).length, 1)
    assert.equal(told({ canceled_at: 'yesterday' }).length, 1)
    assert.equal(told({ balance_in_cents: 1.5 }).length, 1)
    assert.equal(told({ product: { id: 'x' } }).length, 1)
    assert.equal(told({}, 202).length, 1)
  })
})

test('what is read is what is described, and it is served to anybody, once', async () => {
  const place = await openPlace()
  const endpoints = everyEndpoint(place)
  assert.ok(endpoints.length > 30, 'the endpoints whose bodies are tried')
  assert.deepEqual(
    endpoints.flatMap(({ line, body }) => inputViolations(line, body)),
    [],
  )
  const { shop } = place
  const reply = await shop.ask('GET /openapi.json', { key: null })
  assert.equal(reply.status, 200)
  assert.equal(reply.headers['content-type'], 'application/json; charset=utf-8')
  assert.match(String(reply.headers['cache-control']), /max-age/)
  assert.deepEqual(reply.json, document)
  const again = await shop.ask('GET /openapi.json', {
    key: null,
    headers: { 'If-None-Match': `"other", W/${reply.headers.etag}` },
  })
  assert.deepEqual([again.status, again.text, again.headers.etag], [304, '', reply.headers.etag])
  const other = await shop.ask('GET /openapi.json', { key: null, headers: { 'If-None-Match': '"other"' } })
  assert.equal(other.text, reply.text)
})
