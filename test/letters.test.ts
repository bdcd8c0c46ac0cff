/** Customers hear of what concerns them, once: which letters are written, how they leave, and what a crash or a mail server can do to them. */
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { sendLetters } from '../src/actions/send-letters.ts'
import { outboxPost, type Post, smtpPost } from '../src/mail/post.ts'
import { claimLetters } from '../src/store/letters.ts'
import { sql } from '../src/store/sql.ts'
import { ada, decliningCard, goodCard, openedAt, openShop, type Shop, signup } from './api/shop.ts'
import { mailServer } from './support/mail-server.ts'
import { keepingPost, office, subscribe } from './support/post-office.ts'
import { turnableClock } from './support/turnable-clock.ts'

async function letters(shop: Shop): Promise<{ kind: string; status: string; [field: string]: unknown }[]> {
  const { json } = await shop.ask('GET /letters.json')
  return json.map(({ letter }: { letter: object }) => letter).toReversed()
}

const kinds = async (shop: Shop): Promise<string[]> => (await letters(shop)).map(({ kind }) => kind)

describe('a letter is written', () => {
  test('for each payment, each failed payment and each cancellation, and for nothing else', async (t) => {
    const shop = await openShop(t)
    const { id } = await subscribe(shop)
    assert.deepEqual(await kinds(shop), ['receipt'])
    await shop.ask(`PUT /subscriptions/${id}.json`, {
      body: { subscription: { credit_card_attributes: decliningCard } },
    })
    await shop.moveClock('2027-02-15T13:00:00Z')
    assert.deepEqual(await kinds(shop), ['receipt', 'payment_failed'])
    await shop.ask(`PUT /subscriptions/${id}.json`, { body: { subscription: { credit_card_attributes: goodCard } } })
    assert.deepEqual(await kinds(shop), ['receipt', 'payment_failed', 'receipt'])
    await shop.ask(`POST /subscriptions/${id}/delayed_cancel.json`)
    await shop.moveClock('2027-03-16T13:00:00Z')
    assert.deepEqual((await kinds(shop)).slice(3), ['cancellation', 'cancellation'])
  })

  test('once for a renewal without a card, where nothing could be tried', async (t) => {
    const shop = await openShop(t)
    const { id, customerId } = await subscribe(shop)
    const { json } = await shop.ask(`GET /payment_profiles.json?customer_id=${customerId}`)
    const card = json[0].payment_profile.id
    await shop.ask(`DELETE /subscriptions/${id}/payment_profiles/${card}.json`)
    await shop.moveClock('2027-02-15T13:00:00Z')
    const post = keepingPost()
    await sendLetters(shop.app, office(post))
    assert.deepEqual(await kinds(shop), ['receipt', 'payment_failed'])
    assert.match(post.mails[1]!.text, /a payment for .* is due and we have no card of yours/)
  })

  test('not when the sign-up is refused, nor when the site has switched its kind off', async (t) => {
    const shop = await openShop(t)
    const refused = await shop.ask('POST /subscriptions.json', {
      body: signup({ payment_profile_attributes: decliningCard }),
    })
    assert.equal(refused.status, 422)
    await shop.ask('PUT /letters/settings.json', { body: { letter_settings: { receipt: false } } })
    const { id } = await subscribe(shop)
    assert.deepEqual(await kinds(shop), [])
    await shop.ask(`DELETE /subscriptions/${id}.json`)
    assert.deepEqual(await kinds(shop), ['cancellation'])
  })

  test('for an invitation to the portal, with a link of its own', async (t) => {
    const shop = await openShop(t)
    const { customerId } = await subscribe(shop)
    await shop.ask(`POST /portal/customers/${customerId}/enable.json?auto_invite=1`)
    const post = keepingPost()
    await sendLetters(shop.app, office(post))
    const [, invitation] = post.mails
    const link = new RegExp(`https://billing\\.example\\.com/manage/invitation/${customerId}/\\d+/[0-9a-f]+`)
    assert.match(invitation!.text, link)
    assert.match(invitation!.html, link)
  })
})

