/** A prepared statement that is described once on each connection and not with every use: its rows always have the same layout. */
import pg from 'pg'
import type { Prepared } from './sql.ts'

type Parser = (text: string) => unknown

/** What the driver's query is made of. None of it is documented; the driver's version is pinned, and a test holds us to the rows. */
type Insides = {
  readonly name: string
  readonly values: readonly (string | null)[]
  readonly _result: { _parsers: Parser[] | undefined }
  _accumulateRows: boolean
  _getRows(connection: DriverConnection, rows: number): void
  prepare(connection: DriverConnection): void
  handleRowDescription(message: object): void
}

type DriverConnection = {
  bind(bound: { statement: string; values: readonly (string | null)[]; valueMapper(value: unknown): unknown }): void
}

const DriverQuery = pg.Query as unknown as new (config: object) => Insides

/** How the columns of each statement are read, by its name. */
const layouts = new WeakMap<DriverConnection, Map<string, Parser[]>>()

/** Gives rows as arrays. With a hundred columns, half of a query's time went into hearing their names again. */
export class LaidOutQuery extends DriverQuery {
  #known: Map<string, Parser[]> | undefined

  constructor(prepared: Prepared, types: pg.CustomTypesConfig) {
    super({ ...prepared, types, rowMode: 'array' })
  }

  override prepare(connection: DriverConnection): void {
    this.#known = layouts.get(connection) ?? new Map()
    layouts.set(connection, this.#known)
    const parsers = this.#known.get(this.name)
    if (parsers === undefined) {
      super.prepare(connection)
      return
    }
    this._result._parsers = parsers
    this._accumulateRows = true
    connection.bind({ statement: this.name, values: this.values, valueMapper: (value) => value })
    this._getRows(connection, 0)
  }

  override handleRowDescription(message: object): void {
    super.handleRowDescription(message)
    if (this._result._parsers !== undefined) this.#known?.set(this.name, this._result._parsers)
  }
}
