/** One resource, two formats: XML and JSON carry the same values with the same types, and look as they always looked. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { readXml } from '../../src/wire/xml-reader.ts'
import { assertGolden } from './golden.ts'
import { decliningCard, goodCard, made, openShop, signup } from './shop.ts'
import { asXml, speaker } from './two-formats.ts'

const shop = await openShop(undefined, { timeZone: 'America/New_York' })

const whole = await made(shop, 'POST /subscriptions.json', {
  subscription: {
    product_handle: 'with-setup-fee',
    customer_attributes: {
      first_name: 'Ada',
      last_name: 'King <Lovelace> & "Co"',
      email: 'ada@example.com',
      cc_emails: 'babbage@example.com, menabrea@example.com',
      organization: 'Ärgerlich & Söhne',
      reference: 'ada-1',
      address: '12 St James’s Square',
      address_2: '',
      city: 'London',
      zip: '02120',
      country: 'GB',
      phone: '+44 20 7946 0000',
      tax_exempt: true,
    },
    payment_profile_attributes: { ...goodCard, full_number: '1', billing_zip: '02120', billing_country: 'GB' },
    vat_number: 'GB999999973',
    cancellation_message: ' two  spaces, a tab\t and\na line ',
  },
})
const { id, customer, product, credit_card: card } = whole.subscription
await shop.ask(`PUT /products/${product.id}.json`, {
  body: { product: { description: 'Told & sold', return_url: null } },
})
const bare = await made(
  shop,
  'POST /subscriptions.json',
  signup({ product_handle: 'free-trial', payment_profile_attributes: undefined, cancellation_message: '' }),
)
const late = await made(
  shop,
  'POST /subscriptions.json',
  signup({ product_handle: 'card-trial', payment_profile_attributes: decliningCard }),
)
await shop.moveClock('2027-02-16T12:00:00Z')

/** What is read, and the file that shows how it looks. */
const resources = [
  ['subscription', `/subscriptions/${id}`],
  ['subscription-without-card', `/subscriptions/${bare.subscription.id}`],
  ['subscription-past-due', `/subscriptions/${late.subscription.id}`],
  ['subscriptions', '/subscriptions?per_page=2'],
  ['subscriptions-none', '/subscriptions?page=99'],
  ['customer', `/customers/${customer.id}`],
  ['customers', '/customers'],
  ['product', `/products/${product.id}`],
  ['product-with-trial', `/products/${shop.productIds['late-setup-fee']}`],
  ['product-family', `/product_families/${shop.familyId}`],
  ['payment-profile', `/payment_profiles/${card.id}`],
  ['payment-profiles', `/payment_profiles?customer_id=${customer.id}`],
  ['transactions', `/subscriptions/${id}/transactions`],
  ['transactions-declined', `/subscriptions/${late.subscription.id}/transactions`],
  ['events', `/subscriptions/${late.subscription.id}/events`],
  ['statements', `/subscriptions/${id}/statements`],
  ['errors-not-found', '/subscriptions/1'],
  ['errors-page', '/subscriptions?page=0'],
] as const

const inBoth = async (path: string) => ({
  json: await speaker(shop, 'json')(`GET ${path}`),
  xml: await speaker(shop, 'xml')(`GET ${path}`),
})

for (const [name, path] of resources) {
  test(`${name}: the same values and types in both formats, as on file`, async () => {
    const { json, xml } = await inBoth(path)
    assert.equal(xml.status, json.status)
    assert.deepEqual(xml.tree, json.tree)
    assertGolden(`${name}.json`, json.text)
    assertGolden(`${name}.xml`, xml.text)
  })
}

