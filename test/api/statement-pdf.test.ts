/** A statement as pages: asked for by its suffix or by a header, and answered in words when it cannot be. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createPdfRenderer } from '../../src/pdf/renderer.ts'
import { readPages } from '../support/pdf-text.ts'
import type { Reply } from '../support/test-app.ts'
import { made, openOtherSite, openShop, signup } from './shop.ts'

const shop = await openShop()
const pdf = 'application/pdf'

const customer = { first_name: 'Ada', last_name: 'Byron', email: 'ada@example.com', organization: 'Engines & Söhne' }
const bought = await made(
  shop,
  'POST /subscriptions.json',
  signup({ product_handle: 'with-setup-fee', customer_attributes: customer }),
)
const { id } = bought.subscription
const listed = await shop.ask(`GET /subscriptions/${id}/statements.json`)
const statementIds: number[] = listed.json.map(({ statement }: { statement: { id: number } }) => statement.id)
const [statementId = 0] = statementIds

const wordsOf = (reply: Reply): string => {
  assert.equal(reply.status, 200, reply.text)
  assert.equal(reply.headers['content-type'], pdf)
  return readPages(reply.bytes)
    .flatMap(({ lines }) => lines)
    .join('\n')
}

describe('GET /statements/<id>.pdf', () => {
  test('200 with whose it is, what was charged and paid, and the balance', async () => {
    const reply = await shop.ask(`GET /statements/${statementId}.pdf`)
    const words = wordsOf(reply)
    for (const said of [
      `Statement`,
      'Engines & Söhne',
      'Ada Byron',
      'Initial/Startup fees',
      '$25.00',
      '$75.00',
      'Page 1 of 1',
    ]) {
      assert.ok(words.includes(said), `${said} in\n${words}`)
    }
    assert.ok(words.includes('With Setup Fee | $50.00\nJan 15, 2027 – Feb 15, 2027'), words)
    assert.equal(reply.headers['content-disposition'], `inline; filename="statement-${statementId}.pdf"`)
  })

  test('of every statement, the open one among them', async () => {
    assert.ok(statementIds.length > 1)
    for (const one of statementIds) wordsOf(await shop.ask(`GET /statements/${one}.pdf`))
    const open = wordsOf(await shop.ask(`GET /statements/${statementIds.at(-1)}.pdf`))
    assert.match(open, /This statement is still open/)
  })

  test('the same bytes each time, and by Accept or Content-Type too', async () => {
    const bySuffix = await shop.ask(`GET /statements/${statementId}.pdf`)
    const byAccept = await shop.ask(`GET /statements/${statementId}`, { headers: { Accept: pdf } })
    const byContentType = await shop.ask(`GET /statements/${statementId}`, { headers: { 'Content-Type': pdf } })
    wordsOf(byAccept)
    assert.ok(bySuffix.bytes.equals(byAccept.bytes))
    assert.ok(bySuffix.bytes.equals(byContentType.bytes))
  })

  test('404 for one that does not exist and for one of another site, as JSON', async () => {
    const stranger = await openOtherSite(shop)
    for (const reply of [
      await shop.ask('GET /statements/1.pdf'),
      await shop.ask('GET /statements/none.pdf'),
      await shop.ask(`GET /statements/${statementId}.pdf`, { key: stranger.apiKey }),
    ]) {
      assert.equal(reply.status, 404)
      assert.deepEqual(reply.json, { errors: ['Not found.'] })
    }
  })

  test('406 for what has no pages', async () => {
    assert.equal((await shop.ask('GET /statements.pdf')).status, 406)
    assert.equal((await shop.ask(`GET /subscriptions/${id}.pdf`)).status, 406)
  })

  test('503 with a sentence when the pages cannot be made, while everything else is served', async (t) => {
    const working = shop.app.pdf
    t.after(() => {
      shop.app.pdf = working
    })
    shop.app.pdf = createPdfRenderer(shop.app.log, { documentMs: 1 })
    const reply = await shop.ask(`GET /statements/${statementId}.pdf`)
    assert.equal(reply.status, 503)
    assert.deepEqual(reply.json, { errors: ['The PDF could not be made just now. Please try again in a moment.'] })
    assert.equal((await shop.ask(`GET /statements/${statementId}.json`)).status, 200)
    await shop.app.pdf.close()
  })
})
