/** Whether the database answers. */
import type { Connection } from './database.ts'
import { sql } from './sql.ts'

export const findHealth = (connection: Connection): Promise<boolean> =>
  connection.arrays(sql`select 1`).then(
    () => true,
    () => false,
  )
