/** A change whose body lacks its root element is refused as a creation is: nobody takes a change for done that was never read. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { made, openShop, signup } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

const shop = await openShop()
const { subscription } = await made(shop, 'POST /subscriptions.json', signup())
const { coupon } = await made(shop, `POST /product_families/${shop.familyId}/coupons.json`, {
  coupon: { name: 'Spring', code: 'SPRING', percentage: 10 },
})
const { note } = await made(shop, `POST /subscriptions/${subscription.id}/notes.json`, { note: { body: 'Called' } })
const { reason_code } = await made(shop, 'POST /reason_codes.json', {
  reason_code: { code: 'PRICE', description: 'Too dear' },
})
const { tax } = await made(shop, 'POST /taxes.json', { tax: { name: 'VAT', rate: '20', country: 'DE' } })
const { endpoint } = await made(shop, 'POST /endpoints.json', { endpoint: { url: 'https://example.com/hook' } })

const changes: readonly [path: string, label: string][] = [
  [`/subscriptions/${subscription.id}`, 'Subscription'],
  [`/customers/${subscription.customer.id}`, 'Customer'],
  [`/payment_profiles/${subscription.credit_card.id}`, 'Payment profile'],
  [`/products/${subscription.product.id}`, 'Product'],
  [`/product_families/${shop.familyId}/coupons/${coupon.id}`, 'Coupon'],
  [`/subscriptions/${subscription.id}/notes/${note.id}`, 'Note'],
  [`/reason_codes/${reason_code.id}`, 'Reason code'],
  [`/taxes/${tax.id}`, 'Tax'],
  [`/endpoints/${endpoint.id}`, 'Endpoint'],
  ['/site', 'Site'],
  ['/portal/settings', 'Portal settings'],
  ['/letters/settings', 'Letter settings'],
]

for (const format of formats) {
  const say = speaker(shop, format)
  describe(`in ${format}`, () => {
    for (const [path, label] of changes) {
      test(`PUT ${path.replaceAll(/\d+/g, '<id>')}`, async () => {
        const refused = [422, [`${label}: cannot be blank.`]]
        for (const body of [undefined, { something_else: { name: 'New' } }, { name: 'New' }]) {
          const said = await say(`PUT ${path}`, body)
          assert.deepEqual([said.status, said.errors], refused, JSON.stringify(body))
        }
      })
    }
  })
}
