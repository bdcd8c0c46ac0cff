/** Holds values against the JSON schemas of the API's description (JSON Schema 2020-12, which OpenAPI 3.1 is made of), strictly. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'

export type Schema = { readonly [keyword: string]: unknown }

/** A sentence for each place where the value is not what the schema says. Throws on a schema that is none: an unknown keyword or format. */
export type Check = (schema: Schema, value: unknown) => string[]

/** A copy in which an object has no fields but those that its schema names, and references name a schema alone. */
function closed(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema
  if (Array.isArray(schema)) return schema.map(closed)
  const copy = Object.fromEntries(Object.entries(schema).map(([name, inner]) => [name, closed(inner)]))
  if (typeof copy.$ref === 'string') copy.$ref = copy.$ref.replace('#/components/schemas/', '')
  const isOfFields = [copy.type].flat().includes('object') && copy.properties !== undefined
  return isOfFields ? { additionalProperties: false, ...copy } : copy
}

const sentenceOf = ({ instancePath, message, params, data }: ErrorObject): string => {
  const place = `body${instancePath.replaceAll('/', '.')}`
  return `${place} ${message}: ${JSON.stringify(params)}, it is ${JSON.stringify(data)}`
}

/** `named` are those that references name. Each schema is compiled when it is first asked for. */
export function checkerOf(named: { readonly [name: string]: Schema }): Check {
  const ajv = new Ajv2020({
    allErrors: true,
    allowUnionTypes: true,
    formats: fullFormats,
    inlineRefs: false,
    strict: true,
    verbose: true,
  })
  // What OpenAPI adds to a schema, without meaning for JSON.
  ajv.addKeyword('xml')
  for (const [name, schema] of Object.entries(named)) ajv.addSchema(closed(schema) as Schema, name)
  const compiled = new WeakMap<Schema, ValidateFunction>()
  return (schema, value) => {
    let validate = compiled.get(schema)
    if (validate === undefined) {
      validate = ajv.compile(closed(schema) as Schema)
      compiled.set(schema, validate)
    }
    return validate(value) ? [] : (validate.errors ?? []).map(sentenceOf)
  }
}
