/** One process of the service's workers, as the bench starts it: renews what is due by the product's own code and says what it took. */
import type { App } from '../../src/actions/app.ts'
import { BogusGateway } from '../../src/gateway/bogus.ts'
import { stoppedClock } from '../../src/host/clock.ts'
import { createLog } from '../../src/host/log.ts'
import { openDatabase } from '../../src/store/database.ts'
import { assessmentsOf } from '../../src/workers/workers.ts'
import { appOn } from '../../test/support/app-on.ts'
import { asker, now } from './data.ts'

export type Renewed = {
  renewed: number
  processorSeconds: number
  memoryMegabytes: number
  /** What the gateway took for a payment, its own record of it included. */
  paymentSecondsMean: number
}

const payments = { count: 0, seconds: 0 }

async function workInLanes(app: App, lanes: number): Promise<Renewed> {
  Object.assign(payments, { count: 0, seconds: 0 })
  const before = process.cpuUsage()
  const renewed = await assessmentsOf(app, lanes).untilNothingIsLeft()
  const used = process.cpuUsage(before)
  return {
    renewed,
    processorSeconds: (used.user + used.system) / 1e6,
    memoryMegabytes: process.resourceUsage().maxRSS / 1024,
    paymentSecondsMean: payments.seconds / payments.count,
  }
}

const { connection, lanes } = JSON.parse(process.argv[2] ?? '')
const clock = stoppedClock(now)
const db = openDatabase(connection)
const bogus = new BogusGateway(connection, clock)
const purchase = bogus.purchase.bind(bogus)
bogus.purchase = async (request) => {
  const start = performance.now()
  const outcome = await purchase(request)
  payments.seconds += (performance.now() - start) / 1000
  payments.count += 1
  return outcome
}
const app = appOn(db, [bogus], { clock, log: createLog('warn'), asker })

process.on('message', (message) => {
  if (message === 'work') void workInLanes(app, lanes).then((renewed) => process.send?.(renewed))
})
process.once('disconnect', () => void Promise.all([bogus.close(), db.close()]))
process.send?.('ready')
