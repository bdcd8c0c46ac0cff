/** What every refusal looks like, status by status, in both formats, down to the bytes. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import pg from 'pg'
import { fragment, sql } from '../../src/store/sql.ts'
import type { Ask } from '../support/test-app.ts'
import { ada, made, openShop, signup } from './shop.ts'
import { asXml, type Format, formats } from './two-formats.ts'

const shop = await openShop()
const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
const types = { json: 'application/json', xml: 'application/xml' } as const

/** The bytes that say these sentences; none of them needs escaping. */
const saying = (format: Format, ...messages: string[]): string =>
  format === 'json'
    ? JSON.stringify({ errors: messages })
    : `${declaration}<errors>${messages.map((message) => `<error>${message}</error>`).join('')}</errors>\n`

for (const format of formats) {
  const ask = (line: string, options?: Ask) => shop.ask(line, options)
  const document = (tree: object) => (format === 'json' ? JSON.stringify(tree) : asXml(tree))
  const assertSays = (reply: Awaited<ReturnType<typeof ask>>, status: number, ...messages: string[]) => {
    assert.deepEqual([reply.status, reply.text], [status, saying(format, ...messages)])
    assert.equal(reply.headers['content-type'], `${types[format]}; charset=utf-8`)
  }
  const broken =
    format === 'json' ? '{"subscription": {"full_number": 4111111111111111' : '<subscription><full_number>41111111'

  describe(`errors in ${format}`, () => {
    test('400: a document that is broken is said to be, and never quoted', async () => {
      const reply = await ask(`POST /subscriptions.${format}`, {
        body: broken,
        headers: { 'Content-Type': types[format] },
      })
      assert.equal(reply.status, 400)
      assert.match(reply.text, /The (JSON|XML) document (is broken at line \d+, column \d+|could not be read)\./)
      assert.equal(reply.text.includes('4111'), false)
    })

    test('400: a query that is not well encoded', async () => {
      assertSays(await ask(`GET /subscriptions.${format}?page=%zz`), 400, 'The query string is not well encoded.')
    })

    test('401: one sentence of plain text, whatever was asked for', async () => {
      const reply = await ask(`GET /subscriptions.${format}`, { key: null })
      assert.deepEqual([reply.status, reply.text], [401, 'HTTP Basic: Access denied.\n'])
      assert.equal(reply.headers['content-type'], 'text/plain; charset=utf-8')
    })

    test('404: the same for a path and for a row that does not exist', async () => {
      for (const path of ['/subscriptions/1', '/customers/1', '/nothing', '/subscriptions/1/events']) {
        assertSays(await ask(`GET ${path}.${format}`), 404, 'Not found.')
      }
    })

    test('405: a method that the path lacks, with those that it has', async () => {
      const reply = await ask(`PUT /subscriptions.${format}`, { body: {} })
      assertSays(reply, 405, 'This path is not served with that method, but with GET, HEAD, POST.')
      assert.equal(reply.headers.allow, 'GET, HEAD, POST')
    })

    test('409: a uniqueness token that was used', async () => {
      const send = () => ask(`POST /subscriptions.${format}?uniqueness_token=${format}`, { body: document(signup()) })
      await send()
      assertSays(await send(), 409, 'DuplicatePrevention::DuplicateSubmissionError')
    })

    test('413 and 415: a document that is too large, or neither JSON nor XML', async () => {
      const large = document({ subscription: { cancellation_message: 'x'.repeat(2_000_000) } })
      assertSays(await ask(`POST /subscriptions.${format}`, { body: large }), 413, 'The document is too large.')
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
      const form = await ask(`POST /subscriptions.${format}`, { body: 'subscription[product_id]=1', headers })
      assertSays(form, 415, 'The body must be sent as application/json or application/xml.')
    })

    test('422: every message is an item of one list', async () => {
      const noName = { customer: { email: 'ada@example.com' } }
      const reply = await ask(`POST /customers.${format}`, { body: document(noName) })
      assertSays(reply, 422, 'First name: cannot be blank.', 'Last name: cannot be blank.')
    })

    test('422: what a message repeats is written safely', async () => {
      const hostile = signup({ product_handle: `<b>"&'\u0007` })
      const reply = await ask(`POST /subscriptions.${format}`, { body: JSON.stringify(hostile) })
      const shown = format === 'json' ? `<b>\\"&'\\u0007` : `&lt;b&gt;"&amp;'\ufffd`
      const sentence = `Product with API Handle '${shown}' does not exist for this merchant.`
      const text = format === 'json' ? `{"errors":["${sentence}"]}` : saying(format, sentence)
      assert.deepEqual([reply.status, reply.text], [422, text])
    })

    test('500: a bug says only how to ask about it', async (t) => {
      const faulty = await openShop(t)
      const { subscription } = await made(faulty, 'POST /subscriptions.json', signup())
      faulty.app.beforeCommit = async () => {
        throw new Error('the number was 4111111111111111')
      }
      const reply = await faulty.ask(`DELETE /subscriptions/${subscription.id}.${format}`)
      const id = String(reply.headers['x-request-id'])
      assertSays(reply, 500, `Something went wrong on our side. Please quote request ${id}.`)
      faulty.app.beforeCommit = async () => {}
      assert.equal((await faulty.ask(`GET /subscriptions/${subscription.id}.json`)).json.subscription.state, 'active')
    })

    test('503: a disk without room, and a server with too much to do, are told in words, and nothing is written', async (t) => {
      const { ask, app, siteId } = await openShop(t)
      const body = document({ customer: ada })
      for (const [code, sentence] of [
        ['53100', 'The service has no room left to write. Please try again later.'],
        ['53200', 'The database of the service has too much to do just now. Please try again in a moment.'],
      ]) {
        await app.db.run(
          fragment(`create or replace function no_room() returns trigger language plpgsql as
            $$ begin raise exception 'could not extend file' using errcode = '${code}'; end $$`),
        )
        await app.db.run(
          fragment(
            'create or replace trigger full_disk before insert on customers for each row execute function no_room()',
          ),
        )
        const reply = await ask(`POST /customers.${format}`, { body })
        assertSays(reply, 503, sentence!)
        assert.ok(Number(reply.headers['retry-after']) > 0)
      }
      await app.db.run(fragment('drop trigger full_disk on customers'))
      const counted = await app.db.arrays(sql`select count(*)::int from customers where site_id = ${siteId}`)
      assert.deepEqual(counted, [[0]])
      assert.equal((await ask(`POST /customers.${format}`, { body })).status, 201)
    })

    test('503: a database that is away is no bug, and nothing was done', async (t) => {
      const cut = await openShop(t)
      const { subscription } = await made(cut, 'POST /subscriptions.json', signup())
      const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' })
      for (const failure of [
        refused,
        new AggregateError([refused]),
        Object.assign(new pg.DatabaseError('terminating connection', 0, 'error'), { code: '57P01' }),
        new Error('Connection terminated unexpectedly'),
      ]) {
        cut.app.beforeCommit = async () => {
          throw failure
        }
        const reply = await cut.ask(`DELETE /subscriptions/${subscription.id}.${format}`)
        assertSays(reply, 503, 'The service cannot reach its database just now. Please try again in a moment.')
      }
      cut.app.beforeCommit = async () => {}
      assert.equal((await cut.ask(`GET /subscriptions/${subscription.id}.json`)).json.subscription.state, 'active')
    })
  })
}

test('406: a format that is not offered is told in JSON', async () => {
  for (const asked of [
    shop.ask('GET /subscriptions.pdf'),
    shop.ask('GET /subscriptions', { headers: { Accept: 'text/csv' } }),
  ]) {
    const reply = await asked
    const sentence = 'There is no such format here; ask for application/json or application/xml.'
    assert.deepEqual([reply.status, reply.text], [406, saying('json', sentence)])
  }
})
