/** Whatever happens to a site's subscriptions, the books agree, nothing is taken twice and nothing is forgotten. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { recoverPaymentsOf } from '../../src/actions/recover-payments.ts'
import { verify } from '../../src/actions/verify.ts'
import { sql } from '../../src/store/sql.ts'
import { search } from '../support/campaign.ts'
import { testDatabase } from '../support/database.ts'
import { parseStory, type Story } from '../support/story.ts'
import { brokenIdentities } from '../support/story-identities.ts'
import { readCaptures, readRecords } from '../support/story-records.ts'
import { type Happened, runStory } from '../support/story-run.ts'
import { tellStory } from '../support/story-tell.ts'
import { moveClock, openWorld, type World, workUntilDone } from '../support/story-world.ts'
import { randomStory } from './random-stories.ts'

async function open(t: TestContext): Promise<World> {
  const { connection } = await testDatabase(t)
  const world = await openWorld(connection)
  t.after(() => world.close())
  return world
}

async function assertIdentities({ app }: World, story: Story, { siteId, subscriptions }: Happened): Promise<void> {
  const captures = await readCaptures(app.db, siteId)
  const siteNow = story.acts.at(-1)!.at
  const { timeZone } = story
  const ids = new Set<number | null>(subscriptions.values())
  assert.deepEqual(
    captures.filter(({ subscriptionId }) => !ids.has(subscriptionId)),
    [],
    'money without a subscription',
  )
  for (const [name, id] of subscriptions) {
    const records = await readRecords(app.db, siteId, id)
    const product = story.products.find(({ handle }) => handle === records.productName.toLowerCase())!
    assert.deepEqual(brokenIdentities(records, { product, timeZone, captures, siteNow }), [], name)
  }
}

/** Every row of the site in a few characters. */
async function fingerprint({ app }: World, siteId: number): Promise<string> {
  const tables = ['subscriptions', 'periods', 'transactions', 'statements', 'events', 'payment_attempts']
  const hashes = await Promise.all(
    tables.map(async (table) => {
      const rows = sql(
        [`select md5(string_agg(x::text, ',' order by x::text)) from ${table} x where x.site_id = `, ''] as never,
        siteId,
      )
      return (await app.db.arrays(rows))[0]![0] as string
    }),
  )
  return hashes.join(' ')
}

test('any history leaves books that agree, with themselves and with the gateway; working again writes nothing', async (t) => {
  const world = await open(t)
  await fc.assert(
    fc.asyncProperty(randomStory({ calm: false }), async (text) => {
      const story = parseStory(text)
      const happened = await runStory(world, story)
      await assertIdentities(world, story, happened)
      const before = await fingerprint(world, happened.siteId)
      await workUntilDone(world.app, happened.siteId)
      await recoverPaymentsOf(world.app, happened.siteId)
      await moveClock(world.app, happened.siteId, story.acts.at(-1)!.at)
      assert.equal(await fingerprint(world, happened.siteId), before, 'working again writes nothing')
    }),
    search(t, 30),
  )
  const { text, differences } = await verify(world.app)
  assert.equal(differences, 0, text)
})

test('a clock that halts on its way leaves the same ledger as one that is moved at once', async (t) => {
  const world = await open(t)
  const fractions = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(randomStory({ calm: true }), fractions, async (text, halts) => {
      const story = parseStory(text)
      const [from, to] = [story.acts[0]!.at, story.acts.at(-1)!.at]
      const seconds = from.until(to).total('seconds')
      const stops = halts.map((fraction) => from.add({ seconds: Math.floor(fraction * seconds) }))
      const atOnce = await runStory(world, story)
      const halting = await runStory(world, story, { stops })
      const told = await tellStory(world.app.db, story, halting)
      assert.equal(told, await tellStory(world.app.db, story, atOnce))
      await assertIdentities(world, story, halting)
    }),
    search(t, 15),
  )
})
