/** What falls due is found by the workers by themselves: nobody has to ask, and nothing else has to be due. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assessInTurn } from '../src/workers/workers.ts'
import { openShop } from './api/shop.ts'
import { HandClock } from './webhooks/post-office.ts'

test('a hold that ends by itself is ended on a site where nothing else is due', async (t) => {
  const clock = new HandClock('2027-01-15T12:00:00Z')
  const { app, ask } = await openShop(t, { clock })
  const customer = { first_name: 'Ann', last_name: 'Lee', email: 'ann@example.com' }
  const card = { full_number: '1', expiration_month: 1, expiration_year: 2040 }
  const body = {
    subscription: { product_handle: 'monthly', customer_attributes: customer, credit_card_attributes: card },
  }
  const { id } = (await ask('POST /subscriptions.json', { body })).json.subscription
  const state = async () => (await ask(`GET /subscriptions/${id}.json`)).json.subscription.state
  const hold = { automatically_resume_at: '2027-01-20T12:00:00Z' }
  const held = await ask(`POST /subscriptions/${id}/hold.json`, { body: { hold } })
  assert.equal(held.status, 200, held.text)
  clock.pass(5 * 86_400 - 1)
  await assessInTurn(app)
  assert.equal(await state(), 'on_hold')
  clock.pass(1)
  await assessInTurn(app)
  assert.equal(await state(), 'active')
})
