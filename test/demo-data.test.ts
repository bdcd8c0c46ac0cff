/** The demo data of a new installation: believable, the same every time, there in no time, and sound. */
import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { App } from '../src/actions/app.ts'
import { createDemoData } from '../src/actions/create-demo-data.ts'
import { createSite } from '../src/actions/create-site.ts'
import { verify } from '../src/actions/verify.ts'
import { listSitesWithDueWork } from '../src/store/sites.ts'
import { sql } from '../src/store/sql.ts'
import { testDatabase } from './support/database.ts'
import { promptly } from './support/patience.ts'
import { moveClock, openWorld } from './support/story-world.ts'

/** On a machine that does nothing else it takes a tenth of that. */
const millisecondsMax = 3000

async function newInstallation(t: TestContext): Promise<{ app: App; siteId: number }> {
  const { connection } = await testDatabase(t)
  const { app, close } = await openWorld(connection)
  t.after(close)
  const { siteId } = await createSite(app, {
    subdomain: 'acme',
    live: false,
    timeZone: 'UTC',
    currency: 'USD',
    apiKey: undefined,
  })
  return { app, siteId }
}

/** Who has subscribed to what, in which state, under which ids. */
const told = async ({ db }: App): Promise<string[]> =>
  (
    await db.arrays(sql`
      select concat_ws(' ', c.id, c.reference, c.first_name, c.last_name, c.email, c.country, s.id, p.handle, s.state,
        s.balance_in_cents, s.next_assessment_at)
      from customers c left join subscriptions s on s.site_id = c.site_id and s.customer_id = c.id
      left join products p on p.site_id = s.site_id and p.id = s.product_id order by c.id, s.id`)
  ).map(([line]) => line as string)

const countStates = async ({ db }: App): Promise<Record<string, number>> =>
  Object.fromEntries(
    (await db.arrays(sql`select state, count(*) from subscriptions group by state`)) as [string, number][],
  )

describe('demo data', () => {
  test('is there in no time, and the books are right', async (t) => {
    const { app, siteId } = await newInstallation(t)
    const startedAt = performance.now()
    await createDemoData(app, siteId)
    const tookMs = performance.now() - startedAt
    assert.ok(tookMs < promptly(millisecondsMax), `it took ${tookMs} ms`)
    const { text, differences } = await verify(app)
    assert.equal(differences, 0, text)
  })

  test('shows many people, products of every kind, and subscriptions in several states', async (t) => {
    const { app, siteId } = await newInstallation(t)
    await createDemoData(app, siteId)
    const counts = await app.db.arrays(sql`
      select (select count(*) from product_families), (select count(*) from products), (select count(*) from customers),
        (select count(distinct country) from customers), (select count(*) from subscriptions)`)
    const [families, products, customers, countries, subscriptions] = counts[0] as number[]
    assert.deepEqual({ families, products, customers }, { families: 2, products: 6, customers: 25 })
    assert.ok(countries! >= 20 && subscriptions! >= 23, `${countries} countries, ${subscriptions} subscriptions`)
    const states = await countStates(app)
    assert.deepEqual(Object.keys(states).sort(), ['active', 'canceled', 'trialing'])
    const [latest] = await app.db.arrays(sql`select max(created_at) from subscriptions`)
    assert.equal(String(latest?.[0]), String(app.clock.now()), 'nobody signed up in the future')
  })

  test('is the same in every new installation', async (t) => {
    const [one, other] = await Promise.all([newInstallation(t), newInstallation(t)])
    await Promise.all([createDemoData(one.app, one.siteId), createDemoData(other.app, other.siteId)])
    assert.deepEqual(await told(one.app), await told(other.app))
  })

  test('lives on: a card is declined soon, trials end, periods renew, and the books stay right', async (t) => {
    const { app, siteId } = await newInstallation(t)
    await createDemoData(app, siteId)
    const now = app.clock.now()
    assert.deepEqual(await listSitesWithDueWork(app.db, now), [], 'nothing is overdue at the start')
    await moveClock(app, siteId, now.add({ hours: 2 }))
    assert.equal((await countStates(app)).past_due, 1)
    await moveClock(app, siteId, now.add({ hours: 24 * 40 }))
    const states = await countStates(app)
    assert.ok(states.active! > 15 && states.trial_ended! >= 1 && states.canceled! > 2, JSON.stringify(states))
    const { text, differences } = await verify(app)
    assert.equal(differences, 0, text)
  })
})
