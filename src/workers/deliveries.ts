/** The loops that send webhooks: new ones and forgotten endpoints at once, retries every second, leases every now and then. */
import type { App } from '../actions/app.ts'
import { Deliveries } from '../actions/deliver-webhooks.ts'
import { startLoop } from './loop.ts'

const lookEveryMs = 100
const tendEveryMs = 1000
const renewEveryMs = 10_000

export function startDeliveries(app: App): { stop(): Promise<void> } {
  const deliveries = new Deliveries(app)
  const nothing = async (work: Promise<void>): Promise<number> => {
    await work
    return 0
  }
  const loops = [
    startLoop('webhooks', { everyMs: lookEveryMs, app }, () => deliveries.lookForWork()),
    startLoop('webhook retries', { everyMs: tendEveryMs, app }, () => nothing(deliveries.tend())),
    startLoop('webhook leases', { everyMs: renewEveryMs, app }, () => nothing(deliveries.renew())),
  ]
  return {
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()))
      await deliveries.stop()
    },
  }
}
