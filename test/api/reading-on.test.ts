/** Who reads on by `since_id` misses nothing: ids that an open act may still fill are held back, and only where lists begin at an id. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../../src/actions/app.ts'
import { recordPayment } from '../../src/actions/record-payment.ts'
import { recordUsage } from '../../src/actions/record-usage.ts'
import { cents } from '../../src/billing/money.ts'
import { sql } from '../../src/store/sql.ts'
import { ada, grace, made, openOtherSite, openShop, type Shop, signup } from './shop.ts'
import { openStockedShop } from './stocked-shop.ts'
import { type Format, formats, type Say, speaker } from './two-formats.ts'

type Payer = { shop: Shop; subscriptionId: number }
type Row = { id: number }

const openPayer = async (shop: Shop): Promise<Payer> => {
  const { subscription } = await made(shop, 'POST /subscriptions.json', signup({ customer_attributes: ada }))
  return { shop, subscriptionId: subscription.id }
}

const payer = async (): Promise<Payer> => openPayer(await openShop())

const pay = ({ shop: { app, siteId }, subscriptionId }: Payer, given: Partial<App> = {}): Promise<number> =>
  recordPayment({ ...app, ...given }, siteId, subscriptionId, { amount: cents(100), memo: 'A cheque' })

/** A payment whose rows are written and not yet committed; undone at the end of the test that left it so. */
async function beginPayment(
  t: TestContext,
  payer: Payer,
): Promise<{ commit(): Promise<number>; undo(): Promise<void> }> {
  const written = Promise.withResolvers<void>()
  const told = Promise.withResolvers<void>()
  const ended = pay(payer, {
    beforeCommit: () => {
      written.resolve()
      return told.promise
    },
  })
  await Promise.race([written.promise, ended])
  t.after(() => {
    told.reject(new Error('undone'))
    return ended.catch(() => {})
  })
  return {
    commit: () => {
      told.resolve()
      return ended
    },
    undo: async () => {
      told.reject(new Error('undone'))
      await assert.rejects(ended, /undone/)
    },
  }
}

const idsIn = async (say: Say, line: string): Promise<number[]> => {
  const said = await say(`GET ${line}`)
  assert.equal(said.status, 200, said.text)
  return said.tree.map(({ id }: Row) => id)
}

const countIn = async (say: Say, line: string): Promise<number> =>
  Number(Object.values((await say(`GET ${line}`)).tree)[0])

const newestIn = async (say: Say, list: string): Promise<number> => Math.max(...(await idsIn(say, `/${list}`)))

const shops = { json: await payer(), xml: await payer() }
const neighbours: Record<Format, Payer> = {
  json: await openPayer(shops.json.shop),
  xml: await openPayer(shops.xml.shop),
}

for (const format of formats) {
  const say = speaker(shops[format].shop, format)
  const ours = shops[format]
  const neighbour = neighbours[format]

  for (const list of ['transactions', 'events']) {
    test(`${format}: ${list} that were committed before older ones are shown after them`, async (t) => {
      const seen = await newestIn(say, list)
      const more = `${list}?since_id=${seen + 1}&direction=asc`
      const older = await beginPayment(t, ours)
      const newer = await pay(neighbour)
      assert.deepEqual(await idsIn(say, `/${more}`), [], 'held back')
      assert.deepEqual(await idsIn(say, `/subscriptions/${neighbour.subscriptionId}/${more}`), [])
      assert.deepEqual(await idsIn(say, `/${list}?since_id=${seen}&per_page=200`), [seen], 'what was before stays')
      assert.equal(await countIn(say, `/${list}/count?since_id=${seen + 1}`), 0)
      assert.equal((await say(`GET /transactions/${newer}`)).status, 200, 'who asks for it by name is shown it')
      assert.equal((await idsIn(say, `/${list}`))[0]! > seen, true, 'and so is who looks at the newest')
      await older.commit()
      const shown = await idsIn(say, `/${more}`)
      assert.equal(shown.length, 2)
      assert.deepEqual(
        shown,
        shown.toSorted((one, other) => one - other),
      )
      assert.equal(await countIn(say, `/${list}/count?since_id=${seen + 1}`), 2)
      assert.deepEqual(await idsIn(say, `/${list}?since_id=${seen + 1}&max_id=${shown[0]}`), shown.slice(0, 1))
    })

    test(`${format}: what an act wrote to ${list} is shown at once although younger acts are open, or older ones were undone`, async (t) => {
      const seen = await newestIn(say, list)
      const undone = await beginPayment(t, ours)
      await pay(neighbour)
      await undone.undo()
      const younger = await beginPayment(t, ours)
      assert.equal((await idsIn(say, `/${list}?since_id=${seen + 1}`)).length, 1)
      await younger.undo()
    })
  }

  test(`${format}: the open acts of one site hold nothing back on another`, async (t) => {
    const other = await openOtherSite(ours.shop, `gamma-${format}`)
    const asOther = { key: other.apiKey, headers: { Host: `${other.subdomain}.localhost:${ours.shop.port}` } }
    const open = await beginPayment(t, ours)
    const created = await say('POST /customers', { customer: grace }, asOther)
    assert.equal(created.status, 201, created.text)
    assert.equal((await say('GET /events?since_id=1', undefined, asOther)).tree.length, 1)
    await open.undo()
  })
}

test('usages of a subscription are numbered and committed one after the other', async () => {
  const shop = await openStockedShop()
  const { app, siteId } = shop
  const { subscriptionId } = await openPayer(shop)
  const say = speaker(shop, 'json')
  const componentId = shop.components.calls
  const path = `/subscriptions/${subscriptionId}/components/${componentId}/usages`
  const use = (given: Partial<App>) =>
    recordUsage({ ...app, ...given }, siteId, subscriptionId, { id: componentId }, { quantity: '1', memo: null })
  const written = Promise.withResolvers<void>()
  const told = Promise.withResolvers<void>()
  const older = use({
    beforeCommit: () => {
      written.resolve()
      return told.promise
    },
  })
  await Promise.race([written.promise, older])
  const newer = use({})
  const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  while ((await app.db.rows(waiting)).length === 0) await pause(5)
  assert.deepEqual(await idsIn(say, `${path}?since_id=1`), [])
  told.resolve()
  const made = [await older, await newer]
  assert.deepEqual(
    made,
    made.toSorted((one, other) => one - other),
  )
  assert.deepEqual(await idsIn(say, `${path}?since_id=${made[0]! + 1}`), made.slice(1))
})

// Locks carry the lower half of an id.
for (const next of [2 ** 31 - 2, 2 ** 32 - 2]) {
  for (const list of ['transactions', 'events']) {
    test(`ids of ${list} are held back as well from ${next} on`, async (t) => {
      const { shop } = shops.json
      const say = speaker(shop, 'json')
      await shop.app.db.run(sql`select setval(${`${list}_id_seq`}, ${next}, false)`)
      const more = `/${list}?since_id=${next}&direction=asc`
      for (let shown = 0; shown < 12; shown += 4) {
        const older = await beginPayment(t, shops.json)
        for (let place = 0; place < 3; place++) await pay(neighbours.json)
        assert.equal((await idsIn(say, more)).length, shown)
        await older.commit()
        assert.equal((await idsIn(say, more)).length, shown + 4)
      }
    })
  }
}
