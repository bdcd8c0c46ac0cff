/** The head of a site's invoices: address, VAT number, page size and logo, in JSON and in XML. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openShop } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

const shops = { json: await openShop(), xml: await openShop() }

const urlOf = (type: string, data: Buffer | string): string =>
  `data:${type};base64,${Buffer.from(data).toString('base64')}`

const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)
const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><path id="a" d="M0 0h9v9z"/><use href="#a"/></svg>'

for (const format of formats) {
  const say = speaker(shops[format], format)

  test(`${format}: what is told of the seller is kept, and its own answer is taken back`, async () => {
    const told = {
      address: 'Rue de la Paix 1',
      address_2: 'Étage 2',
      city: 'Paris',
      state: 'IDF',
      zip: '75002',
      vat_number: 'FR40303265045',
      invoice_page_size: 'Letter',
      logo: urlOf('image/png', dot),
    }
    const changed = await say('PUT /site', { site: { country: 'fr', ...told } })
    assert.equal(changed.status, 200, changed.text)
    const shown = Object.fromEntries(Object.keys(told).map((name) => [name, changed.tree.site[name]]))
    assert.deepEqual(shown, told)
    assert.deepEqual((await say('PUT /site', changed.tree)).tree, changed.tree)
    const moved = await say('PUT /site', { site: { address: 'Rue 2', address_2: '' } })
    assert.deepEqual(
      [moved.tree.site.address, moved.tree.site.address_2, moved.tree.site.city, moved.tree.site.logo],
      ['Rue 2', null, 'Paris', told.logo],
    )
  })

  test(`${format}: a drawing is a logo, and a blank takes the logo away`, async () => {
    const logo = urlOf('image/svg+xml', drawing)
    assert.equal((await say('PUT /site', { site: { logo } })).tree.site.logo, logo)
    assert.equal((await say('PUT /site', { site: { logo: '' } })).tree.site.logo, null)
  })

  test(`${format}: refuses what is no logo, too large, or reaches out, and keeps nothing of it`, async () => {
    const wrong: [unknown, string][] = [
      [
        'http://example.com/logo.png',
        'Logo: must be a data URL of an image/png, image/jpeg or image/svg+xml, in base64.',
      ],
      [urlOf('text/html', '<p>'), 'Logo: must be a data URL of an image/png, image/jpeg or image/svg+xml, in base64.'],
      [urlOf('image/png', drawing), 'Logo: is not an image/png.'],
      [
        urlOf('image/jpeg', Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(204_800)])),
        'Logo: is too large (maximum is 200 kB).',
      ],
      ...[
        drawing.replace('#a', 'file:///etc/passwd'),
        drawing.replace('<use', '<image'),
        drawing.replace('<use href="#a"/>', '<script>alert(1)</script>'),
        `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${drawing}`,
        drawing.replace('d=', 'style="fill:url(http://example.com/x)" d='),
        drawing.replace(' d=', ' onload="alert(1)" d='),
      ].map((svg): [string, string] => [
        urlOf('image/svg+xml', svg),
        'Logo: must not contain scripts, images or references to anything outside of it.',
      ]),
    ]
    for (const [logo, message] of wrong) {
      const refused = await say('PUT /site', { site: { logo, city: 'Lyon' } })
      assert.equal(refused.status, 422, String(logo).slice(0, 100))
      assert.deepEqual(refused.errors, [message])
    }
    const tooLong = await say('PUT /site', { site: { logo: 'x'.repeat(300_000) } })
    assert.match(tooLong.errors[0] ?? '', /^Logo: is too long/)
    const size = await say('PUT /site', { site: { invoice_page_size: 'A5', zip: 'x'.repeat(256) } })
    assert.deepEqual(size.errors, [
      'Zip: is too long (maximum is 255 characters).',
      'Invoice page size: must be one of A4, Letter.',
    ])
    assert.deepEqual((await say('GET /site')).tree.site.city, 'Paris')
  })
}
