/** Letters as the merchant sees them: what was sent, and which kinds a site sends. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sendLetters } from '../../src/actions/send-letters.ts'
import { keepingPost, office, subscribe } from '../support/post-office.ts'
import { openOtherSite, openShop } from './shop.ts'
import { speaker } from './two-formats.ts'

for (const format of ['json', 'xml'] as const) {
  describe(`letters in ${format}`, () => {
    test('are listed newest first, read one by one, and are those of the site alone', async (t) => {
      const shop = await openShop(t)
      const { id } = await subscribe(shop)
      await shop.ask(`DELETE /subscriptions/${id}.json`)
      const say = speaker(shop, format)
      const { tree } = await say('GET /letters')
      const listed = (tree.letters ?? tree).map((item: { letter?: object }) => item.letter ?? item)
      assert.deepEqual(
        listed.map(({ kind }: { kind: string }) => kind),
        ['cancellation', 'receipt'],
      )
      const one = await say(`GET /letters/${listed[0].id}`)
      assert.deepEqual(one.tree.letter, listed[0])
      assert.equal((await say('GET /letters/1')).status, 404)
      const wrong = await say('GET /letters?kinds=nonsense')
      assert.equal(wrong.status, 422)
      const { apiKey } = await openOtherSite(shop)
      assert.equal((await shop.ask(`GET /letters/${listed[0].id}.${format}`, { key: apiKey })).status, 404)
      assert.deepEqual((await shop.ask('GET /letters.json', { key: apiKey })).json, [])
    })

    test('are switched on and off one kind at a time, from whom the site says', async (t) => {
      const shop = await openShop(t)
      const say = speaker(shop, format)
      const changed = await say('PUT /letters/settings', {
        letter_settings: {
          receipt: false,
          from_name: 'Acme Billing',
          from_email: 'pay@acme.example',
          reply_to: '',
          merchant_email: 'ops@acme.example',
        },
      })
      assert.equal(changed.status, 200, changed.text)
      const { letter_settings: settings } = (await say('GET /letters/settings')).tree
      assert.deepEqual(settings, {
        invitation: true,
        receipt: false,
        payment_failed: true,
        card_expiring: true,
        trial_ending: true,
        upcoming_renewal: true,
        cancellation: true,
        webhook_endpoint_failing: true,
        webhook_endpoint_recovered: true,
        subscription_parked: true,
        gateway_failing: true,
        gateway_recovered: true,
        late_payment_recorded: true,
        late_payment_given_back: true,
        payment_unresolved: true,
        from_name: 'Acme Billing',
        from_email: 'pay@acme.example',
        reply_to: null,
        merchant_email: 'ops@acme.example',
      })
      const wrong = await say('PUT /letters/settings', {
        letter_settings: { receipt: 'sometimes', from_email: 'nobody', merchant_email: 'x' },
      })
      assert.equal(wrong.status, 422)
      assert.deepEqual(wrong.errors, [
        'Receipt: must be true or false.',
        'From email: must be a valid email format.',
        'Merchant email: must be a valid email format.',
      ])
      const { id } = await subscribe(shop)
      await shop.ask(`DELETE /subscriptions/${id}.json`)
      const post = keepingPost()
      await sendLetters(shop.app, office(post))
      assert.deepEqual(post.mails[0]!.from, { name: 'Acme Billing', address: 'pay@acme.example' })
    })
  })
}
