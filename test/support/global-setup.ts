/** Starts the test run's PostgreSQL before the first test file; it ends with the run. */

import { announcement } from './database.ts'
import { startTestServer } from './server.ts'

export async function globalSetup(): Promise<void> {
  process.env[announcement] = JSON.stringify(await startTestServer())
}
