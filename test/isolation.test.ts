/** One bad row never stops the rest, whatever is wrong with it; and what is wrong with the database is nobody's fault. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { App } from '../src/actions/app.ts'
import { assessDueSubscriptions } from '../src/actions/assess-due-subscriptions.ts'
import { giveNoticesOfCards, giveNoticesOfPeriods } from '../src/actions/give-notices.ts'
import { sendLetters } from '../src/actions/send-letters.ts'
import { findSite, updateSiteSettings } from '../src/store/sites.ts'
import { fragment, sql } from '../src/store/sql.ts'
import { testDatabase } from './support/database.ts'
import { keepingPost, office } from './support/post-office.ts'
import { parseStory } from './support/story.ts'
import { runStory } from './support/story-run.ts'
import { openWorld, setClock, workUntilDone } from './support/story-world.ts'

const club = 40

type Club = { app: App; siteId: number; ids: number[]; broken: number }

async function openClub(t: TestContext, members = club): Promise<Club> {
  const { connection } = await testDatabase(t)
  const world = await openWorld(connection)
  t.after(() => world.close())
  const signups = Array.from({ length: members }, (_, i) => `2026-01-01  sign up ada to pro as m${i} with card 1`)
  const { siteId, subscriptions } = await runStory(
    world,
    parseStory(`\nproduct pro: 50.00 every month\n${signups.join('\n')}\n2026-01-02  so far`),
  )
  const ids = [...subscriptions.values()]
  return { app: world.app, siteId, ids, broken: ids[Math.floor(members / 3)]! }
}

/** Numbers that are no longer exact cannot be loaded. */
const breakFacts = ({ app, siteId, broken }: Club) =>
  app.db.run(sql`
    update subscriptions set total_revenue_in_cents = 9007199254740993 where site_id = ${siteId} and id = ${broken}`)

/** The database refuses the ledger rows of one subscription, with the code given. */
async function refuseRows({ app, broken }: Club, code: string): Promise<void> {
  await app.db.run(
    fragment(`create function refuse() returns trigger language plpgsql as $$
      begin raise exception 'not today' using errcode = '${code}'; end $$`),
  )
  await app.db.run(
    fragment(`create trigger refused before insert on transactions for each row
      when (new.subscription_id = ${broken}) execute function refuse()`),
  )
}

const february = Temporal.Instant.from('2026-02-01T12:00:00Z')

/** The numbers of the periods in which they are, and who is parked. */
async function stand({ app, siteId }: Club): Promise<{ periods: Record<number, number>; parked: [number, string][] }> {
  const rows = await app.db.arrays(sql`
    select s.id, s.period_number, s.parked_reason from subscriptions s where s.site_id = ${siteId} order by s.id`)
  const periods: Record<number, number> = {}
  for (const [, number] of rows) periods[number as number] = (periods[number as number] ?? 0) + 1
  const parked = rows
    .filter(([, , reason]) => reason !== null)
    .map(([id, , reason]) => [id, reason] as [number, string])
  return { periods, parked }
}

/** Counts the transactions that work takes. */
function counting(app: App): { app: App; transactions(): number } {
  let count = 0
  const db: App['db'] = {
    ...app.db,
    transaction: (work) => {
      count += 1
      return app.db.transaction(work)
    },
  }
  return { app: { ...app, db }, transactions: () => count }
}

for (const [words, breakOne, reason] of [
  ['cannot be loaded', breakFacts, /9007199254740993 is beyond/],
  ['cannot be committed', (club: Club) => refuseRows(club, 'P0001'), /not today/],
] as const) {
  test(`a subscription that ${words} is parked; the others renew, many in a transaction`, async (t) => {
    const all = await openClub(t)
    await breakOne(all)
    await setClock(all.app, all.siteId, february)
    const counted = counting(all.app)
    await workUntilDone(counted.app, all.siteId)
    const { periods, parked } = await stand(all)
    assert.deepEqual(periods, { 1: 1, 2: club - 1 })
    assert.deepEqual(
      parked.map(([id]) => id),
      [all.broken],
    )
    assert.match(parked[0]![1], reason)
    assert.ok(counted.transactions() < club, `${counted.transactions()} transactions`)
  })
}

