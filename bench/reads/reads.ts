/** Reads: one subscription over TLS from our API, in JSON and XML, against a bare server with the same select. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import type { App } from '../../src/actions/app.ts'
import { createDemoData } from '../../src/actions/create-demo-data.ts'
import { createSite } from '../../src/actions/create-site.ts'
import { BogusGateway } from '../../src/gateway/bogus.ts'
import { wallClock } from '../../src/host/clock.ts'
import { createLog } from '../../src/host/log.ts'
import { tlsMaterial } from '../../src/host/tls.ts'
import { registerAsker } from '../../src/store/askers.ts'
import { openDatabase } from '../../src/store/database.ts'
import { listSubscriptionRecords } from '../../src/store/subscription-records.ts'
import { median, percent, print, spread } from '../figures.ts'
import { type Place, withPlace } from '../place.ts'
import { askOverAndOver } from './client.ts'

const least = 0.6
const connections = 32
const warmUpSeconds = 1

/** Prints requests per second and what part of the bare server's they are; the runs of each way take turns. */
export async function benchReads(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { runs: { type: 'string', default: '5' }, seconds: { type: 'string', default: '3' } },
  })
  await withPlace(async (place) => {
    const shop = await makeShop(place)
    const tls = await tlsMaterial({
      dataDir: place.directory,
      siteSubdomain: 'acme',
      tlsCertFile: undefined,
      tlsKeyFile: undefined,
    })
    const serve = async (way: string) => {
      const told = { way, connection: place.connection, tls, ...shop }
      const server = fork(new URL('./server.ts', import.meta.url), [JSON.stringify(told)])
      const [port] = (await once(server, 'message')) as [number]
      return { port, stop: () => server.kill() }
    }
    const [bare, ours] = await Promise.all([serve('bare'), serve('ours')])
    const ask = (port: number, path: string, seconds: number) =>
      askOverAndOver({ port, ca: tls.cert, path, apiKey: shop.apiKey, connections, seconds })
    const ways = [
      { title: 'bare Fastify, same select', port: bare.port, path: `/subscriptions/${shop.subscriptionId}` },
      { title: 'ours, JSON', port: ours.port, path: `/subscriptions/${shop.subscriptionId}.json` },
      { title: 'ours, XML', port: ours.port, path: `/subscriptions/${shop.subscriptionId}.xml` },
    ].map((way) => ({ ...way, figures: [] as number[] }))
    for (const { port, path } of ways) await ask(port, path, warmUpSeconds)
    for (let run = 0; run < Number(values.runs); run++) {
      for (const way of ways) way.figures.push(await ask(way.port, way.path, Number(values.seconds)))
    }
    bare.stop()
    ours.stop()
    report(ways)
  })
}

function report(ways: readonly { title: string; figures: readonly number[] }[]): void {
  const [bare, ...ours] = ways
  for (const { title, figures } of ways) print(title, spread(figures, 'requests/s'))
  for (const { title, figures } of ours) {
    const part = median(figures.map((figure, run) => figure / bare!.figures[run]!))
    print(`${title}, of the bare server`, `${percent(part)} (at least ${percent(least)})`)
    if (part < least) process.exitCode = 1
  }
}

/** A site with demo data, and one subscription of it. */
async function makeShop({ connection }: Place): Promise<{ siteId: number; apiKey: string; subscriptionId: number }> {
  const db = openDatabase(connection)
  const asker = await registerAsker(db)
  const bogus = new BogusGateway(connection, wallClock)
  const gateways = new Map([[bogus.name, bogus]])
  const app: App = { db, gateways, clock: wallClock, log: createLog('warn'), asker: asker.id, reach: () => {} }
  const command = { subdomain: 'acme', live: false, timeZone: 'America/New_York', currency: 'USD', apiKey: undefined }
  const { siteId, apiKey } = await createSite(app, command)
  await createDemoData(app, siteId)
  const [record] = await listSubscriptionRecords(db, siteId, { perPage: 1, offset: 5 })
  asker.release()
  await bogus.close()
  await db.close()
  return { siteId, apiKey, subscriptionId: record!.subscription.id }
}
