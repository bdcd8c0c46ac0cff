/** A site with something to sell: one product of each kind that sign-ups differ by, and people who buy. */
import { after, type TestContext } from 'node:test'
import { createSite } from '../../src/actions/create-site.ts'
import type { NoticeSettings } from '../../src/billing/site.ts'
import type { Courier } from '../../src/delivery/courier.ts'
import { type Clock, stoppedClock } from '../../src/host/clock.ts'
import { sql } from '../../src/store/sql.ts'
import { type Reply, type TestApp, testApp } from '../support/test-app.ts'

/** The shop's time stands still, so that every date in its answers is known. */
export const openedAt = '2027-01-15T12:00:00Z'

export type Shop = TestApp & { familyId: number; productIds: Record<ProductHandle, number> }

const trial = { trial_interval: 1, trial_interval_unit: 'month', trial_price_in_cents: 0 }
const paidTrial = {
  trial_interval: 7,
  trial_interval_unit: 'day',
  trial_price_in_cents: 100,
  initial_charge_in_cents: 2500,
}

const products = {
  monthly: {},
  'with-setup-fee': { initial_charge_in_cents: 2500 },
  'card-optional': { require_credit_card: false },
  free: { price_in_cents: 0, require_credit_card: false },
  'free-trial': { ...trial, trial_type: 'no_obligation', require_credit_card: false },
  'card-trial': { ...trial, trial_type: 'payment_expected' },
  'paid-trial': { ...paidTrial, initial_charge_after_trial: false },
  'late-setup-fee': { ...paidTrial, initial_charge_after_trial: true },
  expiring: { expiration_interval: 10, expiration_interval_unit: 'month' },
} as const
export type ProductHandle = keyof typeof products

const wholeFile: Pick<TestContext, 'after'> = { after: (close) => after(close as () => Promise<void>) }

/** The shop of one test, or of a whole file when no test is given. */
export async function openShop(
  t?: Pick<TestContext, 'after'>,
  options: { timeZone?: string; clock?: Clock; notices?: NoticeSettings; courier?: Courier } = {},
): Promise<Shop> {
  const app = await testApp(t ?? wholeFile, { clock: stoppedClock(openedAt), ...options })
  const family = await made(app, 'POST /product_families.json', { product_family: { name: 'Almanacs' } })
  const familyId: number = family.product_family.id
  const ids: [string, number][] = []
  for (const [handle, terms] of Object.entries(products)) {
    const { product } = await made(app, `POST /product_families/${familyId}/products.json`, {
      product: {
        name: nameOf(handle),
        handle,
        description: `The ${handle} almanac`,
        price_in_cents: 5000,
        interval: 1,
        interval_unit: 'month',
        require_credit_card: true,
        ...terms,
      },
    })
    ids.push([handle, product.id])
  }
  return { ...app, familyId, productIds: Object.fromEntries(ids) as Record<ProductHandle, number> }
}

/** `paid-trial` is sold as Paid Trial. */
const nameOf = (handle: string): string =>
  handle
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')

/** What a POST made; throws when it did not. */
export async function made(app: Pick<TestApp, 'ask'>, line: string, body: object): Promise<Reply['json']> {
  const reply = await app.ask(line, { body })
  if (reply.status !== 201) throw new Error(`${line}: ${reply.status} ${reply.text}`)
  return reply.json
}

/** Another site of the same installation: its key, and its name in the Host header. */
export async function openOtherSite(
  { app }: TestApp,
  subdomain = 'beta',
): Promise<{ siteId: number; apiKey: string; subdomain: string }> {
  const site = { subdomain, live: false, timeZone: 'UTC', currency: 'USD', apiKey: undefined }
  return { subdomain, ...(await createSite(app, site)) }
}

export const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' }
export const grace = { first_name: 'Grace', last_name: 'Hopper', email: 'grace@example.com' }

export const goodCard = { full_number: '1', expiration_month: 12, expiration_year: 2031, cvv: '123' }
export const decliningCard = { ...goodCard, full_number: '2' }
export const brokenCard = { ...goodCard, full_number: '3' }

/** Ada's subscription to the monthly product; what is given replaces or adds. */
export const signup = (changes: object = {}): { subscription: Reply['json'] } => ({
  subscription: {
    product_handle: 'monthly',
    customer_attributes: ada,
    payment_profile_attributes: goodCard,
    ...changes,
  },
})

/** How much a site has of what a failed sign-up must not leave behind. */
export async function countLeftovers({
  app,
  siteId,
}: TestApp): Promise<{ customers: number; cards: number; subscriptions: number }> {
  const [row] = await app.db.arrays(sql`
    select (select count(*) from customers where site_id = ${siteId})::int,
      (select count(*) from payment_profiles where site_id = ${siteId})::int,
      (select count(*) from subscriptions where site_id = ${siteId})::int`)
  const [customers, cards, subscriptions] = row as number[]
  return { customers: customers!, cards: cards!, subscriptions: subscriptions! }
}

/** A subscription as every answer shows it: without the amount that its reading alone tells. */
export function unpriced(subscription: Reply['json']): Reply['json'] {
  const { current_billing_amount_in_cents: _, ...shown } = subscription
  return shown
}
