/** Worlds for crash tests: a database with a test site, products and subscriptions, made once and copied for each crash. */
import https from 'node:https'
import type { TestContext } from 'node:test'
import pg from 'pg'
import { createSite } from '../../src/actions/create-site.ts'
import type { CreateSubscription } from '../../src/actions/create-subscription.ts'
import { createApiServer } from '../../src/api/server.ts'
import { stoppedClock } from '../../src/host/clock.ts'
import { type Config, readConfig } from '../../src/host/config.ts'
import { createLog } from '../../src/host/log.ts'
import { type Opened, openApp } from '../../src/main.ts'
import { testDatabase } from '../support/database.ts'
import { testSecret } from '../support/seals.ts'
import { administer, urlOf } from '../support/server.ts'
import { multiply } from './multiply.ts'
import { apiKey, ask, sharedTls } from './service.ts'

/** A database with a site in it, which nobody is connected to. */
export type Seed = { url: string; siteId: number }

/** A world that something happens to. */
export type World = Seed & { pool: pg.Pool }

type Interval = { count: number; unit: 'day' | 'month' }

type Terms = { handle: string; interval: Interval; expiresAfter?: Interval }

export type Plan = {
  /** The site's time at which everybody signs up. */
  now: string
  products: readonly Terms[]
  /** How many sign up for which product; `declined` cards are stored and refuse every charge, so their first payment comes later. */
  subscribers: readonly { product: string; count: number; declined?: boolean }[]
  dunningAttempts?: number
}

export type Cleaner = Pick<TestContext, 'after'>

/** Cleans up after a whole file: what is given to its `after` runs when `clean` is called, last things first. */
export function laterCleaner(): Cleaner & { clean(): Promise<void> } {
  const hooks: (() => unknown)[] = []
  return {
    after: (hook) => void hooks.push(hook as () => unknown),
    clean: async () => {
      for (const hook of hooks.toReversed()) await hook()
    },
  }
}

/** A new database with the plan's site in it. */
export async function makeSeed(t: Cleaner, plan: Plan): Promise<Seed> {
  const { url } = await testDatabase(t)
  return { url, siteId: await fillDatabase(url, plan) }
}

/** Writes the plan's site into an empty database and gives its id. */
export async function fillDatabase(url: string, plan: Plan): Promise<number> {
  const opened = await openOn(url)
  const pool = new pg.Pool({ connectionString: url })
  try {
    return await fill(opened, { url, pool }, plan)
  } finally {
    await pool.end()
    await opened.close()
  }
}

export function enterWorld(t: Cleaner, seed: Seed): World {
  const pool = new pg.Pool({ connectionString: seed.url, max: 2 })
  // A database that is killed takes these connections with it.
  pool.on('error', () => {})
  t.after(() => (pool.ended ? undefined : pool.end()))
  return { ...seed, pool }
}

let copies = 0

/** The same world once more, in a database of its own. */
export async function copyWorld(t: Cleaner, seed: Seed): Promise<World> {
  copies += 1
  const name = `crash_${process.pid}_${copies}`
  const server = urlOf(seed.url, 'postgres')
  await administer(server, `create database ${name} template ${new URL(seed.url).pathname.slice(1)} strategy file_copy`)
  const world = enterWorld(t, { url: urlOf(seed.url, name), siteId: seed.siteId })
  t.after(() => administer(server, `drop database if exists ${name} with (force)`))
  return world
}

export const configOf = (url: string, dataDir?: string): Config =>
  readConfig({
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    SECRET_KEY: testSecret,
    LOG_LEVEL: 'silent',
    HOST: '127.0.0.1',
    PORT: '0',
  })

/** The service's own parts in this process, on a world's database. */
export const openOn = (url: string): Promise<Opened> => openApp(configOf(url), createLog('silent'))

