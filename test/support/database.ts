/** A migrated database for one test, copied from a template and dropped afterwards. */

import type { TestContext } from 'node:test'
import { administer, startTestServer, type TestServer, urlOf } from './server.ts'

export type TestDatabase = {
  /** For `pg.Pool`, `pg.Client` and `openDatabase`. */
  connection: { connectionString: string }
  /** The same as a value for DATABASE_URL. */
  url: string
}

/** The name of the variable by which the global set-up tells test files about the run's server. */
export const announcement = 'KALENDS_TEST_SERVER'

let ownServer: Promise<TestServer> | undefined
let copies = 0

/** Close the connections to it in a `t.after` of your own; those still open seconds later are cut. */
export async function testDatabase(t: Pick<TestContext, 'after'>): Promise<TestDatabase> {
  const { url: serverUrl, template } = await runningServer()
  copies += 1
  const name = `test_${process.pid}_${copies}`
  // Copying files takes a tenth of the time of the default, which writes the copy through the log.
  await administer(serverUrl, `create database ${name} template ${template} strategy file_copy`)
  // Not awaited: this is the first of the test's `after` hooks, and the later ones close its connections.
  t.after(() => void drop(serverUrl, name))
  const url = urlOf(serverUrl, name)
  return { connection: { connectionString: url }, url }
}

/** A file that is run alone has nobody to start a server for it, and starts its own. */
async function runningServer(): Promise<TestServer> {
  const announced = process.env[announcement]
  if (announced !== undefined) return JSON.parse(announced)
  ownServer ??= startTestServer()
  return ownServer
}

/** PostgreSQL itself waits some seconds for the last connection to go. A copy that stays goes with its server. */
const drop = (serverUrl: string, name: string): Promise<void> =>
  administer(serverUrl, `drop database if exists ${name}`)
    .catch(() => administer(serverUrl, `drop database if exists ${name} with (force)`))
    .catch(() => undefined)
