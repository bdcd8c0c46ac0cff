/** The site: its settings, and emptying it, in JSON and in XML. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSite } from '../../src/actions/create-site.ts'
import { sql } from '../../src/store/sql.ts'
import { ada, openShop, type Shop, signup } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

const usual = {
  name: 'acme',
  subdomain: 'acme',
  test: true,
  currency: 'USD',
  time_zone: 'UTC',
  country: null,
  address: null,
  address_2: null,
  city: null,
  state: null,
  zip: null,
  vat_number: null,
  invoice_page_size: 'A4',
  logo: null,
  dunning_attempts: 14,
  dunning_interval_in_hours: 24,
  dunning_final_action: 'cancel',
  upcoming_renewal_notice_days: 3,
  trial_end_notice_days: 3,
  expiring_card_notices: true,
  component_upgrade_scheme: 'no-prorate',
  component_downgrade_scheme: 'no-prorate',
  relationship_invoicing_enabled: false,
  created_at: '2027-01-15T12:00:00+00:00',
}

const notices = { renewalDays: 3, trialDays: 3, expiringCards: true }
const shops = { json: await openShop(undefined, { notices }), xml: await openShop(undefined, { notices }) }

for (const format of formats) {
  const shop = shops[format]
  const say = speaker(shop, format)

  test(`${format}: the site is shown with its settings and the key that webhooks are signed with`, async () => {
    const { status, tree } = await say('GET /site')
    assert.equal(status, 200)
    const { id, seller_id: sellerId, shared_key: sharedKey, ...settings } = tree.site
    assert.deepEqual([id, sellerId], [shop.siteId, shop.siteId])
    assert.ok(sharedKey.length >= 20)
    assert.deepEqual(settings, usual)
  })

  test(`${format}: the site keeps the settings that are not sent, and takes its own answer back`, async () => {
    const changes = {
      name: 'Acme & Daughters',
      time_zone: 'America/New_York',
      dunning_attempts: '3',
      dunning_final_action: 'unpaid',
      component_upgrade_scheme: 'prorate-delay-capture',
    }
    const changed = await say('PUT /site', { site: { ...changes, subdomain: 'mine', shared_key: 'mine' } })
    assert.equal(changed.status, 200)
    const { id: _, seller_id: __, shared_key: sharedKey, ...settings } = changed.tree.site
    assert.notEqual(sharedKey, 'mine')
    assert.deepEqual(settings, { ...usual, ...changes, dunning_attempts: 3, created_at: '2027-01-15T07:00:00-05:00' })
    assert.deepEqual((await say('GET /site')).tree, changed.tree)
    assert.deepEqual((await say('PUT /site', changed.tree)).tree, changed.tree)
  })

  test(`${format}: the site refuses what makes no sense, every problem at once`, async () => {
    const refused = await say('PUT /site', {
      site: {
        name: '',
        currency: 'XXX',
        dunning_attempts: 0,
        dunning_interval_in_hours: 721,
        dunning_final_action: 'shrug',
        component_downgrade_scheme: 'prorate-delay-capture',
        time_zone: 'Mars/Olympus',
      },
    })
    assert.equal(refused.status, 422)
    assert.deepEqual(refused.errors.slice(0, 4), [
      'Name: cannot be blank.',
      `Currency: ${refused.errors[1]?.slice('Currency: '.length)}`,
      'Dunning attempts: must be greater than or equal to 1.',
      'Dunning interval: must be less than or equal to 720.',
    ])
    assert.match(refused.errors[1] ?? '', /^Currency: must be one of USD, /)
    assert.deepEqual(refused.errors.slice(4), [
      'Dunning final action: must be one of cancel, unpaid.',
      'Component downgrade scheme: must be one of prorate, no-prorate.',
      "Time zone: must be the name of a time zone, such as 'America/New_York'.",
    ])
    assert.equal((await say('GET /site')).tree.site.dunning_attempts, 3)
  })

  test(`${format}: the site changes its currency while nothing stands on its ledger`, async () => {
    assert.equal((await say('PUT /site', { site: { currency: 'EUR' } })).tree.site.currency, 'EUR')
    assert.equal((await say('POST /subscriptions', signup())).status, 201)
    const refused = await say('PUT /site', { site: { currency: 'USD', name: 'Same' } })
    assert.equal(refused.status, 422)
    assert.deepEqual(refused.errors, ['Currency: cannot be changed once the site has transactions.'])
    assert.equal((await say('PUT /site', { site: { currency: 'EUR' } })).status, 200)
  })

  test(`${format}: the site is emptied of its customers, or of everything but settings and keys`, async () => {
    assert.deepEqual((await say('POST /sites/clear_data?cleanup_scope=some')).errors, [
      'Cleanup scope: must be one of all, customers.',
    ])
    const whole = await countRows(shop)
    for (const blank of ['cleanup_scope=', 'cleanup_scope', 'cleanup_scope=%20', 'a=b&cleanup%5Fscope=']) {
      const refused = await say(`POST /sites/clear_data?${blank}`)
      assert.deepEqual(
        [refused.status, refused.errors],
        [422, ['Cleanup scope: must be one of all, customers.']],
        blank,
      )
    }
    assert.deepEqual(await countRows(shop), whole)
    await shop.moveClock('2027-06-01T00:00:00Z')
    const cleared = await say('POST /sites/clear_data?cleanup_scope=customers')
    assert.deepEqual([cleared.status, cleared.text], [200, ''])
    assert.deepEqual(await countRows(shop), { calls: 0, customers: 0, events: 0, products: 9, transactions: 0 })
    assert.match((await say('GET /test_clock')).tree.test_clock.now, /^2027-06-01T/)
    assert.equal((await say('POST /subscriptions', signup())).status, 201)

    assert.equal((await say('POST /sites/clear_data')).status, 200)
    assert.deepEqual(await countRows(shop), { calls: 0, customers: 0, events: 0, products: 0, transactions: 0 })
    assert.match((await say('GET /test_clock')).tree.test_clock.now, /^2027-01-15T12:00:00Z$/)
    assert.equal((await say('GET /site')).tree.site.time_zone, 'America/New_York')
    assert.equal((await say('POST /product_families', { product_family: { name: 'Almanacs' } })).status, 201)
  })
}

async function countRows({ app, siteId }: Shop): Promise<object> {
  const [row] = await app.db.rows<object>(sql`
    select (select count(*) from customers where site_id = ${siteId})::int as customers,
      (select count(*) from events where site_id = ${siteId})::int as events,
      (select count(*) from products where site_id = ${siteId})::int as products,
      (select count(*) from transactions where site_id = ${siteId})::int as transactions,
      (select count(*) from bogus_gateway.calls where site_id = ${siteId})::int as calls`)
  return { ...row }
}

test('a live site is not emptied, and no site is emptied by another', async (t) => {
  const shop = await openShop(t)
  const say = speaker(shop, 'json')
  const [live, beta] = await Promise.all(
    [true, false].map((isLive) =>
      createSite(shop.app, {
        subdomain: isLive ? 'live' : 'beta',
        live: isLive,
        timeZone: 'UTC',
        currency: 'USD',
        apiKey: undefined,
      }),
    ),
  )
  assert.equal((await say('POST /customers', { customer: ada }, { key: live!.apiKey })).status, 201)
  const refused = await say('POST /sites/clear_data', undefined, { key: live!.apiKey })
  assert.equal(refused.status, 403)
  assert.equal((await say('GET /customers', undefined, { key: live!.apiKey })).tree.length, 1)
  assert.equal((await say('POST /subscriptions', signup())).status, 201)
  assert.equal((await say('POST /sites/clear_data', undefined, { key: beta!.apiKey })).status, 200)
  assert.deepEqual(await countRows(shop), { calls: 2, customers: 1, events: 4, products: 9, transactions: 2 })
})

test('a site that is being written to is emptied all the same, and clearing twice with one key clears once', async (t) => {
  const shop = await openShop(t)
  const say = speaker(shop, 'json')
  const clear = () =>
    say('POST /sites/clear_data?cleanup_scope=customers', undefined, { headers: { 'Idempotency-Key': 'c' } })
  const signups = Array.from({ length: 12 }, () => say('POST /subscriptions', signup()))
  const [cleared] = await Promise.all([clear(), ...signups])
  assert.equal(cleared.status, 200)
  const { tree } = await say('POST /subscriptions', signup())
  assert.equal((await clear()).status, 200)
  assert.equal((await say(`GET /subscriptions/${tree.subscription.id}`)).status, 200)
})
