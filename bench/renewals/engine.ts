/** One process of the service's workers, as the bench starts it: renews a site by the product's own code and says what it took. */
import type { App } from '../../src/actions/app.ts'
import { assessDueSubscriptions } from '../../src/actions/assess-due-subscriptions.ts'
import { BogusGateway } from '../../src/gateway/bogus.ts'
import { stoppedClock } from '../../src/host/clock.ts'
import { createLog } from '../../src/host/log.ts'
import { openDatabase } from '../../src/store/database.ts'
import { asker, now } from './data.ts'

const { connection, siteId, loops, setSize } = JSON.parse(process.argv[2] ?? '{}')
const db = openDatabase(connection)
const bogus = new BogusGateway(connection, stoppedClock(now))
const app: App = {
  db,
  gateways: new Map([[bogus.name, bogus]]),
  clock: stoppedClock(now),
  log: createLog('warn'),
  asker,
  reach: () => {},
}

async function work(): Promise<number> {
  let renewed = 0
  for (;;) {
    const done = await assessDueSubscriptions(app, siteId, { limit: setSize, asDue: false })
    if (done === 0) return renewed
    renewed += done
  }
}

process.on('message', async () => {
  const before = process.cpuUsage()
  const renewed = await Promise.all(Array.from({ length: loops }, work))
  const used = process.cpuUsage(before)
  process.send?.({
    renewed: renewed.reduce((sum, each) => sum + each, 0),
    cpuSeconds: (used.user + used.system) / 1e6,
    memoryKilobytes: process.resourceUsage().maxRSS,
  })
  await bogus.close()
  await db.close()
  process.disconnect()
})
process.send?.('ready')
