/** The service as a test sees it: a fresh database, a site of its own, a real HTTPS server, and the test gateway. */
import assert from 'node:assert/strict'
import https from 'node:https'
import type { TestContext } from 'node:test'
import type { App } from '../../src/actions/app.ts'
import { createSite } from '../../src/actions/create-site.ts'
import { createApiServer } from '../../src/api/server.ts'
import type { NoticeSettings } from '../../src/billing/site.ts'
import type { Courier } from '../../src/delivery/courier.ts'
import { type Clock, wallClock } from '../../src/host/clock.ts'
import { portalPages } from '../../src/portal/portal.ts'
import { registerAsker } from '../../src/store/askers.ts'
import { openDatabase } from '../../src/store/database.ts'
import { findSite, updateSiteSettings } from '../../src/store/sites.ts'
import { preparedTexts } from '../../src/store/sql.ts'
import { answerViolations } from './api-description.ts'
import { appOn } from './app-on.ts'
import { testCourier } from './courier.ts'
import { testDatabase } from './database.ts'
import { HeldGateway, type Hold } from './held-gateway.ts'
import { testTls } from './tls.ts'

export type Reply = {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  bytes: Buffer
  /** The body as JSON, to be reached into freely; throws when it is none. */
  json: ReturnType<typeof JSON.parse>
}

export type Ask = {
  method?: string
  /** A tree is sent as JSON, a string as it stands. */
  body?: unknown
  headers?: Record<string, string>
  /** Null sends no credentials. */
  key?: string | null
}

export type TestApp = {
  app: App
  siteId: number
  apiKey: string
  port: number
  /** Asks the running server: `ask('POST /subscriptions.json', { body })`. */
  ask(line: string, options?: Ask): Promise<Reply>
  /** Moves the site's clock and waits until it has arrived. */
  moveClock(to: string): Promise<void>
  /** The gateway keeps what is asked for a subscription from now on, until it is released. */
  hold(subscriptionId: number): Hold
}

export async function testApp(
  t: Pick<TestContext, 'after'>,
  {
    timeZone = 'UTC',
    clock = wallClock,
    now,
    courier = testCourier,
    notices = { renewalDays: 0, trialDays: 0, expiringCards: false },
  }: { timeZone?: string; clock?: Clock; now?: string; courier?: Courier; notices?: NoticeSettings } = {},
): Promise<TestApp> {
  const { connection } = await testDatabase(t)
  const db = openDatabase(connection, { size: 8 })
  const asker = await registerAsker(db)
  const bogus = new HeldGateway(connection, wallClock)
  const app = appOn(db, [bogus], { clock, courier, asker: asker.id })
  const { siteId, apiKey } = await createSite(app, {
    subdomain: 'acme',
    live: false,
    timeZone,
    currency: 'USD',
    apiKey: undefined,
  })
  const site = await findSite(db, siteId)
  await updateSiteSettings(db, siteId, { ...site!, notices })
  if (now !== undefined) {
    const at = Temporal.Instant.from(now)
    const { updateSiteClock } = await import('../../src/store/sites.ts')
    await updateSiteClock(db, siteId, { setTo: at, setAt: clock.now(), advancingTo: null, movedBy: null })
  }
  const server = createApiServer(app, testTls, portalPages(app))
  const { port } = await server.listen('127.0.0.1', 0)
  const agent = new https.Agent({ keepAlive: true, ca: testTls.cert })
  t.after(async () => {
    agent.destroy()
    await server.close(1000)
    asker.release()
    await app.pdf.close()
    await bogus.close()
    await db.close()
    refuseUnboundStatements()
  })
  const ask = (line: string, options: Ask = {}) => asDescribed(line, options, send(agent, port, apiKey, line, options))
  const moveClock = async (to: string): Promise<void> => {
    const reply = await ask('PUT /test_clock.json', { body: { test_clock: { now: to } } })
    if (reply.status !== 200) throw new Error(`the clock did not move: ${reply.status} ${reply.text}`)
  }
  const hold = (subscriptionId: number): Hold => bogus.hold(subscriptionId)
  return { app, siteId, apiKey, port, ask, moveClock, hold }
}

/** Statements that find a site, look for work on all of them, or touch no table. */
const acrossSites =
  /\bfrom sites\b|\binto sites\b|\bupdate sites\b|\bapi_keys\b|\bfrom link_keys\b|\bpg_|select distinct a\.site_id|\bfrom unnest\(\$1::text\[\]\)|_id_seq'|asker_numbers/

/** A site sees itself alone: every statement that ran on a table of sites' rows names the site. */
function refuseUnboundStatements(): void {
  for (const text of preparedTexts()) {
    const touchesTables = /\b(from|into|update|join)\s+[a-z]/.test(text)
    if (touchesTables && !acrossSites.test(text))
      assert.match(text, /\bsite_id\b/, 'a statement that is not bound to its site')
  }
}

/** Whatever a test is about: what it was answered is what the API's description says. */
async function asDescribed(line: string, { headers = {} }: Ask, asked: Promise<Reply>): Promise<Reply> {
  const reply = await asked
  const isOverridden = Object.keys(headers).some((name) => name.toLowerCase() === 'x-http-method-override')
  const type = String(reply.headers['content-type'] ?? '')
  if (!isOverridden) assert.deepEqual(answerViolations(line, { status: reply.status, type, text: reply.text }), [])
  return reply
}

function send(
  agent: https.Agent,
  port: number,
  apiKey: string,
  line: string,
  { body, headers = {}, key = apiKey }: Ask,
): Promise<Reply> {
  const [method = 'GET', path = '/'] = line.split(' ')
  const payload = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
  const type = typeof body === 'string' && body.trimStart().startsWith('<') ? 'application/xml' : 'application/json'
  const options: https.RequestOptions = {
    agent,
    host: '127.0.0.1',
    servername: 'localhost',
    port,
    method,
    path,
    headers: {
      Host: `localhost:${port}`,
      ...(key === null ? {} : { Authorization: `Basic ${Buffer.from(`${key}:X`).toString('base64')}` }),
      ...(payload === undefined ? {} : { 'Content-Type': type, 'Content-Length': String(Buffer.byteLength(payload)) }),
      ...headers,
    },
  }
  return new Promise((resolve, reject) => {
    const request = https.request(options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const text = bytes.toString('utf8')
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          bytes,
          get json() {
            return JSON.parse(text)
          },
        })
      })
    })
    request.on('error', reject)
    request.end(payload)
  })
}
