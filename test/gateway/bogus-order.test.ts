/** The test gateway's record is read on by id, and misses no call that several processes keep at once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { cents } from '../../src/billing/money.ts'
import { BogusGateway } from '../../src/gateway/bogus.ts'
import { stoppedClock } from '../../src/host/clock.ts'
import { testDatabase } from '../support/database.ts'

const siteId = 1

test('calls that were kept before older ones are listed after them', async (t) => {
  const { connection } = await testDatabase(t)
  const rival = new pg.Client(connection)
  await rival.connect()
  const clock = stoppedClock('2026-01-01T00:00:00Z')
  const one = new BogusGateway(connection, clock)
  const other = new BogusGateway(connection, clock)
  t.after(() => Promise.all([one.close(), other.close(), rival.end()]))

  const purchase = (gateway: BogusGateway, idempotencyKey: string) =>
    gateway.purchase({ siteId, subscriptionId: 1, idempotencyKey, amount: cents(5000), vaultToken: '1' })
  const paid = await purchase(one, 'paid')
  assert.ok(paid.result === 'approved')
  const { gatewayTransactionId } = paid
  const refund = (gateway: BogusGateway, idempotencyKey: string) =>
    gateway.refund({ siteId, subscriptionId: 1, idempotencyKey, amount: cents(100), gatewayTransactionId })
  const listed = async () =>
    (await other.listCalls(siteId, { sinceId: 1, perPage: 20, offset: 0 })).map((call) => call.idempotencyKey)
  const drawn = async (): Promise<string> =>
    (await rival.query('select last_value from bogus_gateway.calls_id_seq')).rows[0].last_value

  /** Whoever keeps a call under this key has drawn its id by then, and waits to see whether there is one already. */
  const detain = async (kind: string, idempotencyKey: string, ask: () => Promise<unknown>) => {
    await rival.query('begin')
    await rival.query(
      `insert into bogus_gateway.calls
        (site_id, id, idempotency_key, kind, amount_in_cents, outcome, message, created_at)
       values ($1, 1000000, $2, $3, 1, 'approved', '', now())`,
      [siteId, idempotencyKey, kind],
    )
    const before = await drawn()
    const asked = ask()
    while ((await drawn()) === before) await pause(5)
    return async () => {
      await rival.query('rollback')
      await asked
    }
  }

  const letPurchase = await detain('purchase', 'older purchase', () => purchase(one, 'older purchase'))
  await purchase(other, 'newer purchase')
  assert.deepEqual(await listed(), ['paid'])
  await letPurchase()
  assert.deepEqual(await listed(), ['paid', 'older purchase', 'newer purchase'])

  const letRefund = await detain('refund', 'older refund', () => refund(one, 'older refund'))
  await purchase(other, 'newest purchase')
  assert.deepEqual((await listed()).slice(3), [])
  await letRefund()
  assert.deepEqual((await listed()).slice(3), ['older refund', 'newest purchase'])
})