for (const [code, words] of [
  ['57P01', 'is shut down'],
  ['53100', 'has no room left'],
  ['42P01', 'lacks a table'],
] as const) {
  test(`while the database ${words} nobody is parked, and work goes on when it is well again`, async (t) => {
    const all = await openClub(t, 3)
    await refuseRows(all, code)
    await setClock(all.app, all.siteId, february)
    await assert.rejects(assessDueSubscriptions(all.app, all.siteId, { limit: 500, asDue: false }), /not today/)
    assert.deepEqual(await stand(all), { periods: { 1: 3 }, parked: [] })
    await all.app.db.run(fragment('drop trigger refused on transactions'))
    await workUntilDone(all.app, all.siteId)
    assert.deepEqual(await stand(all), { periods: { 2: 3 }, parked: [] })
  })
}

async function noticeAll({ app, siteId }: Club): Promise<void> {
  const site = await findSite(app.db, siteId)
  await updateSiteSettings(app.db, siteId, {
    ...site!,
    notices: { renewalDays: 3, trialDays: 3, expiringCards: true },
  })
}

const noticed = async ({ app, siteId }: Club, key: string): Promise<number[]> =>
  (
    await app.db.arrays(sql`
      select e.subscription_id from events e where e.site_id = ${siteId} and e.key = ${key} order by e.subscription_id`)
  ).map(([id]) => id as number)

test('a renewal whose notice cannot be given keeps the others from nothing, and is not tried again', async (t) => {
  const all = await openClub(t)
  await noticeAll(all)
  await breakFacts(all)
  await setClock(all.app, all.siteId, Temporal.Instant.from('2026-01-30T00:00:00Z'))
  const give = () => giveNoticesOfPeriods(all.app, all.siteId, { limit: 500, asDue: false })
  while ((await give()) > 0);
  assert.deepEqual(
    await noticed(all, 'upcoming_renewal_notice'),
    all.ids.filter((id) => id !== all.broken),
  )
  assert.deepEqual((await stand(all)).parked, [], 'billing is not held back by a notice')
})

test('so it is with the notices of expiring cards', async (t) => {
  const all = await openClub(t)
  await noticeAll(all)
  await breakFacts(all)
  await all.app.db.run(sql`
    update payment_profiles set expiration_month = 2, expiration_year = 2026 where site_id = ${all.siteId}`)
  await all.app.db.run(sql`
    insert into card_notice_runs (site_id, through) values (${all.siteId}, '2026-01-02T00:00:00Z')`)
  await setClock(all.app, all.siteId, Temporal.Instant.from('2026-01-15T01:00:00Z'))
  while ((await giveNoticesOfCards(all.app, all.siteId, { limit: 500, asDue: false })) > 0);
  assert.deepEqual(
    [...new Set(await noticed(all, 'expiring_card'))],
    all.ids.filter((id) => id !== all.broken),
  )
})

test('a letter that cannot be read or written leaves the others of its round to be sent', async (t) => {
  const all = await openClub(t, 6)
  const { app, siteId, ids } = all
  await app.db.run(sql`
    update subscriptions set balance_in_cents = 9007199254740993 where site_id = ${siteId} and id = ${ids[1]!}`)
  await app.db.run(sql`
    update letters set kind = 'unheard_of' where site_id = ${siteId} and subscription_id = ${ids[2]!}`)
  const post = keepingPost()
  await sendLetters(app, office(post))
  const rows = await app.db.arrays(sql`
    select l.subscription_id, l.sent_at is not null, l.last_error, l.next_attempt_at is not null from letters l
    where l.site_id = ${siteId} order by l.id`)
  assert.equal(post.mails.length, 4)
  assert.deepEqual(
    rows.filter(([, sent]) => !sent),
    [
      [ids[1], false, 'What it tells of could not be read.', false],
      [ids[2], false, 'It could not be sent.', true],
    ],
  )
})
