/** The portal as merchants see it: enabled, invited to, revoked, and its management link on every day that matters. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { keyKeptDays } from '../../src/billing/management-link.ts'
import { sql } from '../../src/store/sql.ts'
import { turnableClock } from '../support/turnable-clock.ts'
import { ada, grace, made, openedAt, openOtherSite, openShop, type Shop } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

const days = (count: number): string =>
  Temporal.Instant.from(openedAt)
    .add({ hours: 24 * count })
    .toString()
const tooMany = "Too many requests for this customer's management link"

const customerOf = async (shop: Shop, person: object = ada): Promise<number> =>
  (await made(shop, 'POST /customers.json', { customer: person })).customer.id

for (const format of formats) {
  describe(`the portal, in ${format}`, () => {
    test('is enabled once, with the three times on the customer', async (t) => {
      const shop = await openShop(t, { timeZone: 'America/New_York' })
      const say = speaker(shop, format)
      const id = await customerOf(shop)
      const enabled = await say(`POST /portal/customers/${id}/enable`)
      assert.equal(enabled.status, 200)
      const { portal_customer_created_at, portal_invite_last_sent_at, portal_invite_last_accepted_at } =
        enabled.tree.customer
      assert.equal(portal_customer_created_at, '2027-01-15T07:00:00-05:00')
      assert.deepEqual([portal_invite_last_sent_at, portal_invite_last_accepted_at], [null, null])
      assert.deepEqual((await say(`GET /customers/${id}`)).tree, enabled.tree)

      const again = await say(`POST /portal/customers/${id}/enable?auto_invite=1`)
      assert.equal(again.status, 422)
      const said = 'Portal is already enabled for this customer.'
      const bodies = {
        json: JSON.stringify({ errors: [said] }),
        xml: `<?xml version="1.0" encoding="UTF-8"?>\n<errors type="array"><error>${said}</error></errors>\n`,
      }
      assert.equal(again.text, bodies[format])
      assert.deepEqual((await say(`GET /customers/${id}`)).tree, enabled.tree, 'nothing was done')
    })

    test('is enabled with an invitation where one is asked for', async (t) => {
      const shop = await openShop(t)
      const say = speaker(shop, format)
      for (const [query, isInvited] of [
        ['?auto_invite=1', true],
        ['?auto_invite=true', true],
        ['?auto_invite=0', false],
        ['?auto_invite=', false],
      ] as const) {
        const { tree } = await say(`POST /portal/customers/${await customerOf(shop)}/enable${query}`)
        assert.equal(tree.customer.portal_invite_last_sent_at, isInvited ? '2027-01-15T12:00:00+00:00' : null, query)
        assert.equal(tree.customer.portal_customer_created_at, '2027-01-15T12:00:00+00:00')
      }
      const id = await customerOf(shop)
      const wrong = await say(`POST /portal/customers/${id}/enable?auto_invite=perhaps`)
      assert.equal(wrong.status, 422)
      assert.deepEqual(wrong.errors, ['Auto invite: must be true or false.'])
      assert.equal((await say(`GET /customers/${id}`)).tree.customer.portal_customer_created_at, null)
    })

    test('invites, again and again up to five times in half an hour, and closes', async (t) => {
      const clock = turnableClock(openedAt)
      const shop = await openShop(t, { clock })
      const say = speaker(shop, format)
      const id = await customerOf(shop)
      const invite = () => say(`POST /portal/customers/${id}/invitations/invite`)
      const notEnabled = ['Billing Portal is not enabled for this customer.']
      assert.deepEqual((await invite()).errors, notEnabled)
      for (const person of [ada, grace]) await say(`POST /portal/customers/${await customerOf(shop, person)}/enable`)
      await say(`POST /portal/customers/${id}/enable`)
      for (let minute = 0; minute < 5; minute++) {
        const invited = await invite()
        assert.equal(invited.status, 200, invited.text)
        assert.deepEqual(invited.tree.invitation ?? invited.tree, {
          last_sent_at: `2027-01-15T12:0${minute}:00Z`,
          last_accepted_at: 'Not Accepted',
          send_invite_link_text: 'Resend Invite',
          uninvited_count: 2,
        })
        clock.turn(1)
      }
      const sixth = await invite()
      assert.equal(sixth.status, 422)
      assert.deepEqual(sixth.errors, [
        'Too many requests for this customer. You can perform 5 requests within 00:30:00.',
      ])
      clock.turn(25)
      assert.equal((await invite()).status, 200, 'half an hour after the first')

      const { url } = linkIn(await say(`GET /portal/customers/${id}/management_link`))
      assert.match(url, /^https:/)
      const revoked = await say(`DELETE /portal/customers/${id}/invitations/revoke`)
      assert.equal(revoked.status, 200)
      assert.deepEqual(revoked.tree.invitation ?? revoked.tree, {
        last_sent_at: 'Not Invited',
        last_accepted_at: 'Invite Revoked',
        uninvited_count: 2,
      })
      const { customer } = (await say(`GET /customers/${id}`)).tree
      assert.deepEqual([customer.portal_customer_created_at, customer.portal_invite_last_sent_at], [null, null])
      assert.deepEqual((await say(`DELETE /portal/customers/${id}/invitations/revoke`)).errors, notEnabled)
      assert.deepEqual((await say(`GET /portal/customers/${id}/management_link`)).errors, notEnabled)
    })

    test('gives one link fifteen times, and refuses the sixteenth fetch', async (t) => {
      const shop = await openShop(t)
      const say = speaker(shop, format)
      const id = await customerOf(shop)
      const refused = await say(`GET /portal/customers/${id}/management_link`)
      assert.equal(refused.status, 422)
      assert.deepEqual(refused.errors, ['Billing Portal is not enabled for this customer.'])
      await say(`POST /portal/customers/${id}/enable`)
      const first = linkIn(await say(`GET /portal/customers/${id}/management_link`))
      const { url, ...rest } = first
      assert.deepEqual(rest, {
        fetch_count: 1,
        created_at: '2027-01-15T12:00:00Z',
        new_link_available_at: '2027-01-30T12:00:00Z',
        expires_at: '2027-03-21T12:00:00Z',
      })
      assert.match(
        url,
        new RegExp(`^https://localhost:${shop.port}/manage/${id}/${Date.parse(openedAt) / 1000}/[0-9a-f]{33,}$`),
      )
      for (let fetch = 2; fetch <= 15; fetch++) {
        const looked = await say(`HEAD /portal/customers/${id}/management_link`)
        assert.deepEqual([looked.status, looked.text], [200, ''], 'a look at it is no fetch')
        const link = linkIn(await say(`GET /portal/customers/${id}/management_link`))
        assert.deepEqual(link, { ...first, fetch_count: fetch })
      }
      const sixteenth = await say(`GET /portal/customers/${id}/management_link`)
      assert.equal(sixteenth.status, 429)
      const bodies = {
        json: JSON.stringify({ errors: { error: tooMany } }),
        xml: `<?xml version="1.0" encoding="UTF-8"?>\n<errors><error>${tooMany}</error></errors>\n`,
      }
      assert.equal(sixteenth.text, bodies[format])
      assert.equal((await say(`HEAD /portal/customers/${id}/management_link`)).status, 429)
      await shop.moveClock(days(14))
      assert.equal((await say(`GET /portal/customers/${id}/management_link`)).status, 429, 'on day 14 still')
      await shop.moveClock(days(15))
      const renewed = linkIn(await say(`GET /portal/customers/${id}/management_link`))
      assert.equal(Number(renewed.fetch_count), 1)
      assert.notEqual(renewed.url, url)
      assert.equal(renewed.created_at, '2027-01-30T12:00:00Z')
    })

    test('tells what the documented link tells: created on 5 November, new on the 20th, over on 9 January', async (t) => {
      const now = Temporal.Instant.from('2013-11-05T00:00:00Z')
      const shop = await openShop(t, { clock: { now: () => now } })
      const say = speaker(shop, format)
      const id = await customerOf(shop)
      await say(`POST /portal/customers/${id}/enable`)
      const link = linkIn(await say(`GET /portal/customers/${id}/management_link`))
      assert.deepEqual(
        [link.created_at, link.new_link_available_at, link.expires_at],
        ['2013-11-05T00:00:00Z', '2013-11-20T00:00:00Z', '2014-01-09T00:00:00Z'],
      )
    })
  })

  test(`customers of other sites, deleted and unknown ones are not found, in ${format}`, async (t) => {
    const shop = await openShop(t)
    const say = speaker(shop, format)
    const id = await customerOf(shop)
    await say(`POST /portal/customers/${id}/enable`)
    const gone = await customerOf(shop, grace)
    await say(`DELETE /customers/${gone}`)
    const { apiKey } = await openOtherSite(shop)
    for (const [who, key] of [
      [id, apiKey],
      [gone, shop.apiKey],
      [1, shop.apiKey],
      ['x', shop.apiKey],
    ] as const) {
      for (const line of [
        `POST /portal/customers/${who}/enable`,
        `GET /portal/customers/${who}/management_link`,
        `POST /portal/customers/${who}/invitations/invite`,
        `DELETE /portal/customers/${who}/invitations/revoke`,
      ]) {
        assert.equal((await say(line, undefined, { key })).status, 404, `${line} of ${who}`)
      }
    }
    assert.equal((await say(`POST /portal/customers/${id}/enable`, undefined, { key: null })).status, 401)
  })
}

const linkIn = ({ status, text, tree }: { status: number; text: string; tree: ReturnType<typeof JSON.parse> }) => {
  assert.equal(status, 200, text)
  return tree.management_link ?? tree
}

test('a link leads to where the service was asked, unless the operator or the site says where customers reach it', async (t) => {
  const shop = await openShop(t)
  const linkOf = async (person: object): Promise<string> => {
    const id = await customerOf(shop, person)
    await shop.ask(`POST /portal/customers/${id}/enable.json`)
    const { json } = await shop.ask(`GET /portal/customers/${id}/management_link.json`)
    return new URL(json.url).origin
  }
  const asked = await linkOf(ada)
  assert.match(asked, /^https:\/\/(localhost|127\.0\.0\.1|acme\.localhost)/)
  shop.app.publicUrl = 'https://pay.example.com:444'
  assert.equal(await linkOf({ ...ada, reference: 'second' }), 'https://pay.example.com:444')
  await shop.ask('PUT /portal/settings.json', {
    body: { portal_settings: { base_url: 'https://of-the-site.example' } },
  })
  assert.equal(await linkOf({ ...ada, reference: 'third' }), 'https://of-the-site.example')
})

test('parallel fetches of a link count one by one', async (t) => {
  const shop = await openShop(t)
  const id = await customerOf(shop)
  await shop.ask(`POST /portal/customers/${id}/enable.json`)
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => shop.ask(`GET /portal/customers/${id}/management_link.json`)),
  )
  const given = replies.filter(({ status }) => status === 200).map(({ json }) => json)
  assert.deepEqual(
    given.map((link) => link.fetch_count).sort((a, b) => a - b),
    Array.from({ length: 15 }, (_, i) => i + 1),
  )
  assert.equal(new Set(given.map((link) => link.url)).size, 1)
  assert.equal(replies.filter(({ status }) => status === 429).length, 5)
})

test('keys of links rotate, are kept sealed, and are forgotten once nothing that they signed is good', async (t) => {
  const { forgetExpired } = await import('../../src/actions/forget-expired.ts')
  const shop = await openShop(t)
  const id = await customerOf(shop)
  await shop.ask(`POST /portal/customers/${id}/enable.json`)
  const keyIds: string[] = []
  for (const day of [0, 15, 29, 30, 45]) {
    if (day > 0) await shop.moveClock(days(day))
    const { url } = (await shop.ask(`GET /portal/customers/${id}/management_link.json`)).json
    keyIds.push(url.split('/').at(-1).slice(32))
  }
  assert.equal(keyIds[0], keyIds[2])
  assert.notEqual(keyIds[2], keyIds[3])
  assert.equal(keyIds[3], keyIds[4])
  const keysOf = () =>
    shop.app.db.arrays(sql`select sealed_key from link_keys where site_id = ${shop.siteId} order by id`)
  const kept = await keysOf()
  assert.equal(kept.length, 2)
  for (const [sealed] of kept) assert.match(String(sealed), /^v1\./)
  await shop.moveClock(days(keyKeptDays))
  await forgetExpired(shop.app)
  assert.equal((await keysOf()).length, 2, 'on its last day')
  await shop.moveClock(days(keyKeptDays + 1))
  await forgetExpired(shop.app)
  assert.deepEqual(await keysOf(), kept.slice(1))
})

test('clearing a site and deleting a customer take links along', async (t) => {
  const shop = await openShop(t)
  const rows = async () =>
    (
      await shop.app.db.arrays(sql`
        select (select count(*) from management_links where site_id = ${shop.siteId}),
          (select count(*) from link_keys where site_id = ${shop.siteId})`)
    )[0]
  const ids = [await customerOf(shop), await customerOf(shop, grace)]
  for (const id of ids) {
    await shop.ask(`POST /portal/customers/${id}/enable.json`)
    await shop.ask(`GET /portal/customers/${id}/management_link.json`)
  }
  assert.deepEqual(await rows(), [2, 1])
  await shop.ask(`DELETE /customers/${ids[0]}.json`)
  assert.deepEqual(await rows(), [1, 1])
  assert.equal((await shop.ask('POST /sites/clear_data.json?cleanup_scope=customers')).status, 200)
  assert.deepEqual(await rows(), [0, 1])
  assert.equal((await shop.ask('POST /sites/clear_data.json')).status, 200)
  assert.deepEqual(await rows(), [0, 0])
})
