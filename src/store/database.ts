/** Connections and transactions; nothing else. */
import pg from 'pg'
import { LaidOutQuery } from './laid-out-query.ts'
import { prepare, type Sql } from './sql.ts'

/** Where a statement can be run: the pool, or one transaction. */
export type Connection = {
  /** Rows as objects with the columns' names. */
  rows<Row extends object>(statement: Sql): Promise<Row[]>
  /** Rows as arrays in the order of the select list, for `Table.read`. */
  arrays(statement: Sql): Promise<unknown[][]>
  /** How many rows were touched. */
  run(statement: Sql): Promise<number>
}

export type Transaction = Connection & { readonly inTransaction: true }

/** `work` may run more than once: PostgreSQL undoes a transaction that lost a deadlock, and it is tried again. */
export type Database = Connection & {
  transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>
  /** A connection of one's own, for session locks; released by the caller. `lost` is called when it breaks before that. */
  reserve(lost: () => void): Promise<{ connection: Connection; release(): void }>
  close(): Promise<void>
}

const deadlockRetriesMax = 3
const statementTimeoutMs = 120_000
const lostToDeadlock = new Set(['40P01', '40001'])

const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, readInteger)
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, readInstant)
types.setTypeParser(pg.types.builtins.NUMERIC, (text: string) => text)
// bigint[]: ids drawn in blocks, lists of statements.
types.setTypeParser(1016, (text: string) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(readInteger)))

export function openDatabase(connection: pg.PoolConfig, { size = 16 } = {}): Database {
  const pool = new pg.Pool({
    ...connection,
    max: size,
    types,
    pipeline: true,
    options: `-c TimeZone=UTC -c statement_timeout=${statementTimeoutMs} -c plan_cache_mode=force_generic_plan`,
  } as pg.PoolConfig)
  // A connection that breaks while idle is replaced at its next use; without a listener it would end the process.
  pool.on('error', () => {})
  return {
    ...connectionOf(pool as unknown as Queryable),
    transaction: (work) => transact(pool, work, deadlockRetriesMax),
    reserve: async (lost) => {
      const client = await pool.connect()
      let released = false
      const release = (): void => {
        if (!released) client.release(true)
        released = true
      }
      client.on('error', () => {})
      client.once('end', () => {
        if (!released) lost()
      })
      return { connection: connectionOf(client as unknown as Queryable), release }
    },
    close: () => pool.end(),
  }
}

type Answered = (error: Error | undefined, result: { rows: unknown[][] }) => void
type Queryable = {
  query(config: pg.QueryConfig): Promise<pg.QueryResult>
  query(query: LaidOutQuery, values: undefined, answered: Answered): void
}

const askRows = (queryable: Queryable, statement: Sql): Promise<unknown[][]> =>
  new Promise((resolve, reject) => {
    queryable.query(new LaidOutQuery(prepare(statement), types), undefined, (error, result) => {
      if (error) reject(error)
      else resolve(result.rows)
    })
  })

const connectionOf = (queryable: Queryable): Connection => ({
  rows: async <Row extends object>(statement: Sql) => (await queryable.query(prepare(statement))).rows as Row[],
  arrays: async (statement) => {
    try {
      return await askRows(queryable, statement)
    } catch (error) {
      // Shows who asked, instead of how the answer was read.
      Error.captureStackTrace(error as Error)
      throw error
    }
  },
  run: async (statement) => (await queryable.query(prepare(statement))).rowCount ?? 0,
})

async function transact<Result>(
  pool: pg.Pool,
  work: (tx: Transaction) => Promise<Result>,
  retries: number,
): Promise<Result> {
  const client = await pool.connect()
  let broken: Error | undefined
  const onError = (error: Error): void => {
    broken = error
  }
  client.on('error', onError)
  const release = (unusable?: Error): void => {
    client.off('error', onError)
    client.release(unusable ?? broken)
  }
  try {
    const [, result] = await Promise.all([
      client.query('begin'),
      work({ ...connectionOf(client as unknown as Queryable), inTransaction: true }),
    ])
    // A pipelined COMMIT of a failed transaction resolves, with the command ROLLBACK.
    const { command } = await client.query('commit')
    if (command !== 'COMMIT') throw new Error(`the transaction ended with ${command}`)
    release()
    return result
  } catch (error) {
    await client.query('rollback').then(() => release(), release)
    if (retries > 0 && lostToDeadlock.has((error as { code?: string }).code ?? '')) {
      return transact(pool, work, retries - 1)
    }
    throw error
  }
}

function readInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new Error(`${text} is beyond the integers that are read exactly`)
  return value
}

/** Instants read lately: one result names the same few again and again, and making one takes ten times as long as finding it. */
const instants = new Map<string, Temporal.Instant>()
const instantsMax = 4096

function readInstant(text: string): Temporal.Instant {
  const known = instants.get(text)
  if (known !== undefined) return known
  if (instants.size >= instantsMax) instants.clear()
  const instant = parseInstant(text)
  instants.set(text, instant)
  return instant
}

/** Reads `2026-11-20 18:49:27+00`, as PostgreSQL writes whole seconds in UTC. */
function parseInstant(text: string): Temporal.Instant {
  if (text.length !== 22 || !text.endsWith('+00')) return Temporal.Instant.from(text.replace(' ', 'T'))
  return Temporal.Instant.fromEpochMilliseconds(Date.parse(`${text.slice(0, 10)}T${text.slice(11, 19)}Z`))
}

/** The name of the constraint or unique index that refused a row, if that is what went wrong. */
export const violatedConstraint = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError && error.code?.startsWith('23') ? error.constraint : undefined