describe('types and nulls in XML', () => {
  const elementsOf = async (path: string) => (await inBoth(path)).xml.text

  test('numbers, booleans, times and lists say what they are; text and decimals do not', async () => {
    const text = await elementsOf(`/subscriptions/${id}`)
    for (const element of [
      '<id type="integer">',
      '<created_at type="datetime">2027-01-15T07:00:00-05:00</created_at>',
      '<tax_exempt type="boolean">true</tax_exempt>',
      '<signup_revenue>75.00</signup_revenue>',
      '<zip>02120</zip>',
      '<credit_card type="PaymentProfile">',
      '<public_signup_pages type="array"></public_signup_pages>',
    ]) {
      assert(text.includes(element), element)
    }
    assert((await elementsOf('/subscriptions')).includes('<subscriptions type="array"><subscription>'))
  })

  test('a card inside a subscription and on its own is one element, attribute by attribute', async () => {
    const inside = /<credit_card( [^>]*)?>.*?<\/credit_card>/s.exec(await elementsOf(`/subscriptions/${id}`))?.[0] ?? ''
    const cardId = Number(/<id type="integer">(\d+)</.exec(inside)?.[1])
    const alone = (await elementsOf(`/payment_profiles/${cardId}`)).replace(/^<\?xml[^>]*>\s*/, '').trim()
    assert.equal(alone.replaceAll('payment_profile', 'credit_card'), inside)
  })

  test('a null keeps its type where it has one, and is not an empty text', async () => {
    const text = await elementsOf(`/subscriptions/${bare.subscription.id}`)
    assert.match(text, /<canceled_at type="datetime" nil="true"\/>/)
    assert.match(text, /<reason_code nil="true"\/>/)
    assert.match(text, /<cancellation_message><\/cancellation_message>/)
  })

  test('times carry the offset of the site at that time', async () => {
    const { tree } = (await inBoth(`/subscriptions/${whole.subscription.id}`)).json
    assert.equal(tree.subscription.current_period_ends_at, '2027-03-15T07:00:00-04:00')
  })
})

/** What XML cannot say at all is a matter of the writer's own tests. */
const isSayable = (text: string): boolean =>
  [...text].every((character) => '\t\n\r'.includes(character) || (character >= ' ' && character < '\ufffe'))
const grapheme = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 })
const sayable = fc
  .string({ unit: fc.oneof(fc.constantFrom(...'<>&"\'\r\n\t ]'), grapheme), maxLength: 40 })
  .filter((text) => isSayable(text) && text.trim() !== '')

test('any text that is sent in one format is read back the same in both', async () => {
  const [json, xml] = [speaker(shop, 'json'), speaker(shop, 'xml')]
  const send = async (say: typeof json, organization: string) => {
    const said = await say(`PUT /customers/${customer.id}`, { customer: { organization } })
    assert.equal(said.status, 200, said.text)
    return [said.tree.customer.organization, (await json(`GET /customers/${customer.id}`)).tree.customer.organization]
  }
  await fc.assert(
    fc.asyncProperty(sayable, async (text) => {
      for (const say of [json, xml]) assert.deepEqual(await send(say, text), [text, text])
    }),
    {
      numRuns: 25,
      examples: [[']]>'], ['&amp;'], ['a\r\nb\rc'], [' leading and trailing '], ['<![CDATA[x]]>'], ['😀é\u0301漢字']],
    },
  )
})

test('what was read in XML can be sent back as it is, and nothing changes', async () => {
  for (const path of [`/customers/${customer.id}`, `/products/${product.id}`, `/payment_profiles/${card.id}`]) {
    const before = (await inBoth(path)).xml
    const sent = await shop.ask(`PUT ${path}.xml`, { body: before.text })
    assert.equal(sent.status, 200, sent.text)
    const after = readXml(sent.text) as Record<string, Record<string, unknown>>
    const [[root] = ['']] = Object.entries(after)
    const { updated_at: now, ...kept } = after[root] ?? {}
    const { updated_at: then, ...was } = before.tree[root]
    assert.deepEqual(JSON.parse(JSON.stringify(kept)), was)
    assert.equal(typeof now, typeof then)
    assert.equal(asXml(before.tree).includes(`<${root}>`), true)
  }
})
