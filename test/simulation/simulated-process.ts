/** A process of the service in a simulation: the product's own parts on a database, clock and gateway that can fail it, stop it and kill it. */
import type { App } from '../../src/actions/app.ts'
import type { Connection, Database } from '../../src/store/database.ts'
import { appOn } from '../support/app-on.ts'
import type { SimulatedDatabase } from './simulated-database.ts'
import type { SimulatedTime } from './simulated-time.ts'
import type { StrangeGateway } from './strange-gateway.ts'

/** What everybody in a simulation shares. */
export type Surroundings = {
  time: SimulatedTime
  database: SimulatedDatabase
  gateway: StrangeGateway
  /** By the database's clock: when the simulation began. */
  startedAt: Temporal.Instant
  /** Until when nobody reaches the database. */
  awayUntilMs: number
  say: (line: string) => void
}

const away = Object.assign(new Error('the database is away'), { code: 'ECONNREFUSED' })
const never = new Promise<never>(() => {})

export class SimulatedProcess {
  readonly name: string
  readonly app: App
  /** Its clock is so far off, in seconds. */
  readonly skewSeconds: number
  /** What it has begun and not finished, by the kind of work. */
  readonly busy = new Map<string, number>()
  isDead = false
  readonly #around: Surroundings
  #asker = 0
  #holds = false
  #stopped: PromiseWithResolvers<void> | undefined

  constructor(name: string, around: Surroundings, skewSeconds: number) {
    this.name = name
    this.#around = around
    this.skewSeconds = skewSeconds
    const app = appOn(this.#database(), [around.gateway.port(this.pass)], {
      clock: { now: () => this.#wall() },
      timers: around.time.timers(this.pass),
      isAlive: (asker) => this.#holds && asker === this.#asker,
      log: this.#log(),
    })
    Object.defineProperty(app, 'asker', { get: () => this.#asker, enumerable: true })
    this.app = app
  }

  get isStopped(): boolean {
    return this.#stopped !== undefined
  }

  /** Whole seconds, as the service reads clocks. */
  #wall = (): Temporal.Instant =>
    this.#around.startedAt
      .add({ milliseconds: Math.floor(this.#around.time.nowMs) + this.skewSeconds * 1000 })
      .round({ smallestUnit: 'second', roundingMode: 'floor' })

  /** Says to the others that it lives, under a new number. */
  async takeLease(): Promise<void> {
    const { database } = this.#around
    await database.alone(async () => {
      const [row] = await database.query<{ id: number }>(`select nextval('asker_numbers')::int as id`)
      await database.query('insert into sim.living values ($1)', [row!.id])
      this.#asker = row!.id
    })
    this.#holds = true
  }

  /** The session that says it lives breaks: the others see it at once, the process after so many milliseconds. */
  async cutLease(noticedAfterMs: number): Promise<void> {
    const { database, time } = this.#around
    await database.alone(() => database.query('delete from sim.living where asker = $1', [this.#asker]))
    const cut = this.#asker
    time.after(noticedAfterMs, () => {
      if (this.isDead || this.#asker !== cut) return
      this.#holds = false
      time.after(500, () => void this.pass().then(() => this.takeLease()))
    })
  }

  async kill(): Promise<void> {
    this.isDead = true
    this.#holds = false
    const { database } = this.#around
    await database.alone(() => database.query('delete from sim.living where asker = $1', [this.#asker]))
  }

  /** It stands still, with everything that it has begun; its sessions stay. */
  stop(): void {
    this.#stopped ??= Promise.withResolvers<void>()
  }

  goOn(): void {
    this.#stopped?.resolve()
    this.#stopped = undefined
  }

  /** What every answer from outside passes through: shut while it stands still, and for good when it is dead. */
  pass = async (): Promise<void> => {
    if (this.isDead) return never
    if (this.#stopped !== undefined) await this.#stopped.promise
    if (this.isDead) return never
  }

  #database(): Database {
    const { database } = this.#around
    const guarded = async <Result>(work: () => Promise<Result>): Promise<Result> => {
      await this.pass()
      try {
        return await database.alone(() => {
          if (this.isDead || this.#around.time.nowMs < this.#around.awayUntilMs) throw away
          return work()
        })
      } finally {
        // Whoever died meanwhile hears of nothing; what was committed stays.
        await this.pass()
      }
    }
    const asked = (connection: Connection): Connection => ({
      rows: (statement) => guarded(() => connection.rows(statement)),
      arrays: (statement) => guarded(() => connection.arrays(statement)),
      run: (statement) => guarded(() => connection.run(statement)),
    })
    return {
      ...asked(database.db),
      transaction: (work) => guarded(() => database.db.transaction(work)),
      reserve: () => Promise.reject(new Error('nothing reserves a connection in a simulation')),
      isAway: () => this.#around.time.nowMs < this.#around.awayUntilMs,
      answeredWithin: () => this.#around.time.nowMs >= this.#around.awayUntilMs,
      close: async () => {},
    }
  }

  #log(): App['log'] {
    const told = (about: { err?: Error }, message: string): void => {
      const reason = about.err === undefined ? '' : `: ${about.err.message.split('\n')[0]}`
      this.#around.say(`${this.name} logs: ${message}${reason}`)
    }
    return { error: told, warn: told, info: told, debug: () => {} } as unknown as App['log']
  }

  /** Begins a piece of work unless as much of its kind is under way as the process does at once. What it fails with is told. */
  begin(kind: string, most: number, work: () => Promise<unknown>): void {
    const under = this.busy.get(kind) ?? 0
    if (this.isDead || under >= most) return
    this.busy.set(kind, under + 1)
    void this.pass()
      .then(work)
      .catch((error: unknown) =>
        this.#around.say(`${this.name}: ${kind} fails: ${(error as Error).message.split('\n')[0]}`),
      )
      .finally(() => this.busy.set(kind, (this.busy.get(kind) ?? 1) - 1))
  }
}
