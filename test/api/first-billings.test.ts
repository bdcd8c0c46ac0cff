/** A sign-up that waited begins on its day as any other does: charged, on trial, or over, and each once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assessDueSubscriptions } from '../../src/actions/assess-due-subscriptions.ts'
import { verify } from '../../src/actions/verify.ts'
import { turnableClock } from '../support/turnable-clock.ts'
import { dealings } from './dealings.ts'
import { ada, decliningCard, goodCard, made, openedAt, openShop, type Shop, signup } from './shop.ts'

const later = '2027-03-01T09:00:00Z'
const shown = '2027-03-01T09:00:00+00:00'
const waiting = { initial_billing_at: later }

/** Kept by the test gateway already, whose every call for it goes wrong. */
const failingCard = {
  current_vault: 'bogus',
  vault_token: '3',
  last_four: '3333',
  expiration_month: 12,
  expiration_year: 2031,
}

const agrees = async ({ app }: Pick<Shop, 'app'>): Promise<void> => {
  const { text, differences } = await verify(app)
  assert.equal(differences, 0, text)
}

const shop = await openShop()
const { keysOf, rowsOf } = dealings(shop)
await made(shop, `POST /product_families/${shop.familyId}/coupons.json`, {
  coupon: { name: 'Once', code: 'ONCE', percentage: '50' },
})
let people = 0
const sign = async (changes: object = {}): Promise<number> => {
  people += 1
  const body = signup({ ...waiting, customer_attributes: { ...ada, email: `${people}@example.com` }, ...changes })
  return (await made(shop, 'POST /subscriptions.json', body)).subscription.id
}
const read = async (id: number) => (await shop.ask(`GET /subscriptions/${id}.json`)).json.subscription
const withoutCard = { payment_profile_attributes: undefined }
const ids = {
  paid: await sign({ product_handle: 'with-setup-fee', coupon_code: 'ONCE' }),
  trial: await sign({ product_handle: 'free-trial' }),
  paidTrial: await sign({ product_handle: 'late-setup-fee' }),
  declined: await sign({ payment_profile_attributes: decliningCard }),
  broken: await sign({ payment_profile_attributes: failingCard }),
  cardless: await sign({ product_handle: 'card-optional', ...withoutCard }),
  invoiced: await sign({ payment_collection_method: 'invoice', ...withoutCard }),
  expiring: await sign({ product_handle: 'expiring' }),
  expired: await sign({ expires_at: '2027-02-01' }),
  deferred: await sign({ initial_billing_at: null, defer_signup: true }),
  canceled: await sign(),
}

test('nothing begins before its moment', async () => {
  await shop.ask(`DELETE /subscriptions/${ids.canceled}.json`)
  await shop.moveClock('2027-03-01T08:59:59Z')
  for (const [name, id] of Object.entries(ids)) {
    assert.equal((await read(id)).state, name === 'canceled' ? 'canceled' : 'awaiting_signup', name)
  }
  await shop.moveClock('2027-03-01T09:30:00Z')
})

test('first charges are taken, with setup fee and coupon', async () => {
  const paid = await read(ids.paid)
  assert.deepEqual(
    [paid.state, paid.activated_at, paid.current_period_started_at, paid.current_period_ends_at, paid.signup_revenue],
    ['active', shown, shown, '2027-04-01T09:00:00+00:00', '37.50'],
  )
  assert.deepEqual([paid.coupon_use_count, paid.balance_in_cents], [1, 0])
  const rows = (await rowsOf(ids.paid)).map((row) => [row.kind ?? row.type, row.amount_in_cents])
  assert.deepEqual(rows, [
    ['baseline', 5000],
    ['initial', 2500],
    ['coupon', -3750],
    ['Payment', 3750],
  ])
  assert.deepEqual(await keysOf(ids.paid), [
    'delayed_signup_creation_success',
    'signup_success',
    'payment_success',
    'subscription_state_change',
    'statement_settled',
  ])
})

test('trials begin, and are paid for where they cost something', async () => {
  const trial = await read(ids.trial)
  assert.deepEqual(
    [trial.state, trial.trial_started_at, trial.trial_ended_at, trial.activated_at],
    ['trialing', shown, '2027-04-01T09:00:00+00:00', null],
  )
  const paidTrial = await read(ids.paidTrial)
  assert.deepEqual([paidTrial.state, paidTrial.total_revenue_in_cents], ['trialing', 100])
})

test('a declined card ends it, and leaves neither charge nor debt', async () => {
  const declined = await read(ids.declined)
  assert.deepEqual(
    [declined.state, declined.canceled_at, declined.balance_in_cents, declined.next_assessment_at],
    ['canceled', shown, 0, null],
  )
  const rows = (await rowsOf(ids.declined)).map((row) => [row.type, row.amount_in_cents, row.success])
  assert.deepEqual(rows, [['Payment', 5000, false]])
  const told = ['delayed_signup_creation_success', 'payment_failure', 'subscription_state_change']
  assert.deepEqual(await keysOf(ids.declined), told)
  assert.equal((await read(ids.cardless)).state, 'canceled')
})

test('what is paid by invoice, expires, expired meanwhile, has no date or was canceled', async () => {
  const invoiced = await read(ids.invoiced)
  assert.deepEqual([invoiced.state, invoiced.balance_in_cents], ['active', 5000])
  const expiring = await read(ids.expiring)
  assert.deepEqual([expiring.state, expiring.expires_at], ['active', '2028-01-01T09:00:00+00:00'])
  const states = await Promise.all([ids.expired, ids.deferred, ids.canceled].map(read))
  assert.deepEqual(
    states.map(({ state }) => state),
    ['expired', 'awaiting_signup', 'canceled'],
  )
})

test('a gateway that fails is asked again, and the months go on from the day that was said', async () => {
  const broken = await read(ids.broken)
  assert.deepEqual([broken.state, broken.next_assessment_at], ['awaiting_signup', '2027-03-01T10:00:00+00:00'])
  const body = { subscription: { payment_profile_attributes: goodCard } }
  assert.equal((await shop.ask(`PUT /subscriptions/${ids.broken}.json`, { body })).status, 200)
  await shop.moveClock('2027-04-02T00:00:00Z')
  const mended = await read(ids.broken)
  assert.deepEqual([mended.state, mended.total_revenue_in_cents, mended.activated_at], ['active', 10_000, shown])
  assert.equal((await read(ids.paidTrial)).total_revenue_in_cents, 100 + 2500 + 5000)
  assert.equal((await read(ids.paid)).total_revenue_in_cents, 3750 + 5000)
  await agrees(shop)
})

test('what came due while nobody worked begins as of its day, and is taken once by two workers', async (t) => {
  const clock = turnableClock(openedAt)
  const live = await openShop(t, { clock })
  const { subscription } = await made(live, 'POST /subscriptions.json', signup(waiting))
  clock.turn(Temporal.Instant.from(openedAt).until(later).total('minutes') + 300)
  const round = { limit: 10, asDue: false }
  await Promise.all([
    assessDueSubscriptions(live.app, live.siteId, round),
    assessDueSubscriptions(live.app, live.siteId, round),
  ])
  const { subscription: begun } = (await live.ask(`GET /subscriptions/${subscription.id}.json`)).json
  assert.deepEqual(
    [begun.state, begun.current_period_started_at, begun.current_period_ends_at, begun.total_revenue_in_cents],
    ['active', shown, '2027-04-01T09:00:00+00:00', 5000],
  )
  await agrees(live)
})
