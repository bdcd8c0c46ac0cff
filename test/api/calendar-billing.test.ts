/** Calendar billing over the wire: what is taken, what is shown, and what is refused. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verify } from '../../src/actions/verify.ts'
import { countLeftovers, made, openShop, signup } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

const shop = await openShop()

for (const format of formats) {
  const say = speaker(shop, format)

  test(`a sign-up on the last day of the month in ${format} shows its snap day and ends at noon then`, async () => {
    const { status, tree } = await say('POST /subscriptions', signup({ calendar_billing: { snap_day: 'end' } }))
    assert.equal(status, 201)
    const { snap_day, current_period_ends_at, next_assessment_at, signup_revenue } = tree.subscription
    assert.equal(snap_day, 'end')
    assert.equal(current_period_ends_at, '2027-01-31T12:00:00+00:00')
    assert.equal(next_assessment_at, current_period_ends_at)
    // 16 of 31 days of 50.00.
    assert.equal(signup_revenue, '25.81')
  })

  test(`a delayed first charge in ${format} takes nothing before the day, and the whole price then`, async () => {
    const calendar_billing = { snap_day: 20, calendar_billing_first_charge: 'delayed' }
    const { tree } = await say('POST /subscriptions', signup({ calendar_billing }))
    const { id, snap_day, signup_revenue, signup_payment_id } = tree.subscription
    assert.deepEqual([snap_day, signup_revenue, signup_payment_id], ['20', '0.00', 0])
    const { json } = await shop.ask(`POST /subscriptions/${id}/renewals/preview.json`)
    assert.equal(json.renewal_preview.total_in_cents, 5000)
    assert.equal(json.renewal_preview.next_assessment_at, '2027-01-20T12:00:00+00:00')
  })

  test(`refusals of calendar billing in ${format} name the field, and write nothing`, async () => {
    const range = "Snap day: must be a day from 1 to 28, or 'end'."
    const unfit = 'Calendar billing: the product must renew every month, without a trial and without an expiration.'
    const refused: [object, string][] = [
      [{ calendar_billing: { snap_day: 0 } }, range],
      [{ calendar_billing: { snap_day: 29 } }, range],
      [{ calendar_billing: { snap_day: -1 } }, range],
      [{ calendar_billing: { snap_day: 'last' } }, range],
      [{ calendar_billing: { snap_day: 'x'.repeat(9) } }, 'Snap day: is too long (maximum is 8 characters).'],
      [{ calendar_billing: { calendar_billing_first_charge: 'delayed' } }, 'Snap day: cannot be blank.'],
      [
        { calendar_billing: { snap_day: 5, calendar_billing_first_charge: 'later' } },
        'Calendar billing first charge: must be one of prorated, immediate, delayed.',
      ],
      [{ calendar_billing: 'monthly' }, 'Calendar billing: must be an object.'],
      [{ calendar_billing: { snap_day: 5 }, product_handle: 'card-trial' }, unfit],
      [{ calendar_billing: { snap_day: 5 }, product_handle: 'expiring' }, unfit],
      [
        { calendar_billing: { snap_day: 5 }, next_billing_at: '2027-03-01' },
        'Calendar billing: does not go with next_billing_at.',
      ],
    ]
    const leftovers = await countLeftovers(shop)
    for (const [changes, message] of refused) {
      const { status, errors } = await say('POST /subscriptions', signup(changes))
      assert.deepEqual([status, errors], [422, [message]], JSON.stringify(changes))
    }
    assert.deepEqual(await countLeftovers(shop), leftovers)
  })

  test(`an update in ${format} moves the snap day; sent back as it is it changes nothing`, async () => {
    const { subscription } = await made(
      shop,
      'POST /subscriptions.json',
      signup({ calendar_billing: { snap_day: '20', calendar_billing_first_charge: 'immediate' } }),
    )
    const put = (changes: object) => say(`PUT /subscriptions/${subscription.id}`, { subscription: changes })
    const same = await put({ snap_day: subscription.snap_day, calendar_billing: null })
    assert.equal(same.tree.subscription.updated_at, subscription.updated_at)
    const moved = await put({ snap_day: 'end' })
    assert.equal(moved.tree.subscription.snap_day, 'end')
    assert.equal(moved.tree.subscription.current_period_ends_at, '2027-01-31T12:00:00+00:00')
    const back = await put({ calendar_billing: { snap_day: 18 } })
    assert.equal(back.tree.subscription.next_assessment_at, '2027-01-18T12:00:00+00:00')
    assert.deepEqual((await put({ snap_day: '30' })).errors, ["Snap day: must be a day from 1 to 28, or 'end'."])
    const plain = await made(shop, 'POST /subscriptions.json', signup())
    const refused = await say(`PUT /subscriptions/${plain.subscription.id}`, { subscription: { snap_day: 5 } })
    assert.deepEqual(refused.errors, ['Snap day: goes with calendar billing only.'])
    assert.equal(plain.subscription.snap_day, null)
  })

  test(`a snap day that moves in ${format} moves the renewal, its preview and all that come after it, at no charge`, async () => {
    const { subscription } = await made(
      shop,
      'POST /subscriptions.json',
      signup({ calendar_billing: { snap_day: 20 } }),
    )
    const { id } = subscription
    const rows = async () => (await say(`GET /subscriptions/${id}/transactions`)).tree.length
    const before = await rows()
    for (const [sent, shown, ends, after] of [
      [28, '28', '2027-01-28', '2027-02-28'],
      [' END ', 'end', '2027-01-31', '2027-02-28'],
      // The tenth of January is over.
      ['10', '10', '2027-02-10', '2027-03-10'],
    ] as const) {
      const { status, tree } = await say(`PUT /subscriptions/${id}`, { subscription: { snap_day: sent } })
      const { snap_day, current_period_ends_at, next_assessment_at } = tree.subscription
      const at = `${ends}T12:00:00+00:00`
      assert.deepEqual([status, snap_day, current_period_ends_at, next_assessment_at], [200, shown, at, at])
      const { tree: preview } = await say(`POST /subscriptions/${id}/renewals/preview`)
      assert.equal(preview.renewal_preview.next_assessment_at, at)
      assert.equal(preview.renewal_preview.total_in_cents, 5000)
      const [, month, day] = after.split('-')
      assert.match(preview.renewal_preview.line_items[0].memo, new RegExp(`- ${month}/${day}/2027`))
    }
    assert.equal(await rows(), before)
  })

  test(`a sign-up in ${format} is rehearsed with its snap day`, async () => {
    const { tree } = await say('POST /subscriptions/preview', signup({ calendar_billing: { snap_day: 20 } }))
    const { current_billing_manifest: now, next_billing_manifest: next } = tree.subscription_preview
    assert.equal(now.end_date, '2027-01-20T12:00:00Z')
    // 5 of 31 days of 50.00.
    assert.deepEqual([now.total_in_cents, next.total_in_cents], [806, 5000])
    assert.equal(next.end_date, '2027-02-20T12:00:00Z')
  })

  test(`an update in ${format} refuses a snap day that is none, and one where no period goes on`, async () => {
    const { subscription } = await made(
      shop,
      'POST /subscriptions.json',
      signup({ calendar_billing: { snap_day: 20 } }),
    )
    const put = (changes: object) => say(`PUT /subscriptions/${subscription.id}`, { subscription: changes })
    const range = "Snap day: must be a day from 1 to 28, or 'end'."
    for (const snap_day of [0, -1, 29, 31, 1.5, '02', 'last', true]) {
      const { status, errors } = await put({ snap_day })
      assert.deepEqual([status, errors], [422, [range]], String(snap_day))
    }
    assert.deepEqual((await put({ snap_day: { day: 1 } })).errors, ['Snap day: must be a string.'])
    const both = await put({ snap_day: 5, next_billing_at: '2027-03-03' })
    assert.deepEqual(both.errors, ['Snap day: does not go with next_billing_at.'])
    const blank = await put({ snap_day: null, calendar_billing: { snap_day: '' } })
    assert.equal(blank.tree.subscription.updated_at, subscription.updated_at)
    await say(`DELETE /subscriptions/${subscription.id}`)
    const over = 'Snap day: cannot be changed on a subscription that is canceled.'
    assert.deepEqual((await put({ snap_day: 5 })).errors, [over])
    assert.equal((await put({ snap_day: 20 })).status, 200)
  })

  test(`a whole subscription that is sent back in ${format} with another product keeps or loses calendar billing by that`, async () => {
    const handle = `yearly-${format}`
    await made(shop, `POST /product_families/${shop.familyId}/products.json`, {
      product: { name: handle, handle, price_in_cents: 50_000, interval: 12, interval_unit: 'month' },
    })
    const { subscription } = await made(
      shop,
      'POST /subscriptions.json',
      signup({ calendar_billing: { snap_day: 20 } }),
    )
    const put = (changes: object) => say(`PUT /subscriptions/${subscription.id}`, { subscription: changes })
    const kept = await put({ snap_day: '20', product_handle: 'with-setup-fee' })
    assert.deepEqual([kept.status, kept.tree.subscription.snap_day], [200, '20'])
    const lost = await put({ snap_day: '20', product_handle: handle })
    assert.deepEqual([lost.status, lost.tree.subscription.snap_day], [200, null])
  })
}

test('through months of renewals, holds and product changes the audit finds no difference', async () => {
  const held = await made(shop, 'POST /subscriptions.json', signup({ calendar_billing: { snap_day: '18' } }))
  await shop.moveClock('2027-03-01T00:00:00Z')
  const id = held.subscription.id
  assert.equal((await shop.ask(`POST /subscriptions/${id}/hold.json`)).status, 200)
  await shop.moveClock('2027-04-01T00:00:00Z')
  const resumed = (await shop.ask(`POST /subscriptions/${id}/resume.json`)).json.subscription
  assert.deepEqual(
    [resumed.state, resumed.snap_day, resumed.current_period_ends_at],
    ['active', '18', '2027-04-18T12:00:00+00:00'],
  )
  await shop.moveClock('2027-06-01T00:00:00Z')
  const { text, differences } = await verify(shop.app)
  assert.equal(differences, 0, text)
})
