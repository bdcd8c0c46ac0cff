/** GET /transactions, of a site and of a subscription, one by its id, and their number: which rows, in which order, and what is refused. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import type { Reply } from '../support/test-app.ts'
import { assertGolden } from './golden.ts'
import { decliningCard, grace, made, openOtherSite, openShop, signup } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

const shop = await openShop(undefined, { timeZone: 'America/New_York' })
const other = await openOtherSite(shop)

const buy = async (changes: object = {}): Promise<number> =>
  (await made(shop, 'POST /subscriptions.json', signup(changes))).subscription.id
const post = async (id: number, kind: string, fields: object): Promise<Reply['json']> =>
  (await made(shop, `POST /subscriptions/${id}/${kind}s.json`, { [kind]: fields }))[kind]

await made(shop, 'POST /taxes.json', { tax: { name: 'CO Tax', rate: '8.845', country: 'US', state: 'CO' } })
const taxedProduct = await made(shop, `POST /product_families/${shop.familyId}/products.json`, {
  product: {
    name: 'Taxed',
    handle: 'taxed',
    price_in_cents: 2000,
    interval: 1,
    interval_unit: 'month',
    taxable: true,
    require_credit_card: false,
  },
})
assert.equal(taxedProduct.product.taxable, true)
const inColorado = { ...grace, country: 'US', state: 'CO' }

const monthly = await buy()
const taxed = await buy({
  product_handle: 'taxed',
  customer_attributes: inColorado,
  payment_profile_attributes: undefined,
  payment_collection_method: 'invoice',
})
const declined = await buy({ product_handle: 'card-trial', payment_profile_attributes: decliningCard })
await post(monthly, 'adjustment', { amount: '-7.00', memo: 'Sorry' })
const [, paid] = (await shop.ask(`GET /subscriptions/${monthly}/transactions.json?direction=asc`)).json
await post(monthly, 'refund', { amount: '5.00', memo: 'Here', payment_id: paid.transaction.id })
await shop.moveClock('2027-02-16T04:59:59Z')
await post(monthly, 'charge', { amount: '1.00', memo: 'The last second of 15 February' })
await shop.moveClock('2027-02-16T05:00:00Z')
await post(monthly, 'charge', { amount: '2.00', memo: 'The first second of 16 February', delay_capture: true })
await shop.moveClock('2027-04-16T12:00:00Z')

type Row = { id: number; created_at: string; transaction_type: string; subscription_id: number; memo: string }
let rows: Row[] = []
const byTime = (one: Row, next: Row): number =>
  Temporal.Instant.compare(Temporal.Instant.from(one.created_at), Temporal.Instant.from(next.created_at)) ||
  one.id - next.id
before(async () => {
  rows = (await shop.ask('GET /transactions.json?per_page=200')).json.map(
    ({ transaction }: Reply['json']) => transaction,
  )
})
const day = (row: Row): string => row.created_at.slice(0, 10)
const idsOf = (list: readonly Row[]): number[] => list.map(({ id }) => id)

for (const format of formats) {
  const say = speaker(shop, format)
  const listed = async (query: string, path = '/transactions'): Promise<number[]> => {
    const said = await say(`GET ${path}${query}`)
    assert.equal(said.status, 200, said.text)
    return idsOf(said.tree)
  }
  const counted = async (query: string): Promise<number> => (await say(`GET /transactions/count${query}`)).tree.count

  describe(`200 in ${format}`, () => {
    test('all that was written on the site, newest first, and by id within a second', async () => {
      assert.ok(rows.length > 20)
      assert.deepEqual(await listed('?per_page=200'), idsOf(rows.toSorted(byTime).toReversed()))
      assert.deepEqual(await listed('?per_page=200&direction=asc'), idsOf(rows.toSorted(byTime)))
      assert.deepEqual(await listed(''), idsOf(rows.slice(0, 20)))
      assert.deepEqual(await listed('?page=2&per_page=7'), idsOf(rows.slice(7, 14)))
      assert.deepEqual(await listed('?per_page=100000'), idsOf(rows))
      assert.deepEqual(await listed('?page=1000000000000'), [])
      assert.equal(await counted(''), rows.length)
      assert.equal((await say('GET /transactions/count')).status, 200)
    })

    test('order_by=id sorts by the id, whenever a row was written', async () => {
      const ascending = idsOf(rows).toSorted((one, next) => one - next)
      assert.deepEqual(await listed('?per_page=200&order_by=id&direction=asc'), ascending)
      assert.deepEqual(await listed('?per_page=5&order_by=id'), ascending.toReversed().slice(0, 5))
    })

    test('a filter by id holds both ends, sorts by id, and leaves a filter by date unread', async () => {
      const ascending = idsOf(rows).toSorted((one, next) => one - next)
      const [from, to] = [ascending[3]!, ascending[9]!]
      const within = ascending.slice(3, 10)
      assert.deepEqual(await listed(`?since_id=${from}&max_id=${to}`), within.toReversed())
      assert.deepEqual(await listed(`?since_id=${from}&max_id=${to}&direction=asc&order_by=created_at`), within)
      assert.deepEqual(await listed(`?since_id=${from}&max_id=${to}&until_date=2001-01-01`), within.toReversed())
      assert.deepEqual(await listed(`?max_id=${to}&since_date=2099-01-01&direction=asc`), ascending.slice(0, 10))
      assert.deepEqual(await listed(`?since_id=${to}&max_id=${from}`), [])
      assert.equal(await counted(`?since_id=${from}&max_id=${to}`), 7)
    })

    test('continuing after the last id that was seen reads every row once', async () => {
      const seen: number[] = []
      for (let page = [0]; page.length > 0; seen.push(...page)) {
        page = await listed(`?direction=asc&per_page=4&since_id=${(seen.at(-1) ?? 0) + 1}`)
      }
      assert.deepEqual(
        seen,
        idsOf(rows).toSorted((one, next) => one - next),
      )
    })

    test('days are those of the site, to their last second, and are sorted by time', async () => {
      const last = rows.find(({ memo }) => memo.startsWith('The last second'))!
      const first = rows.find(({ memo }) => memo.startsWith('The first second'))!
      assert.ok((await listed('?until_date=2027-02-15')).includes(last.id))
      assert.ok(!(await listed('?until_date=2027-02-15')).includes(first.id))
      const onTheDay = rows.filter((row) => day(row) === '2027-02-16')
      assert.ok(onTheDay.includes(first) && !onTheDay.includes(last))
      assert.deepEqual(await listed('?since_date=2027-02-16&until_date=2027-02-16'), idsOf(onTheDay))
      const sinceMarch = rows.filter((row) => day(row) >= '2027-03-01')
      assert.deepEqual(await listed('?since_date=2027-03-01&order_by=id'), idsOf(sinceMarch))
      assert.deepEqual(await listed('?since_date=2027-03-01&direction=asc'), idsOf(sinceMarch.toSorted(byTime)))
      assert.equal(await counted('?since_date=2027-03-01'), sinceMarch.length)
    })

    test('kinds are types, one or several of them', async () => {
      const of = (...types: string[]) => idsOf(rows.filter((row) => types.includes(row.transaction_type)))
      for (const type of ['charge', 'payment', 'adjustment', 'refund', 'credit', 'info']) {
        assert.deepEqual(await listed(`?per_page=200&kinds[]=${type}`), of(type), type)
        assert.equal(await counted(`?kinds[]=${type}`), of(type).length, type)
      }
      assert.ok(of('refund').length > 0 && of('adjustment').length > 0)
      assert.deepEqual(await listed('?per_page=200&kinds[]=refund&kinds[]=payment'), of('refund', 'payment'))
      assert.deepEqual(
        await listed('?kinds[]=adjustment&kinds[]=refund&per_page=1&page=2'),
        of('adjustment', 'refund').slice(1, 2),
      )
      assert.deepEqual(await listed('?kinds=info_transaction'), of('info'))
      assert.deepEqual(await listed('?kinds[]=payment_authorization'), [])
      assert.deepEqual(
        await listed(`?kinds[]=adjustment&since_id=${of('adjustment').at(-1)}&direction=asc&page=1`),
        of('adjustment').toReversed(),
      )
    })

    test('a subscription has a list of its own with the same filters', async () => {
      const path = `/subscriptions/${monthly}/transactions`
      const own = rows.filter((row) => row.subscription_id === monthly)
      assert.deepEqual(await listed('?per_page=200', path), idsOf(own))
      assert.deepEqual(await listed('?per_page=200&direction=asc', path), idsOf(own.toReversed()))
      const payments = own.filter((row) => row.transaction_type === 'payment')
      assert.deepEqual(await listed('?kinds[]=payment', path), idsOf(payments))
      assert.deepEqual(await listed(`?since_id=${own[2]!.id}`, path), idsOf(own.slice(0, 3)))
      const early = own.filter((row) => day(row) <= '2027-02-15')
      assert.deepEqual(await listed('?until_date=2027-02-15', path), idsOf(early))
    })

    test('one transaction reads the same alone and in the list', async () => {
      const [whole] = (await say('GET /transactions?per_page=1')).tree
      assert.deepEqual((await say(`GET /transactions/${whole.id}`)).tree, { transaction: whole })
    })

    test('a charge tells which taxes fell on it', async () => {
      const [charge, tax] = (await say(`GET /subscriptions/${taxed}/transactions?direction=asc`)).tree
      assert.deepEqual(charge.taxations, [
        { tax_id: tax.tax_id, tax_name: 'CO Tax', rate: '0.08845', tax_amount_in_cents: 177, tax_charge_id: tax.id },
      ])
      assert.deepEqual(
        [charge.taxable_amount_in_cents, tax.kind, tax.amount_in_cents, tax.taxations],
        [2000, 'tax', 177, []],
      )
    })

    test('a charge, a payment, a refund and a declined payment look as they always looked', async () => {
      const kept = { taxed, monthly, declined }
      for (const [name, id] of Object.entries(kept)) {
        const said = await say(`GET /subscriptions/${id}/transactions?direction=asc&per_page=4`)
        assertGolden(`transactions-of-${name}.${format}`, said.text)
      }
      const [payment] = (await say(`GET /transactions?kinds[]=payment&direction=asc&per_page=1`)).tree
      assertGolden(`transaction.${format}`, (await say(`GET /transactions/${payment.id}`)).text)
      assertGolden(`transactions-none.${format}`, (await say('GET /transactions?page=99')).text)
      assertGolden(`transactions-count.${format}`, (await say('GET /transactions/count?kinds[]=refund')).text)
    })
  })

  describe(`404 in ${format}`, () => {
    test('what does not exist and what belongs to another site', async () => {
      const { id } = rows[0]!
      for (const path of ['/transactions/1', '/transactions/abc', '/subscriptions/1/transactions?page=0']) {
        assert.equal((await say(`GET ${path}`)).status, 404, path)
      }
      for (const path of [`/transactions/${id}`, `/subscriptions/${monthly}/transactions`]) {
        assert.equal((await say(`GET ${path}`, undefined, { key: other.apiKey })).status, 404, path)
      }
      const theirs = { key: other.apiKey }
      assert.deepEqual((await say(`GET /transactions?since_id=${id}`, undefined, theirs)).tree, [])
      assert.equal((await say('GET /transactions/count', undefined, theirs)).tree.count, 0)
    })
  })

  describe(`422 in ${format}`, () => {
    const bad: [query: string, errors: string[]][] = [
      ['page=0', ['invalid page: 0']],
      ['page=-1', ['invalid page: -1']],
      ['page=two', ['invalid page']],
      ['direction=up', ['Direction: must be one of asc, desc.']],
      ['order_by=amount', ['Order by: must be one of id, created_at.']],
      ['since_id=abc', ['Since id: is not a number.']],
      ['max_id=-1', ['Max id: is not a number.']],
      ['max_id=5&until_date=garbage', ['Until date: must be a date in the form YYYY-MM-DD.']],
      ['per_page=abc', ['Per page: is not a number.']],
      ['since_date=2027-02-30', ['Since date: is not a possible date.']],
      ['until_date=02/15/2027', ['Until date: must be a date in the form YYYY-MM-DD.']],
      ['since_date=2027-02-02&until_date=2027-02-01', ['Until date: must not be before the since date.']],
      [
        'kinds[]=charge&kinds[]=gift',
        [
          'Kinds: must be one of charge, credit, adjustment, payment, refund, info, info_transaction, payment_authorization.',
        ],
      ],
    ]
    for (const [query, errors] of bad) {
      test(`${query} is refused by name`, async () => {
        for (const path of ['/transactions', `/subscriptions/${monthly}/transactions`]) {
          const said = await say(`GET ${path}?${query}`)
          assert.deepEqual([said.status, said.errors], [422, errors], path)
        }
      })
    }

    test('several complaints come together', async () => {
      const said = await say('GET /transactions?page=0&direction=up&since_date=soon')
      assert.deepEqual(said.errors, [
        'invalid page: 0',
        'Direction: must be one of asc, desc.',
        'Since date: must be a date in the form YYYY-MM-DD.',
      ])
    })
  })
}

test('any filters together give what they mean, in their order', async () => {
  const types = ['charge', 'payment', 'adjustment', 'refund', 'info'] as const
  const ids = idsOf(rows)
  const window = fc.option(fc.nat(ids.length - 1), { nil: null })
  const filters = fc.record({
    from: window,
    to: window,
    kinds: fc.subarray([...types]),
    direction: fc.constantFrom('asc', 'desc'),
    order: fc.constantFrom('id', 'created_at'),
    page: fc.integer({ min: 1, max: 4 }),
    perPage: fc.integer({ min: 1, max: 9 }),
    own: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(filters, async ({ from, to, kinds, direction, order, page, perPage, own }) => {
      const ends = [from, to].filter((end) => end !== null).map((end) => ids[end]!)
      const [sinceId, maxId] = [ends.length > 0 ? Math.min(...ends) : 0, ends.length > 1 ? Math.max(...ends) : Infinity]
      const expected = rows
        .filter(({ id }) => id >= sinceId && id <= maxId)
        .filter((row) => kinds.length === 0 || (kinds as string[]).includes(row.transaction_type))
        .filter((row) => !own || row.subscription_id === monthly)
        .toSorted(ends.length > 0 || order === 'id' ? (one, next) => one.id - next.id : byTime)
      if (direction === 'desc') expected.reverse()
      const query = new URLSearchParams([
        ...(ends.length > 0 ? [['since_id', String(sinceId)]] : []),
        ...(ends.length > 1 ? [['max_id', String(maxId)]] : []),
        ...kinds.map((kind) => ['kinds[]', kind]),
        ...Object.entries({ direction, order_by: order, page: String(page), per_page: String(perPage) }),
      ] as [string, string][])
      const path = own ? `/subscriptions/${monthly}/transactions` : '/transactions'
      const reply = await shop.ask(`GET ${path}.json?${query}`)
      assert.deepEqual(
        reply.json.map(({ transaction }: Reply['json']) => transaction.id),
        idsOf(expected.slice((page - 1) * perPage, page * perPage)),
      )
    }),
    { numRuns: 40 },
  )
})
