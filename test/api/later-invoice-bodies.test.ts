/** The bodies of invoices in the later form, in JSON and in XML, as they are on file. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Reply } from '../support/test-app.ts'
import { assertGolden } from './golden.ts'
import { ada, made, openShop, type Shop, signup } from './shop.ts'
import { formats } from './two-formats.ts'

type Tree = Reply['json']

const open = async (): Promise<Shop> => {
  const shop = await openShop()
  const body = { site: { relationship_invoicing_enabled: true } }
  assert.equal((await shop.ask('PUT /site.json', { body })).json.site.relationship_invoicing_enabled, true)
  return shop
}
const remitting = { product_handle: 'card-optional', customer_attributes: ada, payment_collection_method: 'remittance' }
const buy = async (shop: Shop, changes: object): Promise<Tree> =>
  (await made(shop, 'POST /subscriptions.json', signup(changes))).subscription
const sendsInvoices = { ...remitting, payment_profile_attributes: undefined }

/** Names that are made of ids say no more than those. */
const withoutUids = (text: string): string =>
  text
    .replaceAll(/\b([a-z]{2,3}_[is]?|S)500\d{3}\b/g, '$1500001')
    .replaceAll(/\b1000\d{3}\b/g, '1000003')
    .replaceAll(/\b500\d{5}\b/g, '50000100')

for (const format of formats) {
  test(`golden bodies in ${format}: of a card, of remittance, a list and what happened`, async () => {
    const own = await open()
    await made(own, 'POST /taxes.json', { tax: { name: 'VAT', rate: '20', country: 'FR' } })
    await made(own, 'POST /coupons.json', {
      coupon: { name: 'Tenth', code: 'TENTH', percentage: '10', product_family_id: own.familyId },
    })
    const lives = { country: 'FR', city: 'Lyon', address: '3 Quai' }
    const { id } = await buy(own, {
      product_handle: 'with-setup-fee',
      coupon_code: 'TENTH',
      customer_attributes: { ...ada, ...lives },
    })
    await made(own, `POST /subscriptions/${id}/charges.json`, {
      charge: { amount: '6.00', memo: 'Atlas', taxable: true },
    })
    await buy(own, sendsInvoices)
    const text = async (path: string) => withoutUids((await own.ask(`GET /invoices${path}`)).text)
    const all = (await own.ask('GET /invoices.json')).json.invoices
    const uidOf = (status: string) => all.find((one: Tree) => one.status === status).uid
    assertGolden(`later-invoice.${format}`, await text(`/${uidOf('paid')}.${format}`))
    assertGolden(`later-invoice-remittance.${format}`, await text(`/${uidOf('open')}.${format}`))
    assertGolden(`later-invoices.${format}`, await text(`.${format}`))
    assertGolden(`later-invoice-events.${format}`, await text(`/events.${format}?invoice_uid=${uidOf('pending')}`))
  })
}
