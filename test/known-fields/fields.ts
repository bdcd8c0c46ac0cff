/** The fields of an input one by one, and values to send for each. */
import type { Input } from '../../src/api/openapi/description.ts'
import { fieldsOf } from '../../src/api/openapi/operation.ts'
import { isTree } from '../../src/wire/input.ts'
import type { JsonSchema } from '../../src/wire/input-schema.ts'

export type Field = {
  /** `customer_attributes.phone`; the items of a list have no number. */
  readonly path: string
  readonly schema: JsonSchema
  readonly isRefused: boolean
}

/** Fields in the field that others know and that are refused by name are marked so by their description. */
const isRefused = (schema: JsonSchema): boolean => String(schema.description).startsWith('Not supported')

export const fieldsIn = (input: Input): Field[] => walk(fieldsOf(input), '')

function walk(schema: JsonSchema, path: string): Field[] {
  const inner = isTree(schema.items) ? schema.items : schema
  const { properties } = inner as { properties?: { [name: string]: JsonSchema } }
  if (properties === undefined) return [{ path, schema, isRefused: isRefused(schema) }]
  return Object.entries(properties).flatMap(([name, one]) => walk(one, path === '' ? name : `${path}.${name}`))
}

/** Several where one of them may be what is meant without the field. */
export function candidates({ path, schema }: Field): unknown[] {
  const types = [schema.type].flat()
  const name = path.slice(path.lastIndexOf('.') + 1)
  if (Array.isArray(schema.enum)) return schema.enum.filter((word) => word !== null && word !== '')
  if (types.includes('boolean')) return [true, false]
  if (/(_at|_date|^now)$/.test(name)) return ['2027-09-09T10:00:00Z', '2027-09-09']
  if (/email$/.test(name)) return ['other@example.org']
  if (types.includes('integer')) return [7]
  if (types.includes('number')) return ['7.00', 7]
  if (types.includes('array')) return [['Other words']]
  if (types.includes('object')) return [{ 'Other field': 'Other words' }]
  return ['Other words']
}

/** `value` at the field's place over what is sent without it; in a list it is in the first item. */
export function withField(body: unknown, path: readonly string[], value: unknown): unknown {
  const [name, ...rest] = path
  if (name === undefined) return value
  if (Array.isArray(body)) return [withField(body[0] ?? {}, path, value), ...body.slice(1)]
  const tree = isTree(body) ? body : {}
  return { ...tree, [name]: withField(tree[name], rest, value) }
}