describe('a letter says', () => {
  test('what was announced, also when it is sent after the day has come', async (t) => {
    const shop = await openShop(t, { notices: { renewalDays: 3, trialDays: 3, expiringCards: true } })
    await subscribe(shop, {
      product_handle: 'card-trial',
      payment_profile_attributes: { ...goodCard, expiration_month: 4, expiration_year: 2027 },
    })
    await shop.moveClock('2027-03-20T00:00:00Z')
    const post = keepingPost()
    while ((await sendLetters(shop.app, office(post))) > 0);
    assert.deepEqual(
      post.mails.map(({ subject }) => subject),
      [
        'Your trial of Card Trial ends on February 15, 2027',
        'Receipt for your payment of $50.00 to acme',
        'Your card for Card Trial is about to expire',
        'Card Trial renews on March 15, 2027',
        'Your card for Card Trial is about to expire',
        'Receipt for your payment of $50.00 to acme',
      ],
    )
    assert.match(post.mails[0]!.text, /First payment: +\$50\.00\n +Card: +Card ending in 1\n/)
  })

  test('what happened, in HTML and in text, and nothing in a name becomes markup or a header', async (t) => {
    const shop = await openShop(t)
    const customer = {
      ...ada,
      first_name: '<b>Ada</b>',
      last_name: 'Love\r\nBcc: all@example.com',
      cc_emails: 'books@example.com, nonsense',
    }
    await subscribe(shop, { customer_attributes: customer })
    const directory = await mkdtemp(join(tmpdir(), 'kalends-outbox-'))
    t.after(() => rm(directory, { recursive: true }))
    await sendLetters(shop.app, office(outboxPost(join(directory, 'outbox'))))
    const [file, ...others] = await readdir(join(directory, 'outbox'))
    assert.deepEqual(others, [])
    assert.match(file!, /^20270115T120000-\d+-\d+-receipt\.eml$/)
    const text = await readFile(join(directory, 'outbox', file!), 'utf8')
    const head = text.slice(0, text.indexOf('\n\n'))
    assert.match(head, /^Subject: Receipt for your payment of \$\d+\.\d\d to acme$/m)
    assert.match(head, /^Cc: books@example\.com$/m)
    assert.doesNotMatch(head, /^Bcc:/im)
    assert.match(head, /^Message-ID: <letter-\d+-\d+@example\.com>$/m)
    assert.match(text, /Content-Type: text\/plain/)
    const html = text.slice(text.indexOf('text/html'))
    assert.match(html, /&lt;b&gt;Ada/)
    assert.doesNotMatch(html, /<b>Ada/)
  })
})

test('a receipt comes with the page of its statement, other letters come alone', async (t) => {
  const shop = await openShop(t)
  const { id } = await subscribe(shop)
  await shop.ask(`DELETE /subscriptions/${id}.json`)
  const post = keepingPost()
  await sendLetters(shop.app, office(post))
  const [receipt, cancellation] = post.mails
  const { json } = await shop.ask(`GET /subscriptions/${id}/transactions.json`)
  const paid = json.find(({ transaction }: { transaction: { type: string } }) => transaction.type === 'Payment')
  assert.deepEqual(
    receipt!.attachments.map(({ filename, contentType }) => [filename, contentType]),
    [[`statement-${paid.transaction.statement_id}.pdf`, 'application/pdf']],
  )
  assert.equal(receipt!.attachments[0]!.content.subarray(0, 5).toString(), '%PDF-')
  assert.deepEqual(cancellation!.attachments, [])
})

