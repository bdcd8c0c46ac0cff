/** A subscription that cannot be assessed waits for an operator, named and alone; everybody else is billed as ever. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { verify } from '../src/actions/verify.ts'
import { createLog } from '../src/host/log.ts'
import { listSitesWithDueWork } from '../src/store/sites.ts'
import { sql } from '../src/store/sql.ts'
import { testDatabase } from './support/database.ts'
import { runProgram } from './support/program.ts'
import { parseStory } from './support/story.ts'
import { runStory } from './support/story-run.ts'
import { moveClock, openWorld, setClock, type World, workUntilDone } from './support/story-world.ts'

const story = parseStory(`
product pro: 50.00 every month
2026-01-01  sign up ada to pro with card 1
2026-01-01  sign up grace to pro with card 1
2026-01-01  sign up alan to pro with card 1
2026-01-02  so far`)

type Club = { world: World; url: string; siteId: number; ids: Record<'ada' | 'grace' | 'alan', number> }

async function openClub(t: TestContext): Promise<Club> {
  const { connection, url } = await testDatabase(t)
  const world = await openWorld(connection)
  t.after(() => world.close())
  const { siteId, subscriptions } = await runStory(world, story)
  const idOf = (name: string): number => subscriptions.get(name) ?? 0
  return { world, url, siteId, ids: { ada: idOf('ada'), grace: idOf('grace'), alan: idOf('alan') } }
}

/** A date that no act of ours writes, and that stops whoever counts periods from it. */
const breakAnchor = ({ world: { app }, siteId, ids }: Club): Promise<number> =>
  app.db.run(sql`
    update subscriptions set anchor_at = anchor_at + interval '0.5 seconds' where site_id = ${siteId} and id = ${ids.grace}`)

const mendAnchor = ({ world: { app }, siteId, ids }: Club): Promise<number> =>
  app.db.run(sql`
    update subscriptions set anchor_at = date_trunc('second', anchor_at) where site_id = ${siteId} and id = ${ids.grace}`)

/** How often each was billed, and why it is parked. */
async function stand({
  world: { app },
  siteId,
  ids,
}: Club): Promise<Record<string, [periods: number, parked: string | null]>> {
  const rows = await app.db.arrays(sql`
    select s.id, s.period_number, s.parked_reason from subscriptions s where s.site_id = ${siteId}`)
  const byId = new Map(rows.map(([id, periods, parked]) => [id, [periods, parked] as [number, string | null]]))
  return Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, byId.get(id)!]))
}

const brokenAnchor = 'an anchor must be a whole second, not 2026-01-01T00:00:00.5Z'
const february = Temporal.Instant.from('2026-02-01T00:00:00Z')
const march = Temporal.Instant.from('2026-03-01T00:00:00Z')

test('a subscription that cannot be decided is parked, and the others of its set renew', async (t) => {
  const club = await openClub(t)
  await breakAnchor(club)
  await setClock(club.world.app, club.siteId, february)
  const lines: string[] = []
  const log = createLog('error', { write: (line) => void lines.push(line) })
  await workUntilDone({ ...club.world.app, log }, club.siteId)
  assert.deepEqual(await stand(club), { ada: [2, null], grace: [1, brokenAnchor], alan: [2, null] })
  assert.equal(lines.length, 1, 'it is told once')
  const { level, subscriptionId, err } = JSON.parse(lines[0]!)
  assert.deepEqual([level, subscriptionId, err.message], ['error', club.ids.grace, brokenAnchor])
})

test('a subscription whose rows the database refuses is parked, and the others of its set renew', async (t) => {
  const club = await openClub(t)
  const { app } = club.world
  await app.db.run(sql`
    insert into periods (site_id, subscription_id, number, begun_by, started_at, ends_at, assessed_at)
    select site_id, subscription_id, 2, 'renewal', ends_at, ends_at + interval '1 month', ends_at
    from periods where site_id = ${club.siteId} and subscription_id = ${club.ids.grace}`)
  await setClock(app, club.siteId, february)
  await workUntilDone(app, club.siteId)
  const { grace, ...others } = await stand(club)
  assert.deepEqual(others, { ada: [2, null], alan: [2, null] })
  assert.match(grace?.[1] ?? '', /a_period_is_begun_once/)
})

test('a parked subscription is not due: clocks arrive, workers rest, and the audit names it', async (t) => {
  const club = await openClub(t)
  const { app } = club.world
  await breakAnchor(club)
  await moveClock(app, club.siteId, march)
  assert.deepEqual(await stand(club), { ada: [3, null], grace: [1, brokenAnchor], alan: [3, null] })
  assert.deepEqual(await listSitesWithDueWork(app.db, app.clock.now()), [])
  const { text, differences } = await verify(app)
  assert.equal(differences, 1, text)
  assert.ok(text.includes(`story-1: subscription ${club.ids.grace} is parked: ${brokenAnchor}`), text)
})

test('a subscription that is resumed is billed for every period it missed, or parked again while it is broken', async (t) => {
  const club = await openClub(t)
  const { app } = club.world
  const resume = () => runProgram(club.url, 'resume', '--subscription', String(club.ids.grace))
  await breakAnchor(club)
  await moveClock(app, club.siteId, march)

  const early = await resume()
  assert.equal(early.code, 0, early.output)
  await workUntilDone(app, club.siteId)
  assert.deepEqual((await stand(club)).grace, [1, brokenAnchor])

  await mendAnchor(club)
  const { code, output } = await resume()
  assert.equal(code, 0, output)
  assert.match(output, new RegExp(`^Subscription ${club.ids.grace} of site story-1 goes on\\.$`, 'm'))
  await workUntilDone(app, club.siteId)
  assert.deepEqual(await stand(club), { ada: [3, null], grace: [3, null], alan: [3, null] })
  const { text, differences } = await verify(app)
  assert.equal(differences, 0, text)

  const again = await resume()
  assert.equal(again.code, 1)
  assert.match(again.output, new RegExp(`^kalends: Subscription ${club.ids.grace} is not parked\\.$`, 'm'))
})
