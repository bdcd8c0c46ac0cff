/** Charges and refunds that are interrupted between the record and the answer: each is made once, by recovery or by whoever asks again. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answerOnce } from '../src/actions/answer-once.ts'
import type { App } from '../src/actions/app.ts'
import { createCharge } from '../src/actions/create-charge.ts'
import { recoverPayments } from '../src/actions/recover-payments.ts'
import { refundPayment } from '../src/actions/refund-payment.ts'
import { verify } from '../src/actions/verify.ts'
import type { Charge } from '../src/billing/charge.ts'
import { cents } from '../src/billing/money.ts'
import type { FailPoint } from '../src/host/fail-points.ts'
import { createSeals } from '../src/host/seals.ts'
import type { Connection } from '../src/store/database.ts'
import { sql } from '../src/store/sql.ts'
import { findTransactionRecord } from '../src/store/transaction-records.ts'
import { decliningCard, made, openShop, signup } from './api/shop.ts'
import { testSecret } from './support/seals.ts'

const shop = await openShop()
const { app, siteId } = shop

type Bought = { id: number; paymentId: number }

const buy = async (changes: object = {}): Promise<Bought> => {
  const { subscription } = await made(shop, 'POST /subscriptions.json', signup(changes))
  return { id: subscription.id, paymentId: subscription.signup_payment_id }
}

const charge: Charge = {
  amount: cents(700),
  memo: 'Help',
  useNegativeBalance: false,
  delayCapture: false,
  accrueOnFailure: false,
  taxable: false,
  collectionMethod: null,
}

const acts = {
  charge: (on: App, { id }: Bought) => createCharge(on, siteId, id, charge),
  refund: (on: App, { id, paymentId }: Bought) =>
    refundPayment(on, siteId, id, { amount: cents(700), memo: 'Sorry', paymentId, isExternal: false }),
}

/** A process that is lost at a point. */
const lostAt = (point: FailPoint): App => ({
  ...app,
  reach: (reached) => {
    if (reached === point) throw new Error(`lost at ${point}`)
  },
})

const points: readonly FailPoint[] = [
  'renewal: attempts on record',
  'renewal: gateway answered',
  'renewal: outcomes written',
  'renewal: before settlement commits',
]

const recover = async (): Promise<void> => {
  await app.db.run(sql`
    update payment_attempts set next_check_at = now() where site_id = ${siteId} and settled_at is null`)
  await recoverPayments(app)
}

/** The rows after those of the sign-up, and what the gateway was asked after it. */
async function outcomeOf({ id }: Bought): Promise<{ rows: unknown[]; calls: unknown[] }> {
  const rows = await app.db.arrays(sql`
    select t.type, t.kind, t.amount_in_cents, t.success from transactions t
    where t.site_id = ${siteId} and t.subscription_id = ${id} order by t.id offset 2`)
  const calls = await app.db.arrays(sql`
    select c.kind, c.amount_in_cents from bogus_gateway.calls c
    where c.site_id = ${siteId} and c.subscription_id = ${id} order by c.id offset 1`)
  return { rows, calls }
}

const done = {
  charge: {
    rows: [
      ['charge', 'one_time', 700, true],
      ['payment', 'one_time', 700, true],
    ],
    calls: [['purchase', 700]],
  },
  refund: { rows: [['refund', null, 700, true]], calls: [['refund', 700]] },
}

for (const name of ['charge', 'refund'] as const) {
  describe(`a ${name}`, () => {
    for (const point of points) {
      test(`that is lost at "${point}" is made by recovery, once`, async () => {
        const bought = await buy()
        await assert.rejects(acts[name](lostAt(point), bought), /lost at/)
        await recover()
        await recover()
        assert.deepEqual(await outcomeOf(bought), done[name])
      })

      test(`that is lost at "${point}" and repeated under its key is made once`, async () => {
        const bought = await buy()
        const once = (key: string) => ({
          siteId,
          key,
          request: 'the same',
          act: (on: App) => acts[name](on, bought),
          show: async (...[connection, id]: [Connection, number]) =>
            (await findTransactionRecord(connection, siteId, id))?.transaction.memo,
        })
        const key = `${name} ${point} ${bought.id}`
        await assert.rejects(answerOnce(lostAt(point), once(key)), /lost at/)
        const memo = name === 'charge' ? 'Help' : 'Sorry'
        assert.equal(await answerOnce(app, once(key)), memo)
        assert.equal(await answerOnce(app, once(key)), memo, 'the answer is kept')
        await recover()
        assert.deepEqual(await outcomeOf(bought), done[name])
        await answerOnce(app, once(`${key} another`))
        assert.equal((await outcomeOf(bought)).calls.length, 2, 'another key is another request')
      })
    }

    test('that recovery made in the meantime is what a repeated request is answered with', async () => {
      const bought = await buy()
      const once = {
        siteId,
        key: `recovered ${name}`,
        request: 'the same',
        act: (on: App) => acts[name](on, bought),
        show: async (...[connection, id]: [Connection, number]) =>
          (await findTransactionRecord(connection, siteId, id))?.transaction.memo,
      }
      await assert.rejects(answerOnce(lostAt('renewal: attempts on record'), once), /lost at/)
      await recover()
      await answerOnce(app, once)
      assert.deepEqual(await outcomeOf(bought), done[name])
    })

    test('whose gateway is silent is told to be under verification, and made when the gateway can be asked', async () => {
      const bought = await buy()
      const [gateway] = app.gateways.values()
      const silent = Object.assign(Object.create(gateway!), {
        purchase: async (...request: Parameters<NonNullable<typeof gateway>['purchase']>) => {
          await gateway!.purchase(...request)
          throw new Error('the line is dead')
        },
        refund: async (...request: Parameters<NonNullable<typeof gateway>['refund']>) => {
          await gateway!.refund(...request)
          throw new Error('the line is dead')
        },
        find: () => Promise.reject(new Error('the line is dead')),
        findRefund: () => Promise.reject(new Error('the line is dead')),
      })
      const deafApp = { ...app, gateways: new Map([['bogus', silent]]) }
      await assert.rejects(acts[name](deafApp, bought), /is being verified/)
      assert.deepEqual((await outcomeOf(bought)).rows, [])
      await recover()
      assert.deepEqual(await outcomeOf(bought), done[name])
    })
  })
}

