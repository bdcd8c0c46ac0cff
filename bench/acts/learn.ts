/** Learns by heart which statements one request needs: the service answers it once, while a listener writes down what it sends. */
import type { App } from '../../src/actions/app.ts'
import { createApiServer } from '../../src/api/server.ts'
import { createLog } from '../../src/host/log.ts'
import type { Connection, Database } from '../../src/store/database.ts'
import { openDatabase } from '../../src/store/database.ts'
import { prepare, type Sql } from '../../src/store/sql.ts'
import { appOn } from '../../test/support/app-on.ts'
import type { Place } from '../place.ts'
import { instantGateway } from './instant-gateway.ts'

/** A statement as it was sent, the ids that it drew, and what it had to wait for: those of one `wave` go out together. */
export type Step = {
  name: string
  text: string
  values: (string | null)[]
  drawn: string[]
  transaction: number | null
  wave: number
}

export type Learnt = { steps: Step[]; status: number; answer: string }

export const actingOn = (db: Database): App => appOn(db, [instantGateway], { log: createLog('warn') })

/** The service's own server for a moment; `ask` gives the answer and what it took. */
export async function learning(
  { connection }: Place,
  tls: { cert: string; key: string },
  work: (ask: (send: (port: number) => Promise<{ status: number; text: string }>) => Promise<Learnt>) => Promise<void>,
): Promise<void> {
  const db = openDatabase(connection, { size: 4 })
  let steps: Step[] = []
  const server = createApiServer(actingOn(writtenDown(db, (step) => steps.push(step))), tls)
  const { port } = await server.listen('127.0.0.1', 0)
  await work(async (send) => {
    steps = []
    const { status, text } = await send(port)
    return { steps, status, answer: text }
  })
  await server.close(1000)
  await db.close()
}

function writtenDown(db: Database, write: (step: Step) => void): Database {
  let answered = 0
  let transactions = 0
  const listening = (connection: Connection, transaction: number | null): Connection => {
    const through = async <Rows>(statement: Sql, ask: () => Promise<Rows>): Promise<Rows> => {
      const { name, text, values } = prepare(statement)
      const step: Step = { name, text, values: [...values], drawn: [], transaction, wave: answered }
      write(step)
      const rows = await ask()
      answered += 1
      if (text.includes('nextval') || text.includes('returning'))
        step.drawn = JSON.stringify(rows).match(/\d{6,}/g) ?? []
      return rows
    }
    return {
      arrays: (statement) => through(statement, () => connection.arrays(statement)),
      rows: <Row extends object>(statement: Sql) => through(statement, () => connection.rows<Row>(statement)),
      run: (statement) => through(statement, () => connection.run(statement)),
    }
  }
  return {
    ...db,
    ...listening(db, null),
    transaction: (work) => {
      const number = ++transactions
      return db.transaction((tx) => work({ ...listening(tx, number), inTransaction: true }))
    },
  }
}