/** Runs a statement past the service, as whoever owns the database can. */
export const query = async <Row extends object>(
  { pool }: Pick<World, 'pool'>,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> => (await pool.query<Row>(text, values)).rows

/** Time passes and nobody does anything meanwhile: the site's clock shows `now`, and goes on from there. */
export const jumpTo = (world: World, now: string): Promise<object[]> =>
  query(
    world,
    `update sites set clock_set_to = $2, clock_set_at = date_trunc('second', now()), clock_advancing_to = null, clock_moved_by = null where id = $1`,
    [world.siteId, now],
  )

/** How the test gateway behaves towards the site from now on. */
export const behave = (
  world: World,
  { loseAnswerRate = 0, errorRate = 0, declineRate = 0, latencyInMs = 0 },
): Promise<object[]> =>
  query(
    world,
    `insert into bogus_gateway.behaviours (site_id, latency_in_ms, decline_rate, error_rate, lose_answer_rate)
     values ($1, $2, $3, $4, $5)
     on conflict (site_id) do update set latency_in_ms = $2, decline_rate = $3, error_rate = $4, lose_answer_rate = $5`,
    [world.siteId, latencyInMs, declineRate, errorRate, loseAnswerRate],
  )

/** Through the API, as merchants do it; the first of each kind of subscriber signs up, and the others are copies. */
async function fill({ app }: Opened, place: Pick<World, 'url' | 'pool'>, plan: Plan): Promise<number> {
  // Everybody signs up at one and the same moment.
  const atOnce = { ...app, clock: stoppedClock(plan.now) }
  const { siteId } = await createSite(atOnce, {
    subdomain: 'acme',
    live: false,
    timeZone: 'UTC',
    currency: 'USD',
    apiKey,
  })
  const tls = await sharedTls()
  const server = createApiServer(atOnce, tls)
  const { port } = await server.listen('127.0.0.1', 0)
  const agent = new https.Agent({ ca: tls.cert })
  const post = async (line: string, body: object): Promise<Made> => {
    const { status, text } = await ask(port, agent, line, body)
    if (status > 201) throw new Error(`${line}: ${status} ${text}`)
    return JSON.parse(text)
  }
  try {
    await post('PUT /site.json', { site: { dunning_attempts: plan.dunningAttempts ?? 4 } })
    // Thousands of receipts would keep the machine busy with pages that nobody looks at here.
    await post('PUT /letters/settings.json', { letter_settings: { receipt: false } })
    const family = await post('POST /product_families.json', { product_family: { name: 'Crashes' } })
    const products = `POST /product_families/${family.product_family.id}/products.json`
    for (const terms of plan.products) await post(products, { product: productOf(terms) })
    let number = 0
    for (const { product, count, declined = false } of plan.subscribers) {
      const terms = plan.products.find(({ handle }) => handle === product)!
      const signup = signupOf(++number, terms, declined, plan)
      const { subscription } = await post('POST /subscriptions.json', signup)
      await multiply(place.pool, subscription.id, subscription.customer.id, count - 1)
    }
  } finally {
    agent.destroy()
    await server.close(1000)
  }
  await jumpTo({ ...place, siteId }, plan.now)
  // The test server does not do this by itself, and many rows came at once.
  await place.pool.query('analyze')
  return siteId
}

type Made = { product_family: { id: number }; subscription: { id: number; customer: { id: number } } }

const productOf = ({ handle, interval, expiresAfter }: Terms): object => ({
  handle,
  name: handle,
  price_in_cents: 1000,
  interval: interval.count,
  interval_unit: interval.unit,
  ...(expiresAfter && { expiration_interval: expiresAfter.count, expiration_interval_unit: expiresAfter.unit }),
})

const signupOf = (number: number, { handle, interval }: Terms, declined: boolean, { now }: Plan): object => ({
  subscription: {
    product_handle: handle,
    customer_attributes: {
      first_name: 'Ada',
      last_name: `Number ${number}`,
      email: 'ada@example.com',
      reference: `subscriber-${number}`,
    },
    credit_card_attributes: { full_number: declined ? '2' : '1', expiration_month: 12, expiration_year: 2099 },
    // Nothing is collected at the sign-up of a card that would refuse it.
    ...(declined && { next_billing_at: after(now, interval) }),
  },
})

const after = (now: string, { count, unit }: Interval): string =>
  Temporal.Instant.from(now)
    .toZonedDateTimeISO('UTC')
    .add(unit === 'day' ? { days: count } : { months: count })
    .toInstant()
    .toString()

/** A sign-up of the first subscriber for `monthly`, with the card that is on file. */
export async function signupOnFile(world: Pick<World, 'pool'>): Promise<CreateSubscription> {
  const [card] = await query<{ id: string; customer_id: string }>(
    world,
    'select id, customer_id from payment_profiles order by id',
  )
  return {
    product: { handle: 'monthly' },
    customer: { id: Number(card!.customer_id) },
    card: { profileId: Number(card!.id) },
    collectionMethod: 'automatic',
    nextBillingAt: null,
    cancellationMessage: null,
    problems: [],
  }
}
