/** Which processes are alive: each holds a session lock under its own number, and PostgreSQL frees it when the process is gone. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from './database.ts'
import { type Sql, sql } from './sql.ts'

/** The class of our advisory locks, so that they never meet another program's in the same database. */
const askerLockClass = 0x6b616c65

const returnPauseMs = 100

/** `id` changes when the connection is lost: to the others this process was gone, and they take up what it had begun. */
export type Asker = {
  readonly id: number
  /** Whether the session under this number is there, as far as this process has heard. */
  holds(id: number): boolean
  release(): void
}

/** Registers this process until it ends or releases. After a lost connection it comes back by itself, under a new number. */
export async function registerAsker(database: Database): Promise<Asker> {
  let released = false
  let isHeld = true
  let current = await register(database, () => void comeBack())
  const comeBack = async (): Promise<void> => {
    isHeld = false
    current.release()
    while (!released) {
      try {
        current = await register(database, () => void comeBack())
        isHeld = true
        break
      } catch {
        await pause(returnPauseMs)
      }
    }
    if (released) current.release()
  }
  return {
    get id() {
      return current.id
    },
    holds: (id) => isHeld && id === current.id,
    release: () => {
      released = true
      isHeld = false
      current.release()
    },
  }
}

async function register(database: Database, lost: () => void): Promise<Pick<Asker, 'id' | 'release'>> {
  let registered = false
  const { connection, release } = await database.reserve(() => {
    if (registered) lost()
  })
  try {
    const [row] = await connection.arrays(sql`select nextval('asker_numbers')::int`)
    const id = row![0] as number
    await connection.run(sql`select pg_advisory_lock(${askerLockClass}::int, ${id}::int)`)
    registered = true
    return { id, release }
  } catch (error) {
    release()
    throw error
  }
}

/**
 * The numbers of the living. Whoever judges a row by them must read them after the row, or in the same statement: PostgreSQL
 * looks at locks later than at rows, so an asker whose row is seen is seen too.
 */
export const livingAskers: Sql = sql`
  select l.objid::bigint from pg_locks l
  where l.locktype = 'advisory' and l.classid = ${askerLockClass}::oid and l.objsubid = 2 and l.granted
    and l.database = (select d.oid from pg_database d where d.datname = current_database())`

export const listLivingAskers = async (database: Database): Promise<number[]> =>
  (await database.arrays(livingAskers)).map((row) => row[0] as number)
