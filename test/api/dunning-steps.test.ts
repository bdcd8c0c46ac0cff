/** The steps of a dunning as merchants see them: in lists of events, in webhooks, and in agreement with the letters that are written. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import qs from 'qs'
import { verify } from '../../src/actions/verify.ts'
import { sql } from '../../src/store/sql.ts'
import { decliningCard, made, openShop, type Shop, signup } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

/** Paid by a card that declines, once its trial has ended on 15 February. */
const pastDue = async ({ ask }: Shop, changes: object = {}): Promise<number> => {
  const terms = { product_handle: 'card-trial', payment_profile_attributes: decliningCard, ...changes }
  return (await made({ ask }, 'POST /subscriptions.json', signup(terms))).subscription.id
}

const settle = ({ ask }: Shop, site: object) => ask('PUT /site.json', { body: { site } })
const stepsQuery = 'direction=asc&filter=dunning_step_reached'
const stepsOf = async ({ ask }: Shop, id: number) =>
  (await ask(`GET /subscriptions/${id}/events.json?${stepsQuery}`)).json.map(
    (item: { event: { event_specific_data: object } }) => item.event.event_specific_data,
  )

const step = { email_body: null, email_subject: null, send_bcc_email: false, send_sms: false, sms_body: null }
const dunnerOf = (id: number) => ({
  subscription_id: id,
  revenue_at_risk_in_cents: 5000,
  created_at: '2027-02-15T12:00:00Z',
})

test('are listed in JSON and in XML, the last one with itself as the next', async (t) => {
  const shop = await openShop(t)
  await settle(shop, { dunning_attempts: 3, dunning_interval_in_hours: 36, dunning_final_action: 'unpaid' })
  const id = await pastDue(shop)
  await shop.moveClock('2027-02-19T12:00:00Z')
  for (const format of formats) {
    const said = await speaker(shop, format)(`GET /subscriptions/${id}/events?${stepsQuery}`)
    assert.deepEqual(
      said.tree.map((event: { message: string; created_at: string; event_specific_data: object }) => [
        event.message,
        event.created_at,
        event.event_specific_data,
      ]),
      [
        [
          "Dunning step reached on Ada Lovelace's subscription to Card Trial: day 1, retry",
          '2027-02-17T00:00:00+00:00',
          {
            dunner: { ...dunnerOf(id), state: 'active', attempts: 2, last_attempted_at: '2027-02-17T00:00:00Z' },
            current_step: { ...step, day_threshold: 1, action: 'retry', send_email: true },
            next_step: { ...step, day_threshold: 3, action: 'unpaid', send_email: true },
          },
        ],
        [
          "Dunning step reached on Ada Lovelace's subscription to Card Trial: day 3, unpaid",
          '2027-02-18T12:00:00+00:00',
          {
            dunner: { ...dunnerOf(id), state: 'finished', attempts: 3, last_attempted_at: '2027-02-18T12:00:00Z' },
            current_step: { ...step, day_threshold: 3, action: 'unpaid', send_email: true },
            next_step: { ...step, day_threshold: 3, action: 'unpaid', send_email: true },
          },
        ],
      ],
      format,
    )
  }
  const { text } = await shop.ask(`GET /subscriptions/${id}/events.xml?${stepsQuery}`)
  assert.match(text, /<dunner>.*<attempts type="integer">2<\/attempts>.*<\/dunner>/)
  assert.match(text, /<created_at type="datetime">2027-02-15T12:00:00Z<\/created_at>/)
  assert.match(text, /<last_attempted_at type="datetime">2027-02-17T00:00:00Z<\/last_attempted_at>/)
  assert.match(text, /<current_step>.*<send_email type="boolean">true<\/send_email>.*<\/current_step>/)
  assert.match(text, /<day_threshold type="integer">1<\/day_threshold>/)
  assert.match(text, /<email_body nil="true"\/>/)
  const { json } = await shop.ask(`GET /subscriptions/${id}.json`)
  assert.deepEqual([json.subscription.state, 'dunning_since' in json.subscription], ['unpaid', false])
})

test('a single attempt is one step on day 0, without a retry', async (t) => {
  const shop = await openShop(t)
  await settle(shop, { dunning_attempts: 1 })
  const id = await pastDue(shop)
  await shop.moveClock('2027-02-15T12:00:00Z')
  assert.deepEqual(await stepsOf(shop, id), [
    {
      dunner: { ...dunnerOf(id), state: 'finished', attempts: 1, last_attempted_at: '2027-02-15T12:00:00Z' },
      current_step: { ...step, day_threshold: 0, action: 'cancel', send_email: true },
      next_step: { ...step, day_threshold: 0, action: 'cancel', send_email: true },
    },
  ])
})

test('gateway errors, retries by hand and the first failure are none', async (t) => {
  const shop = await openShop(t)
  const behave = (error_rate: number) =>
    shop.ask('PUT /bogus_gateway/behaviour.json', { body: { behaviour: { error_rate } } })
  const id = await pastDue(shop)
  await shop.moveClock('2027-02-16T11:00:00Z')
  assert.equal((await shop.ask(`PUT /subscriptions/${id}/retry.json`)).status, 422)
  await behave(1)
  await shop.moveClock('2027-02-16T12:30:00Z')
  assert.deepEqual(await stepsOf(shop, id), [])
  await behave(0)
  await shop.moveClock('2027-02-16T13:00:00Z')
  const [only, ...others] = await stepsOf(shop, id)
  assert.deepEqual([only.dunner.attempts, only.dunner.last_attempted_at, others], [2, '2027-02-16T13:00:00Z', []])
})

