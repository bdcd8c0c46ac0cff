/** Which processes are alive: each holds a session lock under its own number, and PostgreSQL frees it when the process is gone. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Connection, Database } from './database.ts'
import { sql } from './sql.ts'

/** The class of our advisory locks, so that they never meet another program's in the same database. */
const askerLockClass = 0x6b616c65

const relockPauseMs = 500

export type Asker = { id: number; release(): void }

/** Registers this process until it ends or releases. A lost connection is replaced, and the lock taken again under the same number. */
export async function registerAsker(database: Database): Promise<Asker> {
  let released = false
  let session = await database.reserve(() => void relock())
  const [row] = await session.connection.arrays(sql`select nextval('asker_numbers')::int`)
  const id = row![0] as number
  const lock = (connection: Connection) =>
    connection.run(sql`select pg_advisory_lock(${askerLockClass}::int, ${id}::int)`)
  const relock = async (): Promise<void> => {
    while (!released) {
      try {
        session.release()
        session = await database.reserve(() => void relock())
        await lock(session.connection)
        return
      } catch {
        await pause(relockPauseMs)
      }
    }
  }
  await lock(session.connection)
  return {
    id,
    release: () => {
      released = true
      session.release()
    },
  }
}

export const listLivingAskers = async (database: Database): Promise<number[]> =>
  (
    await database.arrays(sql`
      select l.objid::bigint from pg_locks l
      where l.locktype = 'advisory' and l.classid = ${askerLockClass}::oid and l.objsubid = 2 and l.granted
        and l.database = (select d.oid from pg_database d where d.datname = current_database())`)
  ).map((row) => row[0] as number)
