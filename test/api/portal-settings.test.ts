/** What a site lets its customers do in the portal, and how the portal looks, in JSON and in XML. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ada, made, openShop } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

for (const format of formats) {
  test(`portal settings are read and changed, in ${format}`, async (t) => {
    const shop = await openShop(t)
    const say = speaker(shop, format)
    const before = (await say('GET /portal/settings')).tree.portal_settings
    assert.deepEqual([before.may_change_card, before.may_cancel_at_once], [true, false])
    const change = {
      may_cancel_at_once: true,
      product_change: 'now',
      accent_color: '#AA3300',
      logo_text: 'Almanacs & Co',
      terms: 'Be kind.',
      base_url: 'https://billing.example.com/',
    }
    const changed = await say('PUT /portal/settings', { portal_settings: change })
    assert.equal(changed.status, 200, changed.text)
    const after = changed.tree.portal_settings
    assert.deepEqual(after, {
      ...before,
      ...change,
      accent_color: '#aa3300',
      base_url: 'https://billing.example.com',
    })
    assert.deepEqual((await say('GET /portal/settings')).tree, changed.tree)
  })

  test(`a link begins with the address that the site has set, in ${format}`, async (t) => {
    const shop = await openShop(t)
    const say = speaker(shop, format)
    await say('PUT /portal/settings', { portal_settings: { base_url: 'https://billing.example.com' } })
    const { id } = (await made(shop, 'POST /customers.json', { customer: ada })).customer
    await say(`POST /portal/customers/${id}/enable`)
    const { tree } = await say(`GET /portal/customers/${id}/management_link`)
    assert.match((tree.management_link ?? tree).url, /^https:\/\/billing\.example\.com\/manage\//)
  })

  test(`portal settings are refused with a sentence for each, and nothing is half done, in ${format}`, async (t) => {
    const shop = await openShop(t)
    const say = speaker(shop, format)
    const before = (await say('GET /portal/settings')).tree
    const wrong = await say('PUT /portal/settings', {
      portal_settings: {
        may_pay: 'maybe',
        may_change_card: null,
        product_change: 'later',
        accent_color: 'red',
        logo_text: 'x'.repeat(61),
        support_email: 'nobody',
        base_url: 'javascript:alert(1)',
      },
    })
    assert.equal(wrong.status, 422)
    assert.deepEqual(wrong.errors, [
      'May change card: cannot be blank.',
      'Product change: must be one of at_renewal, now.',
      'May pay: must be true or false.',
      'Logo text: is too long (maximum is 60 characters).',
      'Support email: must be a valid email format.',
    ])
    for (const portal_settings of [
      { accent_color: 'red' },
      { base_url: 'http://a.example' },
      { base_url: 'https://a.example/x' },
    ]) {
      assert.equal(
        (await say('PUT /portal/settings', { portal_settings })).status,
        422,
        JSON.stringify(portal_settings),
      )
    }
    assert.deepEqual((await say('GET /portal/settings')).tree, before)
  })
}
