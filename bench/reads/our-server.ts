/** The service's own API server, as the bench starts it. */
import type { App } from '../../src/actions/app.ts'
import { createApiServer } from '../../src/api/server.ts'
import { wallClock } from '../../src/host/clock.ts'
import { createLog } from '../../src/host/log.ts'
import { createPdfRenderer } from '../../src/pdf/renderer.ts'
import { openDatabase } from '../../src/store/database.ts'
import { testCourier } from '../../test/support/courier.ts'
import { testSeals } from '../../test/support/seals.ts'
import { announce } from './served.ts'

const { connection, tls } = JSON.parse(process.argv[2] ?? '')
const db = openDatabase(connection)
const log = createLog('warn')
const app: App = {
  db,
  gateways: new Map(),
  clock: wallClock,
  log,
  seals: testSeals,
  pdf: createPdfRenderer(log),
  courier: testCourier,
  asker: 1,
  reach: () => {},
}
const server = createApiServer(app, tls)
const { port } = await server.listen('127.0.0.1', 0)
announce(port, async () => {
  await server.close(1000)
  await db.close()
})
