/** What a random story must leave behind: books that agree with themselves and with the gateway's own record. */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { fragment, sql } from '../../src/store/sql.ts'
import { testDatabase } from '../support/database.ts'
import { brokenStatements } from '../support/statement-identities.ts'
import type { Story } from '../support/story.ts'
import { brokenIdentities } from '../support/story-identities.ts'
import { readCaptures, readRecords } from '../support/story-records.ts'
import type { Happened } from '../support/story-run.ts'
import { openWorld, type World } from '../support/story-world.ts'

export async function worldOf(t: TestContext): Promise<World> {
  const { connection } = await testDatabase(t)
  const world = await openWorld(connection)
  t.after(() => world.close())
  return world
}

export async function assertBooksAgree({ app }: World, story: Story, { siteId, subscriptions }: Happened) {
  const captures = await readCaptures(app.db, siteId)
  const siteNow = story.acts.at(-1)!.at
  const ids = new Set<number | null>(subscriptions.values())
  const astray = captures.filter(({ subscriptionId }) => !ids.has(subscriptionId))
  assert.deepEqual(astray, [], 'no money is kept that belongs to no subscription')
  for (const [name, id] of subscriptions) {
    const records = await readRecords(app.db, siteId, id)
    const product = story.products.find(({ handle }) => handle === records.productName.toLowerCase())!
    assert.deepEqual(brokenIdentities(records, { product, dunning: story.dunning, captures, siteNow }), [], name)
    assert.deepEqual(brokenStatements(records), [], name)
  }
}

/** Rates are throws of a die; the same story gets the same throws, so that what fails fails again. */
export async function withDice<Result>(text: string, work: () => Promise<Result>): Promise<Result> {
  const { random } = Math
  let state = [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7)
  Math.random = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
  try {
    return await work()
  } finally {
    Math.random = random
  }
}

/** What random stories must have led to, or they search less than they promise. */
const edges = [
  'trialing active',
  'trialing past_due',
  'trialing soft_failure',
  'trialing unpaid',
  'trialing trial_ended',
  'trialing expired',
  'trialing canceled',
  'active past_due',
  'active soft_failure',
  'active expired',
  'active canceled',
  'soft_failure active',
  'soft_failure past_due',
  'past_due active',
  'past_due unpaid',
  'past_due canceled',
  'unpaid canceled',
]
const outcomes = ['signup', 'renewal', 'retry'].flatMap((reason) =>
  ['approved', 'declined', 'error'].map((outcome) => `${reason} ${outcome}`),
)

export async function assertEverythingHappened({ app }: World): Promise<void> {
  const changes = await app.db.arrays(sql`
    select distinct e.event_specific_data ->> 'previous_subscription_state' || ' ' ||
      (e.event_specific_data ->> 'new_subscription_state')
    from events e where e.key = 'subscription_state_change'`)
  const answers = await app.db.arrays(sql`select distinct a.reason || ' ' || a.outcome from payment_attempts a`)
  const seen = new Set([...changes, ...answers].map((row) => row[0]))
  const missing = [...edges, ...outcomes, 'signup voided'].filter((what) => !seen.has(what))
  assert.deepEqual(missing, [], 'never happened in all these stories')
}

const tables = [
  'subscriptions',
  'periods',
  'transactions',
  'statements',
  'events',
  'payment_attempts',
  'invoices',
  'invoice_lines',
  'invoice_entries',
]

/** Every row of a site in a few characters. */
export async function fingerprint({ app }: World, siteId: number): Promise<string> {
  const hashes = await Promise.all(
    tables.map((table) =>
      app.db.arrays(sql`
        select md5(string_agg(x::text, ',' order by x::text)) from ${fragment(table)} x where x.site_id = ${siteId}`),
    ),
  )
  return hashes.map((rows) => rows[0]![0]).join(' ')
}
