/** The service's own API server with a gateway that answers at once, as the bench of acts starts it. */
import { createApiServer } from '../../src/api/server.ts'
import { openDatabase } from '../../src/store/database.ts'
import { announce } from '../reads/served.ts'
import { actingOn } from './learn.ts'

const { connection, tls } = JSON.parse(process.argv[2] ?? '')
const db = openDatabase(connection)
const server = createApiServer(actingOn(db), tls)
const { port } = await server.listen('127.0.0.1', 0)
announce(port, async () => {
  await server.close(1000)
  await db.close()
})
