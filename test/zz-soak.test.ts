/** x */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from './support/database.ts'
import { openWorld, moveClock, openSite, setClock, workUntilDone } from './support/story-world.ts'
import { parseStory } from './support/story.ts'
import { verify } from '../src/actions/verify.ts'
import { createSubscription } from '../src/actions/create-subscription.ts'
import { cancelSubscription } from '../src/actions/cancel-subscription.ts'
import { deleteCustomer } from '../src/actions/delete-customer.ts'
import { recoverPayments } from '../src/actions/recover-payments.ts'
import { assessDueSubscriptions } from '../src/actions/assess-due-subscriptions.ts'
import { sql } from '../src/store/sql.ts'
const products = `
product a: 50.00 every month, setup fee 20.00
product b: 10.00 every month, trial of 14 days without obligation, card optional
product c: 30.00 every 2 weeks`.replace('2 weeks', '14 days') + `
product d: 30.00 every month, trial of 7 days for 1.00 with payment expected, setup fee 5.00 after the trial
product e: 0.00 every month, card optional
product f: 5.00 every day, expires after 40 days
2026-01-31 so far`.replace(' so', '  so')
let seed = Number(process.env.SEED ?? 1)
const rnd = () => { seed = (seed * 1103515245 + 12345) % 2147483648; return seed / 2147483648 }
const pick = <T>(l: readonly T[]): T => l[Math.floor(rnd() * l.length)]!
const none = { ccEmails: null, organization: null, reference: null, vatNumber: null, address: null, address2: null, city: null, state: null, zip: null, country: null, phone: null, taxExempt: false }
test('soak', async (t) => {
  const { connection } = await testDatabase(t)
  const world = await openWorld(connection)
  t.after(() => world.close())
  const { app } = world
  const action = pick(['cancel', 'unpaid'])
  const siteId = await openSite(world, parseStory(`dunning: ${pick([1, 2, 4])} attempts, ${pick([12, 24, 100])} hours apart, then ${action}` + products))
  let now = Temporal.Instant.from('2026-01-31T00:00:00Z')
  const ids: number[] = []
  const stats: Record<string, number> = {}
  for (let step = 0; step < 60; step++) {
    const rates = pick([[0,0,0],[0,0,0],[0.5,0,0],[0,0.5,0],[0,0,0.5],[0.3,0.3,0.3],[1,0,0]])
    await app.db.run(sql`insert into bogus_gateway.behaviours (site_id, decline_rate, error_rate, lose_answer_rate) values (${siteId}, ${rates[0]!}, ${rates[1]!}, ${rates[2]!}) on conflict (site_id) do update set decline_rate = excluded.decline_rate, error_rate = excluded.error_rate, lose_answer_rate = excluded.lose_answer_rate`)
    world.gateway.forgetBehaviour(siteId)
    if (rnd() < 0.2) world.gateway.silentSites.add(siteId); else world.gateway.silentSites.delete(siteId)
    const many = Math.floor(rnd() * 8)
    await Promise.all(Array.from({ length: many }, async () => {
      const number = pick(['1', '1', '1', '2', null])
      try {
        const inv = rnd() < 0.15
        ids.push(await createSubscription(app, siteId, { product: { handle: pick(['a','b','c','d','e','f']) }, customer: { details: { ...none, firstName: 'A', lastName: 'B', email: 'a@example.com' } },
          card: number && !inv ? { profile: { firstName: 'A', lastName: 'B', billingAddress: null, billingAddress2: null, billingCity: null, billingState: null, billingZip: null, billingCountry: null, number: { fullNumber: number, cvv: null, expirationMonth: 12, expirationYear: 2099, firstName: 'A', lastName: 'B' }, imported: null } } : null,
          collectionMethod: inv ? 'invoice' : 'automatic', nextBillingAt: rnd() < 0.2 ? now.add({ hours: 24 * 3 }) : null, cancellationMessage: null, problems: [] }))
      } catch (e) { stats[(e as Error).message] = (stats[(e as Error).message] ?? 0) + 1 }
    }))
    if (ids.length && rnd() < 0.4) await cancelSubscription(app, siteId, pick(ids), { message: null, reasonCode: null }).catch((e) => { stats[e.message] = (stats[e.message] ?? 0) + 1 })
    if (ids.length && rnd() < 0.2) { const [r] = await app.db.arrays(sql`select customer_id from subscriptions where site_id = ${siteId} and id = ${pick(ids)}`); await deleteCustomer(app, siteId, r![0] as number).catch((e) => { stats[e.message] = (stats[e.message] ?? 0) + 1 }) }
    if (ids.length && rnd() < 0.5) await app.db.run(sql`update payment_profiles f set vault_token = ${'bogus_x_' + pick([1, 1, 2, 3])} from subscriptions s where f.site_id = ${siteId} and s.site_id = ${siteId} and s.id = ${pick(ids)} and f.id = s.payment_profile_id`)
    now = now.add({ hours: Math.floor(rnd() * 24 * 9) })
    const how = rnd()
    if (how < 0.6) await moveClock(app, siteId, now) 
    else { await setClock(app, siteId, now)
      if (how < 0.75) { const reach = (p: string) => { if (p === pick(['renewal: attempts on record','renewal: gateway answered','renewal: before settlement commits','renewal: before commit', 'renewal: gateway asked'])) throw new Error('crash') }
        await assessDueSubscriptions({ ...app, reach } as never, siteId, { limit: 20, asDue: false }).catch(() => {}) }
      else { await workUntilDone(app, siteId).catch((e) => console.log('work', e.message)); } }
    if (how >= 0.6 || rnd() < 0.3) { world.gateway.silentSites.delete(siteId); await app.db.run(sql`update payment_attempts set next_check_at = '2019-01-01Z' where settled_at is null`); await recoverPayments(app) }
    const { text, differences } = await verify(app)
    assert.equal(differences, 0, `step ${step}\n${text}`)
  }
  if (process.env.SHOW) console.log(stats, (await verify(app)).text, await app.db.rows(sql`select state, count(*) from subscriptions group by 1`), await app.db.rows(sql`select outcome, reason, count(*) from payment_attempts group by 1, 2`))
})
