/** A table declared once: its columns by our field names, read, inserted and updated in sets. */
import type { Connection } from './database.ts'
import { fragment, instantArray, plainArray, Sql, type SqlValue, textArray } from './sql.ts'

/**
 * `cents` is a bigint whose column ends in `_in_cents`; `instant` is a timestamptz of whole seconds; `decimal` is a numeric that
 * stays text on our side, without trailing zeros.
 */
type Kind = 'bigint' | 'integer' | 'cents' | 'text' | 'boolean' | 'instant' | 'json' | 'number' | 'decimal'

type Column = { field: string; name: string; kind: Kind }

const arrayTypes: Record<Kind, string> = {
  bigint: 'bigint[]',
  integer: 'integer[]',
  cents: 'bigint[]',
  text: 'text[]',
  boolean: 'boolean[]',
  instant: 'bigint[]',
  json: 'text[]',
  number: 'double precision[]',
  decimal: 'numeric[]',
}

const snake = (field: string): string =>
  field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/(\d+)$/, '_$1')

/** `Row` is our type; its fields other than `siteId` are the columns. The site is a parameter of every statement. */
export class Table<Row extends object> {
  readonly name: string
  readonly columns: readonly Column[]
  readonly #blank: object

  constructor(name: string, fields: { readonly [Field in Exclude<keyof Row & string, 'siteId'>]: Kind }) {
    this.name = name
    this.columns = Object.entries<Kind>(fields).map(([field, kind]) => ({
      field,
      name: snake(field) + (kind === 'cents' ? '_in_cents' : ''),
      kind,
    }))
    // The parser's objects keep a layout that is copied at once. One that is filled field by field loses it after a dozen
    // fields, and then each of the copies that a decision makes takes as long as fifty.
    this.#blank = JSON.parse(
      JSON.stringify(Object.fromEntries(['siteId', ...Object.keys(fields)].map((f) => [f, null]))),
    )
  }

  /** The select list of one alias, `site_id` first, in the order that `read` expects. */
  list(alias: string): Sql {
    const selected = this.columns.map(({ name, kind }) =>
      kind === 'decimal' ? `trim_scale(${alias}.${name})` : `${alias}.${name}`,
    )
    return fragment([`${alias}.site_id`, ...selected].join(', '))
  }

  /** How many places of a row this table's list takes. */
  get width(): number {
    return this.columns.length + 1
  }

  read(values: readonly unknown[], offset = 0): Row {
    const row: Record<string, unknown> = { ...this.#blank }
    row.siteId = values[offset]
    for (let place = 0; place < this.columns.length; place++) {
      row[this.columns[place]!.field] = values[offset + 1 + place]
    }
    return row as Row
  }

  /** All rows in one statement. Rows that leave a field out take the column's default, all of them alike. */
  async insert(connection: Connection, siteId: number, rows: readonly Partial<Row>[]): Promise<void> {
    if (rows.length > 0) await connection.run(this.insertion(siteId, rows))
  }

  /** The statement that inserts rows, of which there is one at least. */
  insertion(siteId: number, rows: readonly Partial<Row>[]): Sql {
    const first = rows[0] ?? {}
    const columns = this.columns.filter((column) => column.field in first)
    const names = columns.map((column) => column.name)
    return this.#statement(
      [
        `insert into ${this.name} (site_id, ${names.join(', ')}) select `,
        `::bigint, ${columns.map(fromUnnest).join(', ')} from unnest(`,
      ],
      siteId,
      columns,
      rows,
      `) as u (${names.join(', ')})`,
    )
  }

  /** Updates rows by `id`, in one statement: the fields named, to the values that each row carries. */
  async update<Field extends keyof Row & string>(
    connection: Connection,
    siteId: number,
    fields: readonly Field[],
    rows: readonly (Pick<Row, Field> & { id: number })[],
  ): Promise<void> {
    if (rows.length === 0) return
    const columns = this.columns.filter(
      (column) => column.field === 'id' || (fields as readonly string[]).includes(column.field),
    )
    const set = columns.filter((column) => column.field !== 'id')
    await connection.run(
      this.#statement(
        [
          `update ${this.name} t set ${set.map((column) => `${column.name} = ${fromUnnest(column)}`).join(', ')} from (select `,
          `::bigint as site) s, unnest(`,
        ],
        siteId,
        columns,
        rows,
        `) as u (${columns.map((column) => column.name).join(', ')}) where t.site_id = s.site and t.id = u.id`,
      ),
    )
  }

  #statement(
    head: [string, string],
    siteId: number,
    columns: readonly Column[],
    rows: readonly object[],
    tail: string,
  ): Sql {
    const values: (SqlValue | Sql)[] = [siteId]
    const parts = [head[0]]
    let before = head[1]
    for (const column of columns) {
      parts.push(before)
      values.push({ literal: arrayOf(column, rows) })
      before = `::${arrayTypes[column.kind]}, `
    }
    parts.push(before.slice(0, -2) + tail)
    return new Sql(parts, values)
  }
}

/** Instants travel as epoch seconds, which both sides convert faster than text. */
const fromUnnest = (column: Column): string =>
  column.kind === 'instant'
    ? `to_timestamp(u.${column.name})`
    : column.kind === 'json'
      ? `u.${column.name}::jsonb`
      : `u.${column.name}`

function arrayOf({ field, kind }: Column, rows: readonly object[]): string {
  const values = rows.map((row) => (row as Record<string, unknown>)[field] ?? null)
  switch (kind) {
    case 'text':
    case 'decimal':
      return textArray(values as (string | null)[])
    case 'json':
      return textArray(values.map((value) => (value === null ? null : JSON.stringify(value))))
    case 'instant':
      return instantArray(values as (Temporal.Instant | null)[])
    default:
      return plainArray(values as (number | boolean | null)[])
  }
}
