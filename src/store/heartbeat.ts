/** Notices within seconds that the database, or a single connection to it, no longer answers, and cuts what would wait for ever. */
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

const everyMs = 1000
/** Without an answer for so many ticks a connection counts as dead. Ticks and not the clock: a process that was stopped has heard nothing. */
const silentTicksMax = 3
const reservedSilentTicksMax = 5
/** How long a connection may take to be opened. */
export const connectMs = 3000

export type HeartbeatNews = { away(error: unknown): void; back(): void }

/** What is known of a connection of the pool; the driver's insides are not documented, its version is pinned. */
type Insides = {
  readonly processID: number
  readonly _activeQuery: object | null
  readonly connection: { readonly stream: { readonly bytesRead: number; destroy(): void } }
}
type Watched = { isReserved: boolean; bytesRead: number; silentTicks: number; isSuspect: boolean }

/** A refusal by a server that has no connection free: it is there all the same. */
const isFull = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '53300'

export class DatabaseAway extends Error {
  readonly code = 'ETIMEDOUT'
  constructor() {
    super('The database does not answer.')
  }
}

/**
 * Asks the database on a connection of its own, every second. When that connection is silent and another cannot be opened, the
 * database is away: every connection is cut, so that whoever waits for an answer is told. A single connection that is silent though
 * the server has finished with it is cut alone.
 */
export class Heartbeat {
  readonly #connection: pg.ClientConfig
  readonly #news: HeartbeatNews
  readonly #watched = new Map<pg.PoolClient, Watched>()
  readonly #stopping = new AbortController()
  readonly #running: Promise<void>
  #client: pg.Client | undefined
  #isAway = false
  #answeredAt = performance.now()
  readonly #cuts = new Set<(error: DatabaseAway) => void>()

  constructor(connection: pg.ClientConfig, news: HeartbeatNews) {
    this.#connection = { ...connection, connectionTimeoutMillis: connectMs, application_name: 'kalends heartbeat' }
    this.#news = news
    this.#running = this.#run()
  }

  get isAway(): boolean {
    return this.#isAway
  }

  /** Whether the database has answered within so many milliseconds. */
  answeredWithin(ms: number): boolean {
    return !this.#isAway && performance.now() - this.#answeredAt <= ms
  }

  watch(client: pg.PoolClient): void {
    this.#watched.set(client, { isReserved: false, bytesRead: 0, silentTicks: 0, isSuspect: false })
  }

  forget(client: pg.PoolClient): void {
    this.#watched.delete(client)
  }

  /** Such a connection is idle most of the time: it is asked too, so that its owner hears of its end. */
  reserve(client: pg.PoolClient): void {
    const watched = this.#watched.get(client)
    if (watched !== undefined) watched.isReserved = true
  }

  /** Rejects at once while the database is away, and as soon as it is, whatever becomes of the work. */
  async whileThere<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#isAway) throw new DatabaseAway()
    const { promise, reject } = Promise.withResolvers<never>()
    this.#cuts.add(reject)
    try {
      return await Promise.race([work(), promise])
    } finally {
      this.#cuts.delete(reject)
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#drop()
    await this.#running
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      try {
        await this.#ask()
        this.#answered()
        await this.#lookForSilence()
      } catch {
        this.#drop()
        if (!signal.aborted && !this.#isAway) await this.#askAnew()
      }
      await this.#tick()
    }
  }

  /** One connection may be lost alone, as by an operator or a router: only when there is no other one the database is away. */
  async #askAnew(): Promise<void> {
    try {
      await this.#ask()
      this.#answered()
    } catch (error) {
      this.#drop()
      if (isFull(error)) this.#answered()
      else if (!this.#stopping.signal.aborted) this.#away(error)
    }
  }

  async #ask(): Promise<{ isDirect: boolean }> {
    const client = this.#client ?? (await this.#connect())
    const { rows } = await this.#inTime(client.query('select pg_backend_pid() as pid'))
    return { isDirect: rows[0].pid === (client as unknown as Insides).processID }
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client(this.#connection)
    client.on('error', () => {})
    this.#client = client
    await client.connect()
    return client
  }

  async #inTime<Answer>(asked: Promise<Answer>): Promise<Answer> {
    asked.catch(() => {})
    const answered = asked.then(() => true)
    for (let ticks = 0; ticks < silentTicksMax; ticks++) {
      if ((await Promise.race([answered, this.#tick()])) === true) return asked
    }
    throw new DatabaseAway()
  }

  #tick(): Promise<void> {
    return pause(everyMs, undefined, { signal: this.#stopping.signal, ref: false }).catch(() => {})
  }

  #drop(): void {
    const client = this.#client
    this.#client = undefined
    if (client !== undefined) cutConnection(client)
  }

  #answered(): void {
    this.#answeredAt = performance.now()
    if (!this.#isAway) return
    this.#isAway = false
    this.#news.back()
  }

  #away(error: unknown): void {
    for (const client of this.#watched.keys()) cutConnection(client)
    for (const reject of [...this.#cuts]) reject(new DatabaseAway())
    if (this.#isAway) return
    this.#isAway = true
    this.#news.away(error)
  }

  /**
   * A statement may take long, and wait for another's lock longer still: a silent connection is cut when the server says, twice, that
   * it has nothing to do there. Behind a pooler the server's numbers are not ours, and nothing can be said.
   */
  async #lookForSilence(): Promise<void> {
    const silent: pg.PoolClient[] = []
    for (const [client, watched] of this.#watched) {
      const { connection, _activeQuery } = client as unknown as Insides
      const { bytesRead } = connection.stream
      const isSilent = _activeQuery !== null && bytesRead === watched.bytesRead
      watched.silentTicks = isSilent ? watched.silentTicks + 1 : 0
      watched.isSuspect &&= isSilent
      watched.bytesRead = bytesRead
      if (watched.isReserved && watched.silentTicks >= reservedSilentTicksMax) cutConnection(client)
      else if (watched.silentTicks >= silentTicksMax) silent.push(client)
      if (watched.isReserved && _activeQuery === null) client.query('select 1').catch(() => {})
    }
    if (silent.length === 0 || this.#client === undefined) return
    const { isDirect } = await this.#ask()
    if (!isDirect) return
    const pids = silent.map((client) => (client as unknown as Insides).processID)
    const { rows } = await this.#inTime(
      this.#client.query(`select pid, state from pg_stat_activity where pid = any($1::int[])`, [pids]),
    )
    const states = new Map(rows.map(({ pid, state }) => [pid as number, state as string | null]))
    for (const client of silent) {
      const watched = this.#watched.get(client)
      if (watched === undefined || watched.silentTicks === 0) continue
      const state = states.get((client as unknown as Insides).processID)
      const isDone = state === undefined || state?.startsWith('idle') === true
      if (isDone && watched.isSuspect) cutConnection(client)
      watched.isSuspect = isDone
    }
  }
}

/** Ends a connection without a word; whoever waits for an answer on it is told. */
export const cutConnection = (client: pg.ClientBase): void => (client as unknown as Insides).connection.stream.destroy()
