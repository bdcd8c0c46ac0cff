/** Webhooks: deliveries on record against a bare loop of signed POSTs, and how long a webhook waits beside an endpoint that hangs. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Agent, request } from 'undici'
import type { App } from '../../src/actions/app.ts'
import { createSite } from '../../src/actions/create-site.ts'
import { createEndpoint } from '../../src/actions/save-endpoint.ts'
import { createCourier } from '../../src/delivery/courier.ts'
import { createWebhookSecret, signatureHeaders } from '../../src/delivery/signatures.ts'
import { createLog } from '../../src/host/log.ts'
import { registerAsker } from '../../src/store/askers.ts'
import { openDatabase } from '../../src/store/database.ts'
import { drawWebhookIds, insertWebhooks } from '../../src/store/webhooks.ts'
import { startDeliveries } from '../../src/workers/deliveries.ts'
import { appOn } from '../../test/support/app-on.ts'
import { median, percent, print, spread, timed, whole } from '../figures.ts'
import { type Place, withPlace } from '../place.ts'

const endpoints = 8
const bareConcurrency = 64
const actSize = 20

/** As long as that of a subscription usually is. */
const bodyOf = (id: number): string => `id=${id}&event=payment_success&payload[subscription][note]=${'x'.repeat(3000)}`

export async function benchWebhooks(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      count: { type: 'string', default: '20000' },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '20' },
    },
  })
  const [count, rounds, seconds] = [values.count, values.rounds, values.seconds].map(Number) as [number, number, number]
  await withPlace(async (place) => {
    const receiver = fork(new URL('./receiver.ts', import.meta.url))
    const [port] = (await once(receiver, 'message')) as [number]
    const office = await openOffice(place)
    const figures: { bare: number[]; ours: number[] } = { bare: [], ours: [] }
    await deliverAll(office, `http://127.0.0.1:${port}/warm-up`, Math.ceil(count / 10))
    for (let round = 0; round < rounds; round++) {
      figures.bare.push(await postAll(`http://127.0.0.1:${port}/hook`, count))
      figures.ours.push(await deliverAll(office, `http://127.0.0.1:${port}/hook`, count))
    }
    print('bare loop of signed POSTs', spread(figures.bare, 'POSTs/s'))
    print(`delivered and recorded, ${endpoints} endpoints`, spread(figures.ours, 'webhooks/s'))
    print('ours / bare', percent(median(figures.ours) / median(figures.bare)))
    await besideOneThatHangs(office, receiver, port, seconds)
    await office.close()
  })
}

type Office = { app: App; siteId: number; place: Place; close(): Promise<void> }

async function openOffice(place: Place): Promise<Office> {
  const db = openDatabase(place.connection)
  const asker = await registerAsker(db)
  const log = createLog('warn')
  const courier = createCourier({ allowPrivate: true })
  const app = appOn(db, [], { log, courier, asker: asker.id })
  const site = { subdomain: 'bench', live: false, timeZone: 'UTC', currency: 'USD', apiKey: undefined }
  const { siteId } = await createSite(app, site)
  const close = async (): Promise<void> => {
    asker.release()
    await courier.close()
    await db.close()
  }
  return { app, siteId, place, close }
}

const addEndpoint = ({ app, siteId }: Office, url: string): Promise<number> =>
  createEndpoint(app, siteId, { url, eventKeys: [], ordered: false, status: 'enabled' })

/** As acts write them; gives their ids. */
const write = ({ app, siteId }: Office, endpointId: number, count: number): Promise<number[]> =>
  app.db.transaction(async (tx) => {
    const ids = await drawWebhookIds(tx, count)
    const row = { siteId, endpointId, eventId: null, event: 'payment_success', createdAt: app.clock.now() }
    await insertWebhooks(
      tx,
      siteId,
      ids.map((id) => ({ ...row, id, subscriptionId: id, body: bodyOf(id) })),
    )
    return ids
  })

/** Webhooks that wait, sent by one process until the last one is on record as accepted; per second. */
async function deliverAll(office: Office, url: string, count: number): Promise<number> {
  const each = Math.ceil(count / endpoints)
  for (let number = 0; number < endpoints; number++) {
    const endpointId = await addEndpoint(office, `${url}/${number}`)
    for (let left = each; left > 0; left -= 500) await write(office, endpointId, Math.min(left, 500))
  }
  await office.place.run('analyze webhooks', 'checkpoint')
  let stopped: Promise<void> | undefined
  const { seconds } = await timed(async () => {
    const running = startDeliveries(office.app)
    for (;;) {
      const { rows } = await office.place.pool.query(
        'select exists (select from webhooks where sequence is null) or exists (select from webhooks where next_attempt_at is not null) as waiting',
      )
      if (!rows[0].waiting) break
      await pause(20)
    }
    stopped = running.stop()
  })
  await stopped
  const { rows } = await office.place.pool.query('select count(*)::int as n from webhooks where not successful')
  if (rows[0].n !== 0) throw new Error(`${rows[0].n} webhooks were not accepted`)
  return (each * endpoints) / seconds
}

/** The floor: the same bodies with the same signatures, over connections that stay open, and nothing else. */
async function postAll(url: string, count: number): Promise<number> {
  const agent = new Agent({ connections: bareConcurrency })
  const secrets = [createWebhookSecret()]
  let next = 0
  const { seconds } = await timed(() =>
    Promise.all(
      Array.from({ length: bareConcurrency }, async () => {
        while (next < count) {
          const id = ++next
          const body = bodyOf(id)
          const headers = {
            'content-type': 'application/x-www-form-urlencoded',
            ...signatureHeaders({ id, body, sharedKey: 'key', secrets, timestamp: 1 }),
          }
          const answer = await request(url, { method: 'POST', headers, body, dispatcher: agent })
          await answer.body.dump()
          if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}`)
        }
      }),
    ),
  )
  await agent.close()
  return count / seconds
}

/** How long after its commit a webhook arrives, while another endpoint of the site hangs on every call and has thousands waiting. */
async function besideOneThatHangs(
  office: Office,
  receiver: ChildProcess,
  port: number,
  seconds: number,
): Promise<void> {
  const told = async (): Promise<[string, number][]> => {
    receiver.send('tell')
    return (await once(receiver, 'message'))[0] as [string, number][]
  }
  await told()
  const hanging = await addEndpoint(office, `http://127.0.0.1:${port}/hang`)
  const good = await addEndpoint(office, `http://127.0.0.1:${port}/good`)
  for (let part = 0; part < 10; part++) await write(office, hanging, 1000)
  const deliveries = startDeliveries(office.app)
  await pause(2000)
  const committed = new Map<string, number>()
  const end = performance.now() + seconds * 1000
  while (performance.now() < end) {
    const ids = await write(office, good, actSize)
    const at = performance.timeOrigin + performance.now()
    for (const id of ids) committed.set(String(id), at)
    await pause(50)
  }
  await pause(2000)
  const waits = (await told()).flatMap(([id, at]) => (committed.has(id) ? [at - committed.get(id)!] : []))
  const sorted = waits.toSorted((a, b) => a - b)
  const at = (share: number): string => `${whole(sorted[Math.floor(share * (sorted.length - 1))]!)} ms`
  if (sorted.length !== committed.size) throw new Error(`${committed.size - sorted.length} webhooks did not arrive`)
  print('beside an endpoint that hangs: commit to arrival', `median ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)}`)
  // Whoever hangs lets go, so that stopping does not wait for its answers.
  receiver.disconnect()
  await deliveries.stop()
}
