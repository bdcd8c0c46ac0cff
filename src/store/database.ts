/** Connections and transactions; nothing else. */
import pg from 'pg'
import { earliestInstant, latestInstant } from '../billing/calendar.ts'
import { connectMs, cutConnection, Heartbeat, type HeartbeatNews } from './heartbeat.ts'
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
  /** Whether the database is known not to answer: then statements fail at once, and work waits. False where nobody watches it. */
  isAway(): boolean
  /** Whether it has answered within so many milliseconds; always false where nobody watches it. */
  answeredWithin(ms: number): boolean
  close(): Promise<void>
}

const deadlockRetriesMax = 3
const statementTimeoutMs = 120_000
/** Nothing outside is waited for in a transaction: who is silent for so long was stopped or cut off, and gives its locks back. */
const idleInTransactionMs = 60_000
/** The server notices as soon as we do that the other end of a connection is gone, and frees what was locked there. */
const serverKeepAlive = {
  tcp_keepalives_idle: 5,
  tcp_keepalives_interval: 2,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 10_000,
}
const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 5000 }
const closeMs = 3000
const lostToDeadlock = new Set(['40P01', '40001'])

const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, readInteger)
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, readInstant)
types.setTypeParser(pg.types.builtins.NUMERIC, (text: string) => text)
// bigint[]: ids drawn in blocks, lists of statements.
types.setTypeParser(1016, (text: string) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(readInteger)))

const settings = {
  TimeZone: 'UTC',
  statement_timeout: statementTimeoutMs,
  idle_in_transaction_session_timeout: idleInTransactionMs,
  plan_cache_mode: 'force_generic_plan',
  ...serverKeepAlive,
}
const options = Object.entries(settings)
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ')

/** Of the pool's own option of this name the wait for a free connection is a part, which may be long. */
class Client extends pg.Client {
  constructor(config: pg.ClientConfig = {}) {
    super({ ...config, password: config.password, connectionTimeoutMillis: connectMs })
  }
}

/** For a further pool or connection whose statements are all short: nothing on it is waited for without end. */
export const withShortLimits = <Config extends pg.ClientConfig>(connection: Config): Config => ({
  ...connection,
  ...keepAlive,
  connectionTimeoutMillis: connectMs,
  query_timeout: 8000,
})

type Opening = {
  size?: number
  /** Who is told when the database goes away and comes back; undefined leaves it unwatched. */
  news?: HeartbeatNews
}

export function openDatabase(connection: pg.PoolConfig, { size = 16, news }: Opening = {}): Database {
  const pool = new pg.Pool({
    ...connection,
    ...keepAlive,
    Client,
    max: size,
    types,
    pipeline: true,
    options,
  } as pg.PoolConfig)
  // A connection that breaks while idle is replaced at its next use; without a listener it would end the process.
  pool.on('error', () => {})
  const clients = new Set<pg.PoolClient>()
  const heartbeat = news && new Heartbeat({ ...connection, ...keepAlive }, news)
  pool.on('connect', (client) => {
    // Who takes a connection listens a moment after the pool has stopped to; what comes in between must not end the process.
    client.on('error', () => {})
    clients.add(client)
    heartbeat?.watch(client)
  })
  pool.on('remove', (client) => {
    clients.delete(client)
    heartbeat?.forget(client)
  })
  const connect = connecting(pool, heartbeat)
  const use = <Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> =>
    holding(connect, (client) => work(connectionOf(client as unknown as Queryable)))
  return {
    rows: (statement) => use((one) => one.rows(statement)),
    arrays: (statement) => use((one) => one.arrays(statement)),
    run: (statement) => use((one) => one.run(statement)),
    transaction: (work) => transact(connect, work, deadlockRetriesMax),
    reserve: async (lost) => reserved(await connect(), heartbeat, lost),
    isAway: () => heartbeat?.isAway ?? false,
    answeredWithin: (ms) => heartbeat?.answeredWithin(ms) ?? false,
    close: async () => {
      // A connection whose other end is gone hears no goodbye.
      const cut = setTimeout(() => {
        for (const client of clients) cutConnection(client)
      }, closeMs)
      await Promise.all([pool.end(), heartbeat?.stop()])
      clearTimeout(cut)
    },
  }
}

type Connect = () => Promise<pg.PoolClient>

/** Takes a connection as soon as one is free, and waits for none while the database is away. */
const connecting = (pool: pg.Pool, heartbeat: Heartbeat | undefined): Connect => {
  if (heartbeat === undefined) return () => pool.connect()
  return async () => {
    let asked: Promise<pg.PoolClient> | undefined
    try {
      return await heartbeat.whileThere(() => {
        asked = pool.connect()
        return asked
      })
    } catch (error) {
      asked?.then((late) => late.release()).catch(() => {})
      throw error
    }
  }
}

function reserved(client: pg.PoolClient, heartbeat: Heartbeat | undefined, lost: () => void) {
  let released = false
  const release = (): void => {
    if (!released) client.release(true)
    released = true
  }
  heartbeat?.reserve(client)
  client.on('error', () => {})
  client.once('end', () => {
    if (!released) lost()
  })
  return { connection: connectionOf(client as unknown as Queryable), release }
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

/** A connection for as long as the work takes; one on which something went wrong is not used again, unless `mends` says so. */
async function holding<Result>(
  connect: Connect,
  work: (client: pg.PoolClient) => Promise<Result>,
  mends: (client: pg.PoolClient, error: unknown) => Promise<boolean> = async () => false,
): Promise<Result> {
  const client = await connect()
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
    const result = await work(client)
    release()
    return result
  } catch (error) {
    release((await mends(client, error)) ? undefined : (error as Error))
    throw error
  }
}

async function transact<Result>(
  connect: Connect,
  work: (tx: Transaction) => Promise<Result>,
  retries: number,
): Promise<Result> {
  const rollback = (client: pg.PoolClient): Promise<boolean> =>
    client.query('rollback').then(
      () => true,
      () => false,
    )
  try {
    return await holding(
      connect,
      async (client) => {
        const [, result] = await Promise.all([
          client.query('begin'),
          work({ ...connectionOf(client as unknown as Queryable), inTransaction: true }),
        ])
        // A pipelined COMMIT of a failed transaction resolves, with the command ROLLBACK.
        const { command } = await client.query('commit')
        if (command !== 'COMMIT') throw new Error(`the transaction ended with ${command}`)
        return result
      },
      rollback,
    )
  } catch (error) {
    if (retries > 0 && lostToDeadlock.has((error as { code?: string }).code ?? '')) {
      return transact(connect, work, retries - 1)
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

/**
 * Reads `2026-11-20 18:49:27+00`, as PostgreSQL writes whole seconds in UTC. What lies beyond the dates that we write is read as the
 * last or the first of them: one such date never keeps a list from being read, nor itself from being set right.
 */
function parseInstant(text: string): Temporal.Instant {
  if (text.length !== 22 || !text.endsWith('+00')) {
    if (text === 'infinity' || /^\d{5}/.test(text)) return latestInstant
    if (text === '-infinity' || text.endsWith('BC')) return earliestInstant
    return Temporal.Instant.from(text.replace(' ', 'T'))
  }
  if (text >= '9999-12-31') return latestInstant
  return Temporal.Instant.fromEpochMilliseconds(Date.parse(`${text.slice(0, 10)}T${text.slice(11, 19)}Z`))
}

/** The name of the constraint or unique index that refused a row, if that is what went wrong. */
export const violatedConstraint = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError && error.code?.startsWith('23') ? error.constraint : undefined
