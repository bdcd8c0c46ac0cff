/** Who held a subscription's lock, one after the other: the serial order in which acts that arrived at once took effect. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import type { TestContext } from 'node:test'
import type { Database, Transaction } from '../../src/store/database.ts'
import type { Sql } from '../../src/store/sql.ts'
import type { TestApp } from '../support/test-app.ts'

/** A request names itself in this header. */
export const nameHeader = 'x-turn'

/** The names of requests in the order of their locks; one that asked a gateway comes twice, since it locks again to settle. */
export type LocksTaken = { names: string[] }

const opened = 'http.server.request.start'

/**
 * PostgreSQL grants a row's lock to one transaction after the other, and its answer to the second comes after the first has ended:
 * the order of the answers is the order of the acts. Kept by putting a listener between the service and its database.
 */
export function watchLocks(t: Pick<TestContext, 'after'>, { app }: Pick<TestApp, 'app'>): LocksTaken {
  const taken: LocksTaken = { names: [] }
  const present = new AsyncLocalStorage<string | undefined>()
  const enter = (message: unknown): void => {
    const { request } = message as { request: IncomingMessage }
    present.enterWith(request.headers[nameHeader] as string | undefined)
  }
  subscribe(opened, enter)
  t.after(() => unsubscribe(opened, enter))
  const { db } = app
  const tell = (name: string | undefined): void => {
    if (name !== undefined) taken.names.push(name)
  }
  const transaction: Database['transaction'] = (work) => {
    const name = present.getStore()
    return db.transaction((tx) => work(listening(tx, () => tell(name))))
  }
  app.db = { ...db, transaction }
  return taken
}

const isLock = (statement: Sql): boolean =>
  /from subscriptions s\s+where s\.site_id = .* for update/s.test(statement.parts.join('?'))

const listening = (tx: Transaction, locked: () => void): Transaction => ({
  ...tx,
  arrays: async (statement) => {
    const rows = await tx.arrays(statement)
    if (isLock(statement)) locked()
    return rows
  },
})
