/** Acts that are interrupted between the record and the gateway's answer: what they took stays taken, and who asks again gets the same. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AllocateComponent, allocateComponents } from '../src/actions/allocate-components.ts'
import { answerOnce } from '../src/actions/answer-once.ts'
import type { App } from '../src/actions/app.ts'
import { reactivateSubscription } from '../src/actions/reactivate-subscription.ts'
import { recoverPayments } from '../src/actions/recover-payments.ts'
import { verify } from '../src/actions/verify.ts'
import type { FailPoint } from '../src/host/fail-points.ts'
import type { Connection } from '../src/store/database.ts'
import { sql } from '../src/store/sql.ts'
import { decliningCard, made, signup } from './api/shop.ts'
import { openStockedShop } from './api/stocked-shop.ts'

const shop = await openStockedShop()
const { app, siteId } = shop
const { users } = shop.components

/** A process that is lost at a point. */
const lostAt = (point: FailPoint): App => ({
  ...app,
  reach: (reached) => {
    if (reached === point) throw new Error(`lost at ${point}`)
  },
})

const recover = async (): Promise<void> => {
  await app.db.run(sql`
    update payment_attempts set next_check_at = now() where site_id = ${siteId} and settled_at is null`)
  await recoverPayments(app)
}

const buy = async (changes: object = {}): Promise<number> =>
  (await made(shop, 'POST /subscriptions.json', signup(changes))).subscription.id

const oneMore: AllocateComponent = {
  component: { id: users },
  quantity: '1',
  memo: null,
  upgradeScheme: 'full-price-attempt-capture',
  downgradeScheme: null,
}

for (const card of ['good', 'declining'] as const) {
  test(`an allocation with a ${card} card that is lost and repeated under its key is made once`, async () => {
    const changes = card === 'good' ? {} : { product_handle: 'free', payment_profile_attributes: decliningCard }
    for (const isRecovered of [true, false]) {
      const id = await buy(changes)
      const once = {
        siteId,
        key: `allocation ${id}`,
        request: 'the same',
        act: (on: App) => allocateComponents(on, siteId, id, [oneMore]),
        show: async (_: Connection, requestId: number) => requestId,
      }
      await assert.rejects(answerOnce(lostAt('renewal: attempts on record'), once), /lost at/)
      if (isRecovered) await recover()
      const request = await answerOnce(app, once)
      const { json } = await shop.ask(`GET /subscriptions/${id}/components/${users}/allocations.json`)
      assert.deepEqual(
        json.map((one: { allocation: Record<string, unknown> }) => one.allocation.allocation_id),
        [request],
      )
      const { subscription } = (await shop.ask(`GET /subscriptions/${id}.json`)).json
      assert.equal(subscription.balance_in_cents, card === 'good' ? 0 : 1500)
    }
  })
}

test('an allocation that captures nothing is answered under its key, and again', async () => {
  const id = await buy({ product_handle: 'free-trial' })
  const body = { allocation: { quantity: 1, proration_upgrade_scheme: 'prorate-attempt-capture' } }
  const ask = () =>
    shop.ask(`POST /subscriptions/${id}/components/${users}/allocations.json`, {
      body,
      headers: { 'Idempotency-Key': 'nothing to capture' },
    })
  const first = await ask()
  assert.equal(first.status, 201, first.text)
  assert.equal((await ask()).text, first.text)
})

test("a coupon's last use is taken while a reactivation with it waits for its payment, and free again when that fails", async () => {
  const half = { name: 'Half', description: 'Half off', percentage: 50, product_family_id: shop.familyId }
  await made(shop, 'POST /coupons.json', { coupon: { ...half, code: 'LAST', conversion_limit: 1 } })
  const add = async (id: number) => (await shop.ask(`POST /subscriptions/${id}/add_coupon.json?code=LAST`)).status
  const wish = {
    includeTrial: false,
    preserveBalance: false,
    resume: false,
    requireResume: false,
    forgiveBalance: false,
    couponCode: 'LAST',
  }
  const uses = async () =>
    (
      await app.db.arrays(
        sql`select count(*) from coupon_redemptions r where r.site_id = ${siteId} and r.code = 'LAST'`,
      )
    )[0]

  const declining = await buy({ product_handle: 'card-trial', payment_profile_attributes: decliningCard })
  await shop.ask(`DELETE /subscriptions/${declining}.json`)
  const other = await buy()
  await assert.rejects(
    reactivateSubscription(lostAt('renewal: attempts on record'), siteId, declining, wish),
    /lost at/,
  )
  assert.equal(await add(other), 422, 'the last use waits for its payment')
  await recover()
  assert.deepEqual(await uses(), [0])

  const canceled = await buy()
  await shop.ask(`DELETE /subscriptions/${canceled}.json`)
  await assert.rejects(reactivateSubscription(lostAt('renewal: gateway answered'), siteId, canceled, wish), /lost at/)
  assert.equal(await add(other), 422)
  await recover()
  assert.equal(await add(other), 422)
  assert.deepEqual(await uses(), [1])
})

test('the audit finds nothing in all this', async () => {
  const { text, differences } = await verify(app)
  assert.equal(differences, 0, text)
})
