/** GET /statements, of a site and of a subscription, their ids, one, and their number: what each lists, and what is refused. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { verify } from '../../src/actions/verify.ts'
import type { Reply } from '../support/test-app.ts'
import { assertGolden } from './golden.ts'
import { decliningCard, goodCard, grace, made, openOtherSite, openShop, signup } from './shop.ts'
import { formats, speaker } from './two-formats.ts'

const shop = await openShop(undefined, { timeZone: 'America/New_York' })
const other = await openOtherSite(shop)

const buy = async (changes: object = {}): Promise<number> =>
  (await made(shop, 'POST /subscriptions.json', signup(changes))).subscription.id

const monthly = await buy({
  payment_profile_attributes: {
    ...goodCard,
    billing_address: '1 Bank Street',
    billing_city: 'London',
    billing_zip: 'E14',
  },
})
const late = await buy({
  product_handle: 'card-trial',
  payment_profile_attributes: decliningCard,
  customer_attributes: grace,
})
const ended = await buy({ product_handle: 'free-trial', payment_profile_attributes: undefined })
await shop.moveClock('2027-02-16T12:00:00Z')
await made(shop, `POST /subscriptions/${late}/payments.json`, { payment: { amount: '20.00', memo: 'In part' } })
await shop.moveClock('2027-02-16T13:00:00Z')
await made(shop, `POST /subscriptions/${late}/payments.json`, {
  payment: { amount: '40.00', memo: 'The rest, and more' },
})
await shop.moveClock('2027-03-20T12:00:00Z')

type Statement = Reply['json']
const statementsOf = async (id: number): Promise<Statement[]> =>
  (await shop.ask(`GET /subscriptions/${id}/statements.json`)).json.map(({ statement }: Statement) => statement)
const all: Statement[] = (await shop.ask('GET /statements.json')).json.map(({ statement }: Statement) => statement)

for (const format of formats) {
  const say = speaker(shop, format)
  const listed = async (path: string): Promise<number[]> => {
    const said = await say(`GET ${path}`)
    assert.equal(said.status, 200, said.text)
    return said.tree.map(({ id }: { id: number }) => id)
  }
  /** XML has no name for the list but its root. */
  const ids = async (path: string): Promise<number[]> => {
    const said = await say(`GET ${path}`)
    assert.equal(said.status, 200, said.text)
    const list = said.tree.statement_ids
    return format === 'json' ? list : list === '' ? [] : [list.id].flat()
  }

  describe(`200 in ${format}`, () => {
    test('all statements of the site, oldest first, in pages', async () => {
      assert.ok(all.length > 8)
      const order = all.map(({ id }) => id)
      assert.deepEqual(await listed('/statements?per_page=200'), order)
      assert.deepEqual(await listed('/statements?per_page=3&page=2'), order.slice(3, 6))
      assert.deepEqual(await listed('/statements?direction=desc&per_page=200'), order.toReversed())
      assert.deepEqual(await ids('/statements/ids'), order)
      assert.deepEqual(await ids('/statements/ids?per_page=2'), order)
      assert.deepEqual(await ids('/statements/ids?page=2'), [])
      assert.equal((await say('GET /statements/count')).tree.count, order.length)
    })

    test('what is not closed or settled yet comes last, in either direction and on any page', async () => {
      for (const field of ['closed_at', 'settled_at', 'opened_at', 'created_at'] as const) {
        for (const direction of ['asc', 'desc'] as const) {
          const sign = direction === 'asc' ? 1 : -1
          const at = (one: Statement, name: string): number => Date.parse(one[name])
          const sorted = all.toSorted((one, next) => {
            if ((one[field] === null) !== (next[field] === null)) return one[field] === null ? 1 : -1
            const name = one[field] === null ? 'created_at' : field
            return sign * (at(one, name) - at(next, name) || one.id - next.id)
          })
          const expected = sorted.map(({ id }) => id)
          const query = `sort=${field}&direction=${direction}`
          assert.deepEqual(await ids(`/statements/ids?${query}`), expected, query)
          for (let page = 1; page <= Math.ceil(expected.length / 4) + 1; page += 1) {
            const part = await listed(`/statements?${query}&per_page=4&page=${page}`)
            assert.deepEqual(part, expected.slice(4 * page - 4, 4 * page), `${query}, page ${page}`)
          }
        }
      }
    })

    test('a subscription has statements of its own, exactly one of them open', async () => {
      for (const id of [monthly, late]) {
        const own = await statementsOf(id)
        assert.equal(own.filter(({ closed_at }) => closed_at === null).length, 1)
        assert.deepEqual(
          await listed(`/subscriptions/${id}/statements`),
          own.map((one) => one.id),
        )
        assert.deepEqual(
          await ids(`/subscriptions/${id}/statements/ids?direction=desc`),
          own.map((one) => one.id).toReversed(),
        )
      }
    })

    test('each lists its own rows and events, and begins where the one before it ended', async () => {
      const rows = (await shop.ask(`GET /subscriptions/${monthly}/transactions.json?direction=asc`)).json
      const events = (await shop.ask(`GET /subscriptions/${monthly}/events.json?direction=asc`)).json
      const own = await statementsOf(monthly)
      assert.deepEqual(
        own.flatMap(({ transactions }) => transactions),
        rows.map(({ transaction }: Reply['json']) => transaction),
      )
      const told = events
        .map(({ event }: Reply['json']) => event)
        .filter(({ key }: Reply['json']) => !key.startsWith('statement_'))
      assert.deepEqual(
        own.flatMap((one) => one.events),
        told,
      )
      assert.deepEqual(
        own.slice(1).map((one) => one.starting_balance_in_cents),
        own.slice(0, -1).map((one) => one.ending_balance_in_cents),
      )
    })

    test('a statement that was closed unpaid shows the payments that came later, up to the one that paid it', async () => {
      const [trial, unpaid, open] = (await say(`GET /subscriptions/${late}/statements`)).tree
      assert.deepEqual([trial.future_payments, open.future_payments.length], [[], 0])
      assert.equal(unpaid.ending_balance_in_cents, 5000)
      assert.deepEqual(
        unpaid.future_payments.map((row: Reply['json']) => row.memo),
        ['In part', 'The rest, and more'],
      )
      assert.ok(unpaid.future_payments.every((row: Reply['json']) => row.statement_id > unpaid.id))
      assert.equal(unpaid.settled_at, unpaid.future_payments[1].created_at)
      assert.match(unpaid.text_view, /### Later Payments/)
    })

    test('a statement reads the same alone and in the list, with whose it is', async () => {
      const [first] = (await say(`GET /subscriptions/${monthly}/statements`)).tree
      assert.deepEqual((await say(`GET /statements/${first.id}`)).tree, { statement: first })
      assert.deepEqual(
        [
          first.customer_first_name,
          first.customer_last_name,
          first.customer_organization,
          first.customer_billing_address,
        ],
        ['Ada', 'Lovelace', null, '1 Bank Street'],
      )
    })

    test('statements in every state look as they always looked', async () => {
      const [paid] = await statementsOf(monthly)
      const [, unpaid, open] = await statementsOf(late)
      const [silent] = await statementsOf(ended)
      for (const [name, { id }] of Object.entries({ paid, unpaid, open, silent })) {
        assertGolden(`statement-${name}.${format}`, (await say(`GET /statements/${id}`)).text)
      }
      assertGolden(`statement-ids.${format}`, (await say(`GET /subscriptions/${monthly}/statements/ids`)).text)
      assertGolden(`statement-ids-none.${format}`, (await say('GET /statements/ids?page=2')).text)
    })
  })

  describe(`404 in ${format}`, () => {
    test('what does not exist and what belongs to another site', async () => {
      for (const path of [
        '/statements/1',
        '/statements/x',
        '/subscriptions/1/statements?page=0',
        '/subscriptions/1/statements/ids',
      ]) {
        assert.equal((await say(`GET ${path}`)).status, 404, path)
      }
      const theirs = { key: other.apiKey }
      for (const path of [
        `/statements/${all[0].id}`,
        `/subscriptions/${monthly}/statements`,
        `/subscriptions/${monthly}/statements/ids`,
      ]) {
        assert.equal((await say(`GET ${path}`, undefined, theirs)).status, 404, path)
      }
      assert.deepEqual((await say('GET /statements', undefined, theirs)).tree, [])
      assert.equal((await say('GET /statements/count', undefined, theirs)).tree.count, 0)
    })
  })

  describe(`422 in ${format}`, () => {
    const bad: [query: string, errors: string[]][] = [
      ['page=0', ['invalid page: 0']],
      ['page=-1&direction=up', ['invalid page: -1', 'Direction: must be one of asc, desc.']],
      ['sort=id', ['Sort: must be one of created_at, opened_at, closed_at, settled_at.']],
    ]
    for (const [query, errors] of bad) {
      test(`${query} is refused by name`, async () => {
        for (const path of [
          '/statements',
          '/statements/ids',
          `/subscriptions/${monthly}/statements`,
          `/subscriptions/${monthly}/statements/ids`,
        ]) {
          const said = await say(`GET ${path}?${query}`)
          assert.deepEqual([said.status, said.errors], [422, errors], path)
        }
      })
    }
  })
}

test('the books of these statements are in order', async () => {
  const { differences, text } = await verify(shop.app)
  assert.equal(differences, 0, text)
})