describe('a letter leaves', () => {
  /** Letters without a page come quickest. */
  const cancelOne = async (shop: Shop, reference = 'ada') => {
    await shop.ask('PUT /letters/settings.json', { body: { letter_settings: { receipt: false } } })
    const { id } = await subscribe(shop, { customer_attributes: { ...ada, reference } })
    await shop.ask(`DELETE /subscriptions/${id}.json`)
  }
  const waiting = async (t: TestContext) => {
    const clock = turnableClock(openedAt)
    const shop = await openShop(t, { clock })
    await cancelOne(shop)
    return { clock, shop }
  }

  test('by SMTP, whole, and is on record as sent', async (t) => {
    const { shop } = await waiting(t)
    const server = await mailServer(t)
    const post = smtpPost(server.url)
    assert.equal(await sendLetters(shop.app, office(post)), 1)
    assert.equal(await sendLetters(shop.app, office(post)), 0)
    assert.equal(server.received.length, 1)
    assert.match(server.received[0]!, /^From: acme <billing@example\.com>\r$/m)
    const [letter] = await letters(shop)
    assert.deepEqual(
      [letter!.status, letter!.recipient, letter!.attempts, letter!.last_error],
      ['sent', 'ada@example.com', 1, null],
    )
  })

  test('later when the server is busy or away, with growing gaps, and never when the server refuses it', async (t) => {
    const { shop, clock } = await waiting(t)
    const server = await mailServer(t)
    const post = smtpPost(server.url)
    server.answers.push(451)
    await sendLetters(shop.app, office(post))
    const [put] = await letters(shop)
    assert.deepEqual([put!.status, put!.attempts], ['waiting', 1])
    assert.match(String(put!.last_error), /could not be sent/)
    assert.equal(await sendLetters(shop.app, office(post)), 0, 'not before its time')
    clock.turn(1)
    server.answers.push(550)
    assert.equal(await sendLetters(shop.app, office(post)), 1)
    clock.turn(10_000)
    assert.equal(await sendLetters(shop.app, office(post)), 0)
    const [refused] = await letters(shop)
    assert.deepEqual([refused!.status, refused!.last_error], ['given_up', 'The mail server answered 550.'])
    assert.deepEqual(server.received, [])
  })

  test('is given up after three days without a server', async (t) => {
    const { shop, clock } = await waiting(t)
    const closed = createServer()
    await new Promise<void>((listening) => closed.listen(0, '127.0.0.1', listening))
    const { port } = closed.address() as { port: number }
    await new Promise((done) => closed.close(done))
    const post = smtpPost(`smtp://127.0.0.1:${port}`)
    let attempts = 0
    for (let hour = 0; hour < 24 * 4; hour++) {
      attempts += await sendLetters(shop.app, office(post))
      clock.turn(60)
    }
    const [letter] = await letters(shop)
    assert.deepEqual([attempts, letter!.status], [9, 'given_up'])
  })

  test('once more, and only once, after a crash in the middle of sending', async (t) => {
    const { shop, clock } = await waiting(t)
    const wall = clock.now()
    const claimed = await claimLetters(shop.app.db, shop.siteId, {
      wall,
      leaseUntil: wall.add({ minutes: 15 }),
      limit: 20,
    })
    assert.equal(claimed.length, 1)
    const post = keepingPost()
    assert.equal(await sendLetters(shop.app, office(post)), 0, 'whoever claimed it may still be sending it')
    clock.turn(15)
    assert.equal(await sendLetters(shop.app, office(post)), 1)
    clock.turn(60)
    assert.equal(await sendLetters(shop.app, office(post)), 0)
    assert.equal(post.mails.length, 1)
  })

  test('many at a time, over few connections, and one that hangs or whose customer is gone holds up no other', async (t) => {
    const { shop } = await waiting(t)
    for (let place = 0; place < 60; place++) await cancelOne(shop, String(place))
    const written = await shop.app.db.arrays(
      sql`select id, customer_id from letters where site_id = ${shop.siteId} order by id`,
    )
    const [gone, stuck] = [written[0]!, written[1]!]
    await shop.app.db.run(
      sql`update customers set deleted_at = created_at where site_id = ${shop.siteId} and id = ${gone[1] as number}`,
    )
    const hanging = Promise.withResolvers<void>()
    let [underWay, most] = [0, 0]
    const sent: string[] = []
    const slow: Post = {
      send: async ({ messageId }) => {
        most = Math.max(most, ++underWay)
        if (messageId.includes(`-${stuck[0]}@`)) await hanging.promise
        await pause(20)
        underWay -= 1
        sent.push(messageId)
      },
      close: () => {},
    }
    const round = sendLetters(shop.app, office(slow))
    const end = performance.now() + 30_000
    while (sent.length < 59 && performance.now() < end) await pause(20)
    assert.equal(sent.length, 59, 'all but the one that hangs and the one without a customer')
    assert.ok(most > 4 && most <= 16, `${most} at a time`)
    hanging.resolve()
    assert.equal(await round, 61)
    const [row] = await shop.app.db.arrays(sql`
      select count(*) filter (where sent_at is not null)::int, count(*) filter (where last_error = 'The customer was deleted.')::int
      from letters where site_id = ${shop.siteId}`)
    assert.deepEqual(row, [60, 1])
  })

  test('over a few connections to the mail server that are used again', async (t) => {
    const { shop } = await waiting(t)
    for (let place = 0; place < 30; place++) await cancelOne(shop, String(place))
    const server = await mailServer(t)
    const post = smtpPost(server.url)
    t.after(() => post.close())
    assert.equal(await sendLetters(shop.app, office(post)), 31)
    assert.equal(server.received.length, 31)
    assert.ok(server.connections() <= 8, `${server.connections()} connections`)
  })

  test('by one of several processes', async (t) => {
    const { shop } = await waiting(t)
    for (let place = 0; place < 30; place++) await cancelOne(shop, String(place))
    const posts = Array.from({ length: 4 }, keepingPost)
    for (let round = 0; round < 3; round++) await Promise.all(posts.map((post) => sendLetters(shop.app, office(post))))
    const names = posts.flatMap(({ mails }) => mails.map(({ messageId }) => messageId))
    assert.equal(names.length, 31)
    assert.equal(new Set(names).size, 31)
  })
})
