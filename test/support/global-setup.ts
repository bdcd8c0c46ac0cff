/** Starts the test run's PostgreSQL before the first test file and stops it after the last. */

import { announcement } from './database.ts'
import { startTestServer } from './server.ts'

let server: Awaited<ReturnType<typeof startTestServer>> | undefined

export async function globalSetup(): Promise<void> {
  server = await startTestServer()
  process.env[announcement] = JSON.stringify({ url: server.url, template: server.template })
}

export async function globalTeardown(): Promise<void> {
  await server?.stop()
}
