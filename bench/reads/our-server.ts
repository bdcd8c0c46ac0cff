/** The service's own API server, as the bench starts it. */
import { createApiServer } from '../../src/api/server.ts'
import { createLog } from '../../src/host/log.ts'
import { openDatabase } from '../../src/store/database.ts'
import { appOn } from '../../test/support/app-on.ts'
import { announce } from './served.ts'

const { connection, tls } = JSON.parse(process.argv[2] ?? '')
const db = openDatabase(connection)
const server = createApiServer(appOn(db, [], { log: createLog('warn') }), tls)
const { port } = await server.listen('127.0.0.1', 0)
announce(port, async () => {
  await server.close(1000)
  await db.close()
})
