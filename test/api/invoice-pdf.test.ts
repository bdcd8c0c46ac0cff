/** An invoice as pages: what was sold, discounted, taxed and paid, as it was when it was made. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readAttachments, readPages } from '../support/pdf-text.ts'
import type { Reply } from '../support/test-app.ts'
import { made, openOtherSite, openShop, signup } from './shop.ts'

const shop = await openShop()
const pdf = 'application/pdf'

await made(shop, 'POST /taxes.json', { tax: { name: 'State Tax', rate: '6.25', country: 'US', state: 'MA' } })
await made(shop, 'POST /coupons.json', {
  coupon: { name: 'Welcome', code: 'WELCOME', percentage: '10', product_family_id: shop.familyId },
})

await made(shop, `POST /product_families/${shop.familyId}/products.json`, {
  product: {
    name: 'Almanac',
    handle: 'taxed',
    price_in_cents: 5000,
    interval: 1,
    interval_unit: 'month',
    taxable: true,
  },
})

const place = { address: '1 Long Street', city: 'Boston', state: 'MA', zip: '02120', country: 'US' }
const customer = {
  first_name: 'Ada',
  last_name: 'Byron',
  email: 'ada@example.com',
  organization: '解析機関株式会社',
  ...place,
}
const { subscription } = await made(
  shop,
  'POST /subscriptions.json',
  signup({
    product_handle: 'taxed',
    customer_attributes: customer,
    payment_profile_attributes: undefined,
    payment_collection_method: 'invoice',
    coupon_code: 'WELCOME',
  }),
)
const [{ invoice } = { invoice: undefined }] = (await shop.ask('GET /invoices.json')).json
assert.ok(invoice, 'a sign-up that is billed by invoice has one')

const linesOf = (reply: Reply): string[] => {
  assert.equal(reply.status, 200, reply.text)
  assert.equal(reply.headers['content-type'], pdf)
  return readPages(reply.bytes).flatMap(({ lines }) => lines)
}
const read = async (path = `/invoices/${invoice.id}.pdf`): Promise<string[]> => linesOf(await shop.ask(`GET ${path}`))

describe('GET /invoices/<id>.pdf', () => {
  test('200 with number, customer, period, discount, tax and what is due', async () => {
    const lines = await read()
    for (const part of [
      invoice.number,
      '解析機関株式会社',
      'Ada Byron',
      'Boston, MA 02120',
      'Jan 15, 2027 – Feb 15, 2027',
      '$50.00',
    ]) {
      assert.ok(
        lines.some((line) => line.includes(part)),
        `${part} in\n${lines.join('\n')}`,
      )
    }
    assert.ok(lines.includes('Almanac | $50.00'), lines.join('\n'))
    assert.ok(lines.includes('Subtotal | $50.00'))
    assert.ok(lines.some((line) => line.endsWith('− | $5.00')))
    assert.ok(lines.includes('State Tax (6.25 %) | $2.81'))
    assert.ok(lines.includes('Total | $47.81'))
    assert.ok(lines.includes('Amount due | $47.81'))
  })

  test('the same bytes by suffix, Accept and Content-Type; JSON and XML as ever', async () => {
    const bySuffix = await shop.ask(`GET /invoices/${invoice.id}.pdf`)
    for (const headers of [{ Accept: pdf }, { 'Content-Type': pdf }]) {
      const reply = await shop.ask(`GET /invoices/${invoice.id}`, { headers })
      assert.ok(bySuffix.bytes.equals(reply.bytes))
    }
    assert.equal((await shop.ask(`GET /invoices/${invoice.id}.json`)).json.invoice.id, invoice.id)
    assert.match((await shop.ask(`GET /invoices/${invoice.id}.xml`)).text, /^<\?xml/)
  })

  test('404 for one that does not exist and for one of another site; 406 for the list', async () => {
    const { apiKey } = await openOtherSite(shop)
    assert.equal((await shop.ask('GET /invoices/1.pdf')).status, 404)
    assert.equal((await shop.ask(`GET /invoices/${invoice.id}.pdf`, { key: apiKey })).status, 404)
    assert.equal((await shop.ask('GET /invoices.pdf')).status, 406)
  })

  test('a partial payment lowers what is due and is shown; the last one stamps it paid', async () => {
    const pay = (amount: string) =>
      made(shop, `POST /invoices/${invoice.id}/payments.json`, { payment: { amount, memo: 'Check 1001' } })
    await pay('20.00')
    const partial = await read()
    assert.ok(partial.includes('Check 1001, Jan 15, 2027 | − | $20.00'), partial.join('\n'))
    assert.ok(partial.includes('Amount due | $27.81'))
    await pay('27.81')
    const paid = await read()
    assert.ok(paid.includes('PAID'))
    assert.ok(paid.includes('Amount due | $0.00'))
  })

  test('it is a snapshot: another name, address and price later leave its pages alone', async () => {
    const before = await shop.ask(`GET /invoices/${invoice.id}.pdf`)
    const changed = { customer: { first_name: 'Grace', organization: 'Elsewhere', city: 'Paris', country: 'FR' } }
    assert.equal(
      (await shop.ask(`PUT /customers/${subscription.customer.id}.json`, { method: 'PUT', body: changed })).status,
      200,
    )
    assert.equal((await shop.ask('PUT /site.json', { body: { site: { name: 'Renamed', country: 'DE' } } })).status, 200)
    const after = await shop.ask(`GET /invoices/${invoice.id}.pdf`)
    assert.ok(before.bytes.equals(after.bytes))
  })

  test('without the VAT id of the merchant nothing is attached that would not be true', async () => {
    assert.equal(readAttachments((await shop.ask(`GET /invoices/${invoice.id}.pdf`)).bytes).size, 0)
  })

  test('with it the next invoice has the head of the site, and itself for machines inside', async () => {
    const logo = `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 1"><rect width="3" height="1"/></svg>').toString('base64')}`
    const head = {
      address: '12 Mill Lane',
      city: 'Bath',
      zip: 'BA1 1AA',
      country: 'GB',
      vat_number: 'GB123456789',
      logo,
    }
    const site = { name: 'Acme Orchards Ltd', invoice_page_size: 'Letter', ...head }
    const saved = await shop.ask('PUT /site.json', { body: { site } })
    assert.equal(saved.status, 200, saved.text)
    await made(
      shop,
      'POST /subscriptions.json',
      signup({
        product_handle: 'taxed',
        customer_id: subscription.customer.id,
        customer_attributes: undefined,
        payment_profile_attributes: undefined,
        payment_collection_method: 'invoice',
      }),
    )
    const [newest] = (await shop.ask('GET /invoices.json')).json
    const reply = await shop.ask(`GET /invoices/${newest.invoice.id}.pdf`)
    const lines = linesOf(reply)
    for (const said of ['Acme Orchards Ltd', '12 Mill Lane', 'Bath, BA1 1AA', 'United Kingdom', 'VAT ID GB123456789']) {
      assert.ok(lines.includes(said), lines.join('\n'))
    }
    assert.equal(Math.round(readPages(reply.bytes)[0]!.width), 612)
    assert.match(reply.bytes.toString('latin1'), /\/S \/Figure [^>]*\/Alt \(Acme Orchards Ltd\)/)
    const xml = readAttachments(reply.bytes).get('factur-x.xml') ?? ''
    assert.ok(xml.includes(`<ram:ID>${newest.invoice.number}</ram:ID>`), xml)
    assert.match(xml, /<ram:ID schemeID="VA">GB123456789</)
    assert.match(xml, new RegExp(`<ram:GrandTotalAmount>${(newest.invoice.total_amount_in_cents / 100).toFixed(2)}<`))
  })
})
