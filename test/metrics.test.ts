/** What operators watch: true numbers of the service on a port of their own, none of which tells of a customer. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { findStanding } from '../src/actions/find-standing.ts'
import { readConfig } from '../src/host/config.ts'
import { createLog } from '../src/host/log.ts'
import { openApp, type Service, serve } from '../src/main.ts'
import { sql } from '../src/store/sql.ts'
import { testDatabase } from './support/database.ts'
import { answer, startReceiver } from './support/receiver.ts'
import { testSecret } from './support/seals.ts'
import { openPostOffice, type PostOffice } from './webhooks/post-office.ts'

async function startService(t: TestContext): Promise<Service> {
  const { url } = await testDatabase(t)
  const dataDir = mkdtempSync(join(tmpdir(), 'kalends-metrics-'))
  const config = readConfig({
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    SECRET_KEY: testSecret,
    PORT: '0',
    METRICS_PORT: '0',
    LOG_LEVEL: 'silent',
  })
  const service = await serve(await openApp(config, createLog('silent')), config, ['api', 'workers'])
  t.after(async () => {
    await service.stop()
    rmSync(dataDir, { recursive: true })
  })
  return service
}

test('are read over plain HTTP on their own port, which knows nothing else', async (t) => {
  const { metricsPort } = await startService(t)
  const reply = await fetch(`http://127.0.0.1:${metricsPort}/metrics`)
  assert.equal(reply.status, 200)
  assert.match(reply.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
  const text = await reply.text()
  for (const line of [
    'kalends_subscriptions_parked 0',
    'kalends_assessment_lag_seconds 0',
    'kalends_webhooks_waiting 0',
  ]) {
    assert.ok(text.includes(`\n${line}\n`), line)
  }
  assert.match(text, /^nodejs_eventloop_lag_p99_seconds \d/m)
  for (const path of ['/', '/healthz', '/subscriptions.json']) {
    assert.equal((await fetch(`http://127.0.0.1:${metricsPort}${path}`)).status, 404, path)
  }
})

test('name an endpoint that keeps failing until it accepts again, and time what was sent', async (t) => {
  const office = await openPostOffice(t)
  const receiver = await startReceiver(t, answer(500))
  const endpoint = await office.endpoint(receiver.url)
  await office.write(endpoint, 25)
  await office.until(() => receiver.received.length >= 25)
  await office.until(async () => (await findStanding(office.app))?.failingEndpoints === 1)
  office.clock.pass(3600)
  const failing = await findStanding(office.app)
  assert.deepEqual(failing?.failingFor, [{ site: 'acme', endpoint, seconds: 3600 }])
  assert.equal(failing.webhooksWaiting, 25)
  const { text } = await office.app.metrics.write(failing)
  assert.match(
    text,
    new RegExp(`^kalends_webhook_endpoint_failing_seconds\\{site="acme",endpoint="${endpoint}"\\} 3600$`, 'm'),
  )
  assert.match(text, /^kalends_webhook_attempt_duration_seconds_count\{outcome="refused"\} 25$/m)
  receiver.react(answer(200))
  await office.until(async () => (await findStanding(office.app))?.webhooksWaiting === 0)
  const back = await findStanding(office.app)
  assert.deepEqual([back?.failingEndpoints, back?.failingFor], [0, []])
  const after = await office.app.metrics.write(back)
  assert.doesNotMatch(after.text, /^kalends_webhook_endpoint_failing_seconds\{/m)
})

async function signUp({ ask }: Pick<PostOffice, 'ask'>): Promise<number> {
  const family = await ask('POST /product_families.json', { body: { product_family: { name: 'Tools' } } })
  const terms = { name: 'Basic', price_in_cents: 1000, interval: 1, interval_unit: 'month', handle: 'basic' }
  await ask(`POST /product_families/${family.json.product_family.id}/products.json`, { body: { product: terms } })
  const customer = { first_name: 'Ann', last_name: 'Marked-Name', email: 'ann@marked.example' }
  const card = { full_number: '1', expiration_month: 1, expiration_year: 2040 }
  const body = {
    subscription: { product_handle: 'basic', customer_attributes: customer, credit_card_attributes: card },
  }
  return (await ask('POST /subscriptions.json', { body })).json.subscription.id
}

test('tell of requests by route, never with an id, and of calls to the gateway by what came of them', async (t) => {
  const office = await openPostOffice(t)
  const id = await signUp(office)
  assert.equal((await office.ask(`GET /subscriptions/${id}.json`)).status, 200)
  assert.equal((await office.ask('GET /subscriptions/1.json')).status, 404)
  const { text } = await office.app.metrics.write(await findStanding(office.app))
  const seen = (status: number, count: number) =>
    `kalends_http_request_duration_seconds_count{method="GET",route="/subscriptions/:subscription_id",status="${status}"} ${count}`
  assert.ok(text.includes(seen(200, 1)), text)
  assert.ok(text.includes(seen(404, 1)))
  for (const call of ['store', 'purchase']) {
    assert.ok(
      text.includes(`kalends_gateway_call_duration_seconds_count{gateway="bogus",call="${call}",outcome="approved"} 1`),
    )
  }
  for (const secret of [String(id), 'Marked', 'marked.example']) assert.ok(!text.includes(secret), secret)
})

test('say how late a live site is and how many subscriptions are parked; what cannot be found out is left out', async (t) => {
  const office = await openPostOffice(t)
  const { app, siteId } = office
  await signUp(office)
  await app.db.arrays(sql`update sites set live = true where id = ${siteId}`)
  const onTime = await findStanding(app)
  assert.deepEqual([onTime?.assessmentLagSeconds, onTime?.subscriptionsParked], [0, 0])
  office.clock.pass(31 * 86_400 + 90)
  assert.equal((await findStanding(app))?.assessmentLagSeconds, 90)
  await app.db.arrays(sql`update subscriptions set parked_reason = 'a bug' where site_id = ${siteId}`)
  const parked = await findStanding(app)
  assert.deepEqual([parked?.assessmentLagSeconds, parked?.subscriptionsParked], [0, 1])
  assert.match((await app.metrics.write(parked)).text, /^kalends_subscriptions_parked 1$/m)
  const unknown = await app.metrics.write(undefined)
  assert.doesNotMatch(unknown.text, /^kalends_(assessment_lag_seconds|subscriptions_parked|webhooks_waiting)/m)
})