test('a charge that may accrue and is declined after a loss is accrued by recovery', async () => {
  const bought = await buy({ product_handle: 'free-trial', payment_profile_attributes: decliningCard })
  const accruing = { ...charge, accrueOnFailure: true }
  const lost = lostAt('renewal: attempts on record')
  await assert.rejects(createCharge(lost, siteId, bought.id, accruing), /lost at/)
  await recover()
  const { rows } = await outcomeOf(bought)
  assert.deepEqual(rows, [['payment', null, 700, false]], 'the rows after the trial and the charge')
})

test('a charge that may accrue, is lost and declined, accrues once however often it is repeated under its key', async () => {
  const bought = await buy({ product_handle: 'free-trial', payment_profile_attributes: decliningCard })
  const once = (key: string) => ({
    siteId,
    key,
    request: 'the same',
    act: (on: App) => createCharge(on, siteId, bought.id, { ...charge, accrueOnFailure: true }),
    show: async (_: Connection, id: number) => id,
  })
  await assert.rejects(answerOnce(lostAt('renewal: attempts on record'), once('accrue')), /lost at/)
  await recover()
  const first = await answerOnce(app, once('accrue'))
  assert.equal(await answerOnce(app, once('accrue')), first)
  const accrued = async () => (await outcomeOf(bought)).rows.filter((row) => (row as unknown[])[0] === 'payment').length
  assert.equal(await accrued(), 1)
  await answerOnce(app, once('accrue anew'))
  assert.equal(await accrued(), 2, 'another key is another charge')
})

test('a charge that is lost and declined is refused in the words of the gateway when it is repeated under its key, and asks once', async () => {
  const bought = await buy({ product_handle: 'free-trial', payment_profile_attributes: decliningCard })
  const once = {
    siteId,
    key: 'declined',
    request: 'the same',
    act: (on: App) => createCharge(on, siteId, bought.id, charge),
    show: async (_: Connection, id: number) => id,
  }
  await assert.rejects(answerOnce(lostAt('renewal: attempts on record'), once), /lost at/)
  await assert.rejects(answerOnce(app, { ...once, request: 'another' }), /was used for another request/)
  await recover()
  const refused = { name: 'Refusal', message: /Bogus/ }
  await assert.rejects(answerOnce(app, once), refused)
  await assert.rejects(answerOnce(app, once), refused)
  const attempts = await app.db.arrays(sql`
    select a.outcome from payment_attempts a
    where a.site_id = ${siteId} and a.subscription_id = ${bought.id} and a.reason = 'charge'`)
  assert.deepEqual(attempts, [['declined']])
})

test('a charge that was lost before SECRET_KEY had a new one in front is found under its key all the same', async () => {
  const bought = await buy()
  const once = {
    siteId,
    key: 'rotated',
    request: 'the same',
    act: (on: App) => createCharge(on, siteId, bought.id, charge),
    show: async (_: Connection, id: number) => id,
  }
  await assert.rejects(answerOnce(lostAt('renewal: gateway answered'), once), /lost at/)
  const rotated = { ...app, seals: createSeals(['a newer secret, which stands in front of it', testSecret]) }
  const id = await answerOnce(rotated, once)
  assert.equal(await answerOnce(app, once), id)
  assert.deepEqual(await outcomeOf(bought), done.charge)
})

test('a refund that waits for its gateway keeps nothing else of its subscription waiting', async () => {
  const bought = await buy()
  await assert.rejects(acts.refund(lostAt('renewal: attempts on record'), bought), /lost at/)
  await acts.charge(app, bought)
  await recover()
  assert.deepEqual((await outcomeOf(bought)).calls, [
    ['purchase', 700],
    ['refund', 700],
  ])
})

test('the audit finds nothing in all this', async () => {
  const { text, differences } = await verify(app)
  assert.equal(differences, 0, text)
})
