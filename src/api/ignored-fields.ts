/** Tells a client that asks which fields of its request no input of the route knows, in the header `Kalends-Ignored`. */
import { isTree } from '../wire/input.ts'
import type { JsonSchema } from '../wire/input-schema.ts'
import type { Route } from '../wire/request.ts'
import type { Context } from './handler.ts'
import type { Descriptions, Input } from './openapi/description.ts'
import { fieldsOf } from './openapi/operation.ts'

const header = 'Kalends-Ignored'
const toldMax = 100

/** Stands beside the resource in any body. */
const everywhere = ['uniqueness_token']

/**
 * Paths of the fields that are not described, such as `subscription.customer_attributes.hair`; an item of a list has no number. Values
 * of a field whose names are free, such as metafields, are all known. A body under another root than the input's is all unknown.
 */
export function ignoredFields(input: Input, body: unknown): readonly string[] {
  const schema = schemaOf(input)
  const sent = input.root === null ? withoutRoot(schema, body) : body
  return [...new Set(unknownIn(schema, sent, ''))]
}

/** The routes as they stand, each of which tells what it ignored where the request has the header, with any value. */
export const tellingIgnored = (
  routes: readonly Route<Context>[],
  descriptions: Descriptions,
): readonly Route<Context>[] =>
  routes.map((route) => {
    const { input: usual, earlierInput = usual } = descriptions[`${route.method} ${route.path}`] ?? {}
    return {
      ...route,
      handler: async (request) => {
        const answer = await route.handler(request)
        if (request.headers[header.toLowerCase()] === undefined) return answer
        const input = request.context.site.relationshipInvoicingEnabled ? usual : earlierInput
        const ignored = input === undefined ? [] : ignoredFields(input, request.body)
        return { ...answer, headers: { ...answer.headers, [header]: told(ignored) } }
      },
    }
  })

/** A name is the client's and may be anything; in a header it is percent-encoded. */
const told = (paths: readonly string[]): string =>
  paths
    .slice(0, toldMax)
    .map((path) => encodeURIComponent(path).slice(0, 200))
    .join(', ')

const schemas = new WeakMap<Input, JsonSchema>()

/** Of the whole body, with its root. */
function schemaOf(input: Input): JsonSchema {
  const known = schemas.get(input)
  if (known !== undefined) return known
  const schema = wholeSchema(input)
  schemas.set(input, schema)
  return schema
}

function wholeSchema(input: Input): JsonSchema {
  const fields = fieldsOf(input)
  if (input.root === null) return fields
  const inside = input.item === undefined ? fields : { type: 'array', items: fields }
  return { properties: { [input.root]: inside, ...input.beside } }
}

/** A document in XML has a root around fields that stand in the body itself. */
function withoutRoot(schema: JsonSchema, body: unknown): unknown {
  if (!isTree(body)) return body
  const [[name, only] = ['', undefined], ...others] = Object.entries(body)
  return others.length === 0 && !Object.hasOwn(propertiesOf(schema), name) && isTree(only) ? only : body
}

const propertiesOf = (schema: JsonSchema): JsonSchema => (schema.properties ?? {}) as JsonSchema

function unknownIn(schema: JsonSchema, value: unknown, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => unknownIn(itemOf(schema), item, path))
  if (!isTree(value)) return []
  const items = itemOf(schema)
  // Without `type="array"` the items of a list stand under their element's name.
  if (items !== schema) return Object.values(value).flatMap((item) => unknownIn(items, item, path))
  if (schema.properties === undefined || schema.additionalProperties !== undefined) return []
  const properties = propertiesOf(schema)
  return Object.entries(value).flatMap(([name, inner]) => {
    const known = Object.hasOwn(properties, name) ? (properties[name] as JsonSchema) : undefined
    const at = path === '' ? name : `${path}.${name}`
    if (known !== undefined) return unknownIn(known, inner, at)
    return everywhere.includes(name) ? [] : [at]
  })
}

const itemOf = (schema: JsonSchema): JsonSchema => (schema.items as JsonSchema | undefined) ?? schema
