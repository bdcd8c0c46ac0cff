/** Holds values against the JSON schemas of the API's description: the keywords that it uses, and no others. */

export type Schema = { readonly [keyword: string]: unknown }

/** `resolve` finds what a reference names. A strict reading refuses fields that the schema does not name. */
export type Reading = { readonly resolve: (reference: string) => Schema; readonly isStrict: boolean }

const notes = new Set(['title', 'description', 'examples', 'default', 'xml'])

const isTree = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const types: { readonly [type: string]: (value: unknown) => boolean } = {
  null: (value) => value === null,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
  integer: (value) => Number.isInteger(value),
  array: Array.isArray,
  object: isTree,
}

const formats: { readonly [format: string]: RegExp } = {
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
  date: /^\d{4}-\d\d-\d\d$/,
  email: /^($|[^\s@]+@[^\s@]+$)/,
  binary: /^/,
}

type Check = (limit: unknown, value: unknown, place: string, reading: Reading, schema: Schema) => string[]

const complainIf = (isWrong: boolean, place: string, what: string): string[] => (isWrong ? [`${place} ${what}`] : [])

const checks: { readonly [keyword: string]: Check } = {
  $ref: (reference, value, place, reading) => violations(reading.resolve(String(reference)), value, reading, place),
  type: (allowed, value, place) => {
    const names = [allowed].flat() as string[]
    return complainIf(
      !names.some((name) => types[name]!(value)),
      place,
      `is not ${names.join(' or ')}: ${JSON.stringify(value)}`,
    )
  },
  enum: (allowed, value, place) =>
    complainIf(!(allowed as unknown[]).includes(value), place, `is none of its words: ${JSON.stringify(value)}`),
  format: (name, value, place) =>
    complainIf(typeof value === 'string' && !formats[String(name)]!.test(value), place, `is no ${name}: ${value}`),
  maxLength: (most, value, place) =>
    complainIf(typeof value === 'string' && value.length > Number(most), place, 'is too long'),
  minimum: (least, value, place) =>
    complainIf(typeof value === 'number' && value < Number(least), place, `is less than ${least}`),
  maximum: (most, value, place) =>
    complainIf(typeof value === 'number' && value > Number(most), place, `is more than ${most}`),
  maxItems: (most, value, place) =>
    complainIf(Array.isArray(value) && value.length > Number(most), place, 'has too many items'),
  items: (schema, value, place, reading) =>
    Array.isArray(value)
      ? value.flatMap((item, at) => violations(schema as Schema, item, reading, `${place}.${at}`))
      : [],
  required: (names, value, place) =>
    isTree(value)
      ? (names as string[]).filter((name) => !Object.hasOwn(value, name)).map((name) => `${place}.${name} is missing`)
      : [],
  properties: (properties, value, place, reading, { additionalProperties }) =>
    isTree(value)
      ? Object.entries(value).flatMap(([name, inner]) => {
          const schema = (properties as Schema)[name]
          if (schema !== undefined) return violations(schema as Schema, inner, reading, `${place}.${name}`)
          return complainIf(
            reading.isStrict && additionalProperties === undefined,
            `${place}.${name}`,
            'is not described',
          )
        })
      : [],
  additionalProperties: (schema, value, place, reading) =>
    isTree(value) && schema !== true
      ? Object.entries(value).flatMap(([name, inner]) =>
          violations(schema as Schema, inner, reading, `${place}.${name}`),
        )
      : [],
  anyOf: (choices, value, place, reading) => {
    const all = (choices as Schema[]).map((choice) => violations(choice, value, reading, place))
    return all.some((one) => one.length === 0)
      ? []
      : [`${place} is none of: ${all.map(([first]) => first).join(' | ')}`]
  },
}

/** A sentence for each place where the value is not what the schema says. Throws on a keyword that is not known here. */
export function violations(schema: Schema, value: unknown, reading: Reading, place = 'body'): string[] {
  return Object.entries(schema).flatMap(([keyword, limit]) => {
    if (notes.has(keyword)) return []
    const check = checks[keyword]
    if (check === undefined) throw new Error(`${place}: the keyword ${keyword} is not known`)
    return check(limit, value, place, reading, schema)
  })
}
