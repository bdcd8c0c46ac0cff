/** Whether the database answers. */
import type { Database } from './database.ts'
import { sql } from './sql.ts'

const promptlyMs = 2000

const underWay = new WeakMap<Database, Promise<boolean>>()

/**
 * Told within two seconds. Where every connection is at work for longer, what the database said last on another one
 * counts. However many ask at once, the database is asked one question at a time.
 */
export function findHealth(database: Database): Promise<boolean> {
  const known = underWay.get(database)
  if (known !== undefined) return known
  const asked = ask(database).finally(() => underWay.delete(database))
  underWay.set(database, asked)
  return asked
}

async function ask(database: Database): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(database.answeredWithin(promptlyMs)), promptlyMs)
  const asked = database.arrays(sql`select 1`).then(
    () => true,
    () => false,
  )
  try {
    return await Promise.race([asked, late])
  } finally {
    clearTimeout(timer)
  }
}
