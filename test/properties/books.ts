/** What a random story must leave behind: books that agree with themselves and with the gateway's own record. */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { fragment, sql } from '../../src/store/sql.ts'
import { testDatabase } from '../support/database.ts'
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
    assert.deepEqual(brokenIdentities(records, { product, captures, siteNow }), [], name)
  }
}

const tables = ['subscriptions', 'periods', 'transactions', 'statements', 'events', 'payment_attempts']

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
