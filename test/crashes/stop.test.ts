/** A service that is told to stop ends in time and with 0, however those hang that it has asked; what they had begun is finished by the next one. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { testDatabase } from '../support/database.ts'
import { startService } from './service.ts'
import { behave, enterWorld, jumpTo, makeSeed, query, type World } from './world.ts'

const stopMsMax = 35_000

/** Takes connections and never says a word. */
async function silentServer(t: TestContext): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => void sockets.add(socket.on('error', () => {})))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const count = async (world: World, from: string): Promise<number> => {
  const [row] = (await query(world, `select count(*)::int as count from ${from}`)) as { count: number }[]
  return row!.count
}

const until = async (what: string, holds: () => Promise<boolean>): Promise<void> => {
  const end = performance.now() + 60_000
  while (!(await holds())) {
    assert.ok(performance.now() < end, what)
    await pause(100)
  }
}

test('a gateway and a mail server that hang do not keep a service from stopping', async (t) => {
  const seed = await makeSeed(t, {
    now: '2027-01-10T12:00:00Z',
    products: [{ handle: 'monthly', interval: { count: 1, unit: 'month' } }],
    subscribers: [{ product: 'monthly', count: 20 }],
  })
  const world = enterWorld(t, seed)
  await behave(world, { latencyInMs: 55_000 })
  await query(
    world,
    `insert into letters (site_id, kind, customer_id, details, created_at, next_attempt_at)
     select site_id, 'cancellation', id, '{}', created_at, created_at from customers`,
  )
  await jumpTo(world, '2027-02-10T13:00:00Z')
  const service = await startService({
    databaseUrl: seed.url,
    smtpUrl: `smtp://127.0.0.1:${await silentServer(t)}`,
  })
  const open = 'payment_attempts where outcome is null'
  await until('the gateway is asked', async () => (await count(world, open)) === 20)
  const began = performance.now()
  assert.equal(await service.stop(), '0', service.said())
  assert.ok(performance.now() - began < stopMsMax, `stopped after ${performance.now() - began} ms`)
  assert.equal(await count(world, open), 20)
  await behave(world, {})
  const next = await startService({ databaseUrl: seed.url })
  await until('recovery has finished them', async () => (await count(world, open)) === 0)
  const captured = `bogus_gateway.calls where kind = 'purchase' and outcome = 'approved'`
  assert.equal(await count(world, captured), await count(world, `payment_attempts where outcome = 'approved'`))
  assert.equal(await next.stop(), '0', next.said())
})

test('a service whose output nobody reads any more goes on, and stops with 0', async (t) => {
  const { url } = await testDatabase(t)
  const service = await startService({ databaseUrl: url, logLevel: 'debug' })
  t.after(() => service.kill())
  await service.port
  service.closeOutput()
  for (let count = 0; count < 5; count++) {
    assert.equal((await service.ask('GET /subscriptions.json')).status, 200)
    await pause(100)
  }
  assert.equal(await service.stop(), '0')
})
