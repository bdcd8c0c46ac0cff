/** The `sql` tag: text with parameters, never text with values; the same text is prepared once under one name. */
import { createHash } from 'node:crypto'
import { withinBounds } from '../billing/calendar.ts'

export type SqlValue = string | number | boolean | null | Temporal.Instant | SqlList
/** A list as PostgreSQL reads arrays; made by `bigints` and `texts`. */
export type SqlList = { readonly literal: string }

export class Sql {
  readonly parts: readonly string[]
  readonly values: readonly (SqlValue | Sql)[]

  constructor(parts: readonly string[], values: readonly (SqlValue | Sql)[]) {
    this.parts = parts
    this.values = values
  }
}

export const sql = (parts: TemplateStringsArray, ...values: (SqlValue | Sql)[]): Sql => new Sql(parts, values)

/** Text that stands as it is: for column lists and other fragments of our own making, never for input. */
export const fragment = (text: string): Sql => new Sql([text], [])

export const bigints = (list: readonly (number | null)[]): SqlList => ({ literal: plainArray(list) })
export const texts = (list: readonly (string | null)[]): SqlList => ({ literal: textArray(list) })

/** Joins conditions with `and`; an empty list is `true`. */
export const allOf = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0
    ? fragment('true')
    : new Sql(['(', ...Array<string>(conditions.length - 1).fill(') and ('), ')'], conditions)

export type Prepared = { name: string; text: string; values: (string | null)[] }

const names = new Map<string, string>()

/** The statement as the driver takes it. Its name is made from its text, so each connection plans it once. */
export function prepare(statement: Sql): Prepared {
  const values: (string | null)[] = []
  const text = flatten(statement, values)
  let name = names.get(text)
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 24)
    names.set(text, name)
  }
  return { name, text, values }
}

/** Every text that this process has prepared; tests read them for what all statements must have. */
export const preparedTexts = (): string[] => [...names.keys()]

function flatten(statement: Sql, values: (string | null)[]): string {
  let text = statement.parts[0] ?? ''
  for (let place = 0; place < statement.values.length; place++) {
    const value = statement.values[place]
    if (value instanceof Sql) text += flatten(value, values)
    else text += `$${values.push(encode(value ?? null))}`
    text += statement.parts[place + 1] ?? ''
  }
  return text
}

function encode(value: SqlValue): string | null {
  if (value === null) return null
  if (typeof value === 'object') return 'literal' in value ? value.literal : withinBounds(value).toString()
  return String(value)
}

/** What stands in an array without quotation marks: numbers and booleans. */
export function plainArray(list: readonly (number | boolean | null)[]): string {
  let text = ''
  for (const value of list) text += value === null ? ',NULL' : `,${value}`
  return `{${text.slice(1)}}`
}

/** As epoch seconds. Most rows of a set carry the instant of the row before them, which is not asked again. */
export function instantArray(list: readonly (Temporal.Instant | null)[]): string {
  let text = ''
  let last: Temporal.Instant | undefined
  let written = ''
  for (const at of list) {
    if (at !== null && at !== last) {
      last = at
      written = `,${Math.floor(withinBounds(at).epochMilliseconds / 1000)}`
    }
    text += at === null ? ',NULL' : written
  }
  return `{${text.slice(1)}}`
}

const otherEscape = /\\[^"\\]/

/** JSON escapes quotation marks and backslashes as arrays do, in a fifth of the time; what else it escapes, arrays take as it is. */
export function textArray(list: readonly (string | null)[]): string {
  const json = JSON.stringify(list)
  if (!otherEscape.test(json)) return `{${json.slice(1, -1)}}`
  return `{${list.map((value) => (value === null ? 'NULL' : `"${value.replace(/["\\]/g, '\\$&')}"`)).join(',')}}`
}