test('what customers read of a statement does not tell of them', async (t) => {
  const shop = await openShop(t)
  const id = await pastDue(shop)
  await shop.moveClock('2027-02-17T00:00:00Z')
  const listed: { statement: Record<string, string> & { events: { key: string }[] } }[] = (
    await shop.ask(`GET /subscriptions/${id}/statements.json`)
  ).json
  const { statement } = listed.find(({ statement: { events } }) =>
    events.some(({ key }) => key === 'dunning_step_reached'),
  )!
  for (const view of ['text_view', 'basic_html_view', 'html_view']) {
    assert.match(statement[view]!, /Payment Failure/, view)
    assert.doesNotMatch(statement[view]!, /Dunning/i, view)
  }
})

test('a dunning that was ended begins anew, on its own first day', async (t) => {
  const shop = await openShop(t)
  const id = await pastDue(shop)
  await shop.moveClock('2027-02-18T12:00:00Z')
  assert.equal((await shop.ask(`POST /subscriptions/${id}/cancel_dunning.json`)).status, 200)
  await shop.moveClock('2027-03-16T12:00:00Z')
  const told = (await stepsOf(shop, id)).map(({ dunner }: { dunner: { attempts: number; created_at: string } }) => [
    dunner.attempts,
    dunner.created_at,
  ])
  const [first, second] = ['2027-02-15T12:00:00Z', '2027-03-15T12:00:00Z']
  assert.deepEqual(told, [
    [2, first],
    [3, first],
    [4, first],
    [2, second],
  ])
  assert.equal((await verify(shop.app)).differences, 0)
})

test('send_email tells of the letters that are written, and of none that is not', async (t) => {
  const shop = await openShop(t)
  const withCard = await pastDue(shop)
  const without = await pastDue(shop, { product_handle: 'card-trial' })
  await shop.moveClock('2027-02-15T18:00:00Z')
  const { subscription } = (await shop.ask(`GET /subscriptions/${without}.json`)).json
  await shop.ask(`DELETE /subscriptions/${without}/payment_profiles/${subscription.credit_card.id}.json`)
  const lettersOf = async (since: string) =>
    (
      await shop.app.db.arrays(sql`
        select l.subscription_id from letters l where l.site_id = ${shop.siteId} and l.kind = 'payment_failed'
          and l.created_at = ${Temporal.Instant.from(since)} order by l.subscription_id`)
    ).flat()
  const sends = async (id: number) => (await stepsOf(shop, id)).at(-1).current_step.send_email
  const promised = async () => [await sends(withCard), await sends(without)]
  await shop.moveClock('2027-02-16T12:00:00Z')
  assert.deepEqual([await promised(), await lettersOf('2027-02-16T12:00:00Z')], [[true, false], [withCard]])
  await shop.ask('PUT /letters/settings.json', { body: { letter_settings: { payment_failed: false } } })
  await shop.moveClock('2027-02-17T12:00:00Z')
  assert.deepEqual([await promised(), await lettersOf('2027-02-17T12:00:00Z')], [[false, false], []])
  await shop.ask('PUT /letters/settings.json', { body: { letter_settings: { payment_failed: true, receipt: false } } })
  await shop.moveClock('2027-02-18T12:00:00Z')
  assert.deepEqual([await promised(), await lettersOf('2027-02-18T12:00:00Z')], [[true, false], [withCard]])
})

test('webhooks of the last step have it as the next one too, and their times are those of the site', async (t) => {
  const shop = await openShop(t, { timeZone: 'America/New_York' })
  await settle(shop, { dunning_attempts: 2 })
  await shop.app.db.run(sql`
    insert into webhook_endpoints (site_id, id, url, event_keys, sealed_secret, created_at, updated_at)
    values (${shop.siteId}, 1, 'https://example.com/', '{dunning_step_reached}', 'sealed', now(), now())`)
  const id = await pastDue(shop)
  await shop.moveClock('2027-02-16T12:00:00Z')
  const bodies = (await shop.app.db.arrays(sql`select w.body from webhooks w where w.site_id = ${shop.siteId}`)).flat()
  assert.equal(bodies.length, 1)
  const { payload } = qs.parse(String(bodies[0]), { parameterLimit: 10_000, depth: 9 }) as unknown as {
    payload: { [name: string]: { [name: string]: string } }
  }
  assert.deepEqual(
    { ...payload.dunner },
    {
      attempts: '2',
      created_at: '2027-02-15 07:00:00 -0500',
      last_attempted_at: '2027-02-16 07:00:00 -0500',
      revenue_at_risk_in_cents: '5000',
      state: 'finished',
      subscription_id: String(id),
    },
  )
  assert.deepEqual({ ...payload.next_step }, { ...payload.current_step })
  assert.deepEqual([payload.subscription?.state, payload.subscription?.previous_state], ['canceled', 'past_due'])
})
