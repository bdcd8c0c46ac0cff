/** A shape that answers are written with, as a JSON schema with the names that XML gives to its parts. */
import type { JsonSchema } from '../../wire/input-schema.ts'
import type { Fields, Leaf, Shape } from '../../wire/shape.ts'

/** The schema that stands in the place of a shape which has a name of its own. */
export type Reference = (shape: Fields) => JsonSchema | undefined

/** Shapes do not say which fields may be null, so all may, but for ids. */
const leaves: { readonly [leaf in Leaf]: JsonSchema } = {
  string: { type: ['string', 'null'] },
  integer: { type: ['integer', 'null'] },
  untypedInteger: { type: ['integer', 'null'] },
  boolean: { type: ['boolean', 'null'] },
  decimal: { type: ['number', 'null'] },
  datetime: { type: ['string', 'null'], format: 'date-time' },
  date: { type: ['string', 'null'], format: 'date' },
}

/** An object that stands where it is described may be null; one with a name of its own is always there. */
function shapeSchema(shape: Shape, reference: Reference): JsonSchema {
  if (typeof shape === 'string') return leaves[shape]
  if ('list' in shape) {
    return {
      type: ['array', 'null'],
      items: named(itemSchema(shape.list, reference), shape.item),
      xml: { wrapped: true },
    }
  }
  return reference(shape) ?? { ...fieldsSchema(shape, reference), type: ['object', 'null'] }
}

/** What stands in a list is never null. */
export function itemSchema(shape: Shape, reference: Reference): JsonSchema {
  const schema = shapeSchema(shape, reference)
  return Array.isArray(schema.type) ? { ...schema, type: schema.type[0] } : schema
}

/** The fields of a shape; names that XML writes with dashes have underscores in JSON. */
export const fieldsSchema = ({ fields }: Fields, reference: Reference): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(fields).map(([name, shape]) => {
      const schema = name === 'id' ? itemSchema(shape, reference) : shapeSchema(shape, reference)
      const underscored = name.replaceAll('-', '_')
      return [underscored, underscored === name ? schema : named(schema, name)]
    }),
  ),
})

/** Under this name in XML. */
export const named = (schema: JsonSchema, name: string): JsonSchema => ({
  ...schema,
  xml: { ...(schema.xml as object | undefined), name },
})
