/** A migrated database for one test, copied from a template and dropped afterwards. */

import { after, type TestContext } from 'node:test'
import { administer, startTestServer, type TestServer, urlOf } from './server.ts'

export type TestDatabase = {
  /** For `pg.Pool`, `pg.Client` and `openDatabase`. */
  connection: { connectionString: string }
  /** The same as a value for DATABASE_URL. */
  url: string
}

/** The name of the variable by which the global set-up tells test files about the run's server. */
export const announcement = 'KALENDS_TEST_SERVER'

let ownServer: ReturnType<typeof startTestServer> | undefined
let copies = 0
const drops: Promise<void>[] = []

/** Close the connections to it in a `t.after` of your own; those still open seconds after the test are cut. */
export async function testDatabase(t: Pick<TestContext, 'after'>): Promise<TestDatabase> {
  const { url: serverUrl, template } = await runningServer()
  copies += 1
  const name = `test_${process.pid}_${copies}`
  // Copying files takes a tenth of the time of the default, which writes the copy through the log.
  await administer(serverUrl, `create database ${name} template ${template} strategy file_copy`)
  // Not awaited here: this is the first of the test's `after` hooks, and the later ones close its connections.
  t.after(() => void drops.push(dropWhenFree(serverUrl, name)))
  const url = urlOf(serverUrl, name)
  return { connection: { connectionString: url }, url }
}

after(async () => {
  await Promise.all(drops)
  if (ownServer !== undefined) await (await ownServer).stop()
})

/** A file that is run alone has nobody to start a server for it, and starts its own. */
async function runningServer(): Promise<TestServer> {
  const announced = process.env[announcement]
  if (announced !== undefined) return JSON.parse(announced)
  ownServer ??= startTestServer()
  return ownServer
}

const inUse = '55006'

/** PostgreSQL itself waits some seconds for the last connection to go. */
async function dropWhenFree(serverUrl: string, name: string): Promise<void> {
  try {
    await administer(serverUrl, `drop database if exists ${name}`)
  } catch (error) {
    if ((error as { code?: string }).code !== inUse) throw error
    await administer(serverUrl, `drop database if exists ${name} with (force)`)
  }
}
