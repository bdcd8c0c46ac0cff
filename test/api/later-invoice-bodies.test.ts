/** The bodies of invoices in the later form, in JSON and in XML, as they are on file. */
import { test } from 'node:test'
import { assertGolden } from './golden.ts'
import { buy, openLaterShop, sendsInvoices, type Tree } from './later-invoice-shop.ts'
import { ada, made } from './shop.ts'
import { formats } from './two-formats.ts'

/** Names that are made of ids say no more than those. */
const withoutUids = (text: string): string =>
  text
    .replaceAll(/\b([a-z]{2,3}_[is]?|S)500\d{3}\b/g, '$1500001')
    .replaceAll(/\b1000\d{3}\b/g, '1000003')
    .replaceAll(/\b500\d{5}\b/g, '50000100')

for (const format of formats) {
  test(`golden bodies in ${format}: of a card, of remittance, a list and what happened`, async () => {
    const own = await openLaterShop()
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
