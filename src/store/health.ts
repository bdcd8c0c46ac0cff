/** Whether the database answers. */
import type { Database } from './database.ts'
import { sql } from './sql.ts'

const promptlyMs = 2000

/** Told within two seconds. Where every connection is at work for longer, what the database said last on another one counts. */
export async function findHealth(database: Database): Promise<boolean> {
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
