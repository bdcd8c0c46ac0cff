/** A process that uses the embedded database of the directory named on its command line until it is stopped or killed. */

import { createLog } from '../../src/host/log.ts'
import { startPostgres } from '../../src/host/postgres/postgres.ts'

const [dataDir = ''] = process.argv.slice(2)
const server = await startPostgres({ dataDir, log: createLog('warn') })
process.once('SIGTERM', () => void server.stop())
process.stdout.write('ready\n')
