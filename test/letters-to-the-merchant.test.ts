/** The merchant hears by letter of what would otherwise go on unseen: an endpoint that keeps failing, a subscription that is parked. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sendLetters } from '../src/actions/send-letters.ts'
import { sql } from '../src/store/sql.ts'
import { openShop } from './api/shop.ts'
import { keepingPost, office as postOffice, subscribe } from './support/post-office.ts'
import { answer, startReceiver } from './support/receiver.ts'
import { openPostOffice } from './webhooks/post-office.ts'

/** An endpoint that accepts and refuses as it is told to, and the letters that go out about it. */
async function openCorner(t: TestContext) {
  const office = await openPostOffice(t)
  const receiver = await startReceiver(t, answer(500))
  const endpointId = await office.endpoint(receiver.url, {})
  const post = keepingPost()
  const slowed = async (): Promise<boolean> =>
    (await office.ask(`GET /endpoints/${endpointId}.json`)).json.endpoint.slowed
  const set = (settings: object) => office.ask('PUT /letters/settings.json', { body: { letter_settings: settings } })
  return {
    ...office,
    post,
    set,
    host: new URL(receiver.url).host,
    endpointId,
    send: () => sendLetters(office.app, postOffice(post)),
    fail: async () => {
      receiver.react(answer(500))
      await office.write(endpointId, 25)
      await office.until(slowed)
    },
    recover: async () => {
      receiver.react(answer(200))
      office.clock.pass(600)
      await office.until(async () => (await office.ask('GET /webhooks.json?status=pending')).json.length === 0)
      assert.equal(await slowed(), false)
    },
  }
}

test('an endpoint that keeps failing is told of, and that it is back; the same thing once a day at most', async (t) => {
  const corner = await openCorner(t)
  const { post, host, endpointId } = corner
  await corner.set({ merchant_email: 'ops@acme.example' })
  await corner.fail()
  await corner.send()
  assert.deepEqual(
    post.mails.map(({ to, subject }) => [to.address, subject]),
    [['ops@acme.example', `Webhooks to ${host} are not accepted`]],
  )
  assert.match(post.mails[0]!.text, /were not accepted 25 times in a row .* 500 Internal Server Error/)
  assert.match(post.mails[0]!.text, new RegExp(`Endpoint: +${endpointId}\n`))
  await corner.recover()
  await corner.send()
  assert.equal(post.mails[1]!.subject, `Webhooks to ${host} are accepted again`)
  await corner.fail()
  await corner.send()
  assert.equal(post.mails.length, 2, 'told of the same a few minutes ago')
  await corner.recover()
  corner.clock.pass(86_400)
  await corner.fail()
  await corner.send()
  assert.equal(post.mails.length, 3)
  const events = (await corner.ask('GET /events.json?filter=webhook_endpoint_failing')).json
  assert.equal(events.length, 3, 'every time is an event')
})

test('without an address of its own it goes to the support address, without any it is on record as given up', async (t) => {
  const corner = await openCorner(t)
  await corner.fail()
  await corner.send()
  const [{ letter }] = (await corner.ask('GET /letters.json?kinds=webhook_endpoint_failing')).json
  assert.deepEqual([letter.status, letter.customer_id, letter.recipient], ['given_up', null, null])
  assert.equal(letter.last_error, 'The site has no address: give it a merchant_email in the letter settings.')
  const xml = await corner.ask(`GET /letters/${letter.id}.xml`)
  assert.match(xml.text, /<kind>webhook_endpoint_failing<\/kind>[\s\S]*<customer_id type="integer" nil="true"/)
  await corner.ask('PUT /portal/settings.json', { body: { portal_settings: { support_email: 'help@acme.example' } } })
  await corner.recover()
  await corner.send()
  assert.deepEqual(
    corner.post.mails.map(({ to }) => to.address),
    ['help@acme.example'],
  )
})

test('a kind that is switched off is not written, and the events stay', async (t) => {
  const corner = await openCorner(t)
  await corner.set({ merchant_email: 'ops@acme.example', webhook_endpoint_failing: false })
  await corner.fail()
  await corner.send()
  assert.deepEqual([corner.post.mails, (await corner.ask('GET /letters.json')).json], [[], []])
  assert.equal((await corner.ask('GET /events.json?filter=webhook_endpoint_failing')).json.length, 1)
})

test('a subscription that is parked is told of by event and letter, without the reason, which is the operator’s', async (t) => {
  const shop = await openShop(t)
  const { app, ask, siteId } = shop
  const { id } = await subscribe(shop)
  await ask('PUT /letters/settings.json', {
    body: { letter_settings: { receipt: false, merchant_email: 'ops@acme.example' } },
  })
  const post = keepingPost()
  await sendLetters(app, postOffice(post))
  await app.db.run(sql`
    update subscriptions set anchor_at = anchor_at + interval '0.5 seconds'
    where site_id = ${siteId} and id = ${id}`)
  await shop.moveClock('2027-02-16T12:00:00Z')
  await sendLetters(app, postOffice(post))
  const [{ event }] = (await ask(`GET /subscriptions/${id}/events.json?filter=subscription_parked`)).json
  assert.match(event.message, /^Billing stopped on .*'s subscription to .* because it could not be assessed$/)
  const letter = post.mails.at(-1)!
  assert.deepEqual(
    [letter.to.address, letter.subject],
    ['ops@acme.example', 'A subscription is not billed until somebody looks at it'],
  )
  assert.match(letter.text, new RegExp(`Subscription: +${id}\n`))
  assert.doesNotMatch(letter.text, /whole second/)
})
