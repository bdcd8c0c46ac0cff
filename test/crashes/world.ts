/** Worlds for crash tests: a database with a test site, products and subscriptions, made once and copied for each crash. */
import type { TestContext } from 'node:test'
import pg from 'pg'
import type { App } from '../../src/actions/app.ts'
import { createProduct } from '../../src/actions/create-product.ts'
import { createProductFamily } from '../../src/actions/create-product-family.ts'
import { createSite } from '../../src/actions/create-site.ts'
import { type CreateSubscription, createSubscription } from '../../src/actions/create-subscription.ts'
import { addIntervals, type Interval } from '../../src/billing/calendar.ts'
import type { CustomerDetails } from '../../src/billing/customer.ts'
import { cents } from '../../src/billing/money.ts'
import { stoppedClock } from '../../src/host/clock.ts'
import { type Config, readConfig } from '../../src/host/config.ts'
import { createLog } from '../../src/host/log.ts'
import { type Opened, openApp } from '../../src/main.ts'
import { testDatabase } from '../support/database.ts'
import { administer, urlOf } from '../support/server.ts'
import { apiKey } from './service.ts'

/** A database with a site in it, which nobody is connected to. */
export type Seed = { url: string; siteId: number }

/** A world that something happens to. */
export type World = Seed & { pool: pg.Pool }

type Terms = { handle: string; interval: Interval; price?: number; expiration?: Interval; trial?: Interval }

export type Plan = {
  /** The site's time at which everybody signs up. */
  now: string
  products: readonly Terms[]
  /** How many sign up for which product; `declined` cards are stored and refuse every charge, so their first payment comes later. */
  subscribers: readonly { product: string; count: number; declined?: boolean }[]
  dunningAttempts?: number
}

export type Cleaner = Pick<TestContext, 'after'>

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
    // Everybody signs up at one and the same moment.
    return await fill({ ...opened.app, clock: stoppedClock(plan.now) }, { url, pool }, plan)
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
  readConfig({ DATABASE_URL: url, DATA_DIR: dataDir, LOG_LEVEL: 'silent', HOST: '127.0.0.1', PORT: '0' })

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

async function fill(app: App, place: Pick<World, 'url' | 'pool'>, plan: Plan): Promise<number> {
  const { siteId } = await createSite(app, { subdomain: 'acme', live: false, timeZone: 'UTC', currency: 'USD', apiKey })
  const world = { ...place, siteId }
  await query(world, 'update sites set dunning_attempts = $2 where id = $1', [siteId, plan.dunningAttempts ?? 4])
  const family = { name: 'Crashes', handle: 'crashes', description: null, accountingCode: null }
  const familyId = await createProductFamily(app, siteId, family)
  for (const terms of plan.products) await createProduct(app, siteId, familyId, productOf(terms))
  let number = 0
  for (const subscribers of plan.subscribers) {
    const terms = plan.products.find(({ handle }) => handle === subscribers.product)!
    const numbers = Array.from({ length: subscribers.count }, () => ++number).values()
    const signUpNext = async (): Promise<void> => {
      for (const one of numbers)
        await createSubscription(app, siteId, signupOf(one, terms, subscribers.declined === true, plan))
    }
    await Promise.all(Array.from({ length: 16 }, signUpNext))
  }
  await jumpTo(world, plan.now)
  return siteId
}

const signupOf = (number: number, terms: Terms, declined: boolean, { now }: Plan): CreateSubscription => ({
  product: { handle: terms.handle },
  customer: { details: { ...nobody, lastName: `Number ${number}`, reference: `subscriber-${number}` } },
  card: {
    profile: { ...noAddress, firstName: 'Ada', lastName: `Number ${number}`, imported: null, number: cardOf(declined) },
  },
  collectionMethod: 'automatic',
  // Nothing is collected at the sign-up of a card that would refuse it.
  nextBillingAt: declined ? addIntervals({ at: Temporal.Instant.from(now), timeZone: 'UTC' }, terms.interval, 1) : null,
  cancellationMessage: null,
  problems: [],
})

const cardOf = (declined: boolean) => ({
  fullNumber: declined ? '2' : '1',
  cvv: null,
  expirationMonth: 12,
  expirationYear: 2099,
  firstName: 'Ada',
  lastName: 'Lovelace',
})

const nobody: CustomerDetails = {
  firstName: 'Ada',
  lastName: '',
  email: 'ada@example.com',
  ccEmails: null,
  organization: null,
  reference: null,
  vatNumber: null,
  address: null,
  address2: null,
  city: null,
  state: null,
  zip: null,
  country: null,
  phone: null,
  taxExempt: false,
}

const noAddress = {
  billingAddress: null,
  billingAddress2: null,
  billingCity: null,
  billingState: null,
  billingZip: null,
  billingCountry: null,
}

const productOf = ({ handle, interval, price = 1000, expiration, trial }: Terms) => ({
  handle,
  name: handle,
  price: cents(price),
  interval,
  initialCharge: cents(0),
  initialChargeAfterTrial: false,
  trial: trial === undefined ? null : { price: cents(0), interval: trial, type: 'payment_expected' as const },
  expiration: expiration ?? null,
  requestCreditCard: true,
  requireCreditCard: true,
  description: null,
  accountingCode: null,
  taxable: false,
  taxCode: null,
  requireBillingAddress: false,
  requestBillingAddress: false,
  requireShippingAddress: false,
  requestShippingAddress: false,
  returnUrl: null,
  returnParams: null,
  updateReturnUrl: null,
  updateReturnParams: null,
})
