/** Every way in which a receiver may answer, over real sockets: what the record says then, when the next attempt comes, and that each attempt is signed. */
import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import http2 from 'node:http2'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { answer, type Reaction, type Received, startReceiver } from '../support/receiver.ts'
import { testTls } from '../support/tls.ts'
import { openedAt, openPostOffice, type PostOffice } from './post-office.ts'

/** Where an answer is to be late. */
const limitMs = 300
const late = 'No answer within 0.3 seconds'

/** Verified as a receiver would, with nothing of ours. */
async function verify({ ask, clock }: PostOffice, endpointId: number, { headers, body }: Received): Promise<void> {
  const { shared_key: key } = (await ask('GET /site.json')).json.site
  const { secret } = (await ask(`GET /endpoints/${endpointId}/secrets.json`)).json.endpoint_secrets
  const [, id] = /^id=(\d+)&/.exec(body) ?? []
  assert.equal(headers['content-type'], 'application/x-www-form-urlencoded')
  assert.equal(headers['x-kalends-webhook-id'], id)
  assert.equal(
    headers['x-kalends-webhook-signature'],
    createHash('md5')
      .update(key + body)
      .digest('hex'),
  )
  assert.equal(
    headers['x-kalends-webhook-signature-hmac-sha-256'],
    createHmac('sha256', key).update(body).digest('hex'),
  )
  assert.equal(headers['webhook-id'], id)
  const timestamp = String(headers['webhook-timestamp'])
  assert.equal(Number(timestamp), clock.now().epochMilliseconds / 1000)
  const signed = createHmac('sha256', Buffer.from(secret.replace('whsec_', ''), 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64')
  assert.equal(headers['webhook-signature'], `v1,${signed}`)
}

const after =
  (ms: number, reaction: Reaction): Reaction =>
  (...all) =>
    void setTimeout(() => reaction(...all), ms)

const refused: [title: string, reaction: Reaction, error: string][] = [
  ['201', answer(201), '201 Created'],
  ['204', answer(204), '204 No Content'],
  ['301, which is not followed', answer(301, { location: 'http://127.0.0.1:1/' }), '301 Moved Permanently'],
  ['404', answer(404), '404 Resource Not Found'],
  ['500', answer(500), '500 Internal Server Error'],
  ['200, but too late', after(limitMs + 150, answer(200)), late],
  ['nothing, and hangs', () => {}, late],
  ['a reset', (_, __, socket) => socket.resetAndDestroy(), 'Connection closed before an answer came'],
  [
    'headers that drip',
    (_, __, socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const drip = setInterval(() => socket.write('X-Slow: 1\r\n'), 50)
      socket.on('close', () => clearInterval(drip))
      socket.on('error', () => {})
    },
    late,
  ],
  ['something that is not HTTP', (_, __, socket) => void socket.write('220 mail ready\r\n'), 'The answer is not HTTP'],
  [
    'endless headers',
    (_, __, socket) => void socket.write(`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(40_000)}\r\n`),
    'The headers of the answer are too large',
  ],
]

describe('a receiver that does not accept', () => {
  for (const [title, reaction, error] of refused) {
    test(`answers ${title}: tried again after its gap, and the record says why`, async (t) => {
      const office = await openPostOffice(t)
      if (error === late) office.hurry(limitMs)
      const receiver = await startReceiver(t, reaction)
      const endpointId = await office.endpoint(receiver.url)
      const [id] = await office.write(endpointId)
      const record = await office.attempted(id!, 1)
      assert.equal(record.successful, false)
      assert.equal(record.last_error, `${error} (retry 1 of 15)`)
      assert.equal(record.last_error_at, record.created_at)
      assert.equal(record.last_sent_at, record.created_at)
      assert.equal(record.last_sent_url, receiver.url)
      assert.equal(record.accepted_at, null)
      assert.equal(record.next_attempt_at, '2027-01-15T12:00:11Z')
      assert.equal(record.signature, receiver.received[0]!.headers['x-kalends-webhook-signature'])
      receiver.react(answer(200))
      office.hurry(null)
      office.clock.pass(11)
      const again = await office.attempted(id!, 2)
      assert.equal(again.successful, true)
      assert.deepEqual([again.last_error, again.last_error_at, again.next_attempt_at], [null, null, null])
      assert.equal(Date.parse(again.accepted_at), Date.parse('2027-01-15T12:00:11Z'))
      assert.equal(again.last_sent_at, again.accepted_at)
      assert.equal(receiver.received.length, 2)
      assert.equal(receiver.received[1]!.body, receiver.received[0]!.body)
      await verify(office, endpointId, receiver.received[1]!)
      const attempts = (await office.ask(`GET /webhooks/${id}/attempts.json`)).json
      assert.deepEqual(
        attempts.map((one: { webhook_attempt: { number: number; accepted: boolean; error: string | null } }) => [
          one.webhook_attempt.number,
          one.webhook_attempt.accepted,
          one.webhook_attempt.error,
        ]),
        [
          [1, false, `${error} (retry 1 of 15)`],
          [2, true, null],
        ],
      )
    })
  }

  test('has a certificate that nobody vouches for, or nothing listens', async (t) => {
    const office = await openPostOffice(t)
    const receiver = await startReceiver(t, answer(200), testTls)
    const [untrusted] = await office.write(await office.endpoint(receiver.url))
    const [closed] = await office.write(await office.endpoint('http://127.0.0.1:1/hook'))
    assert.equal(
      (await office.attempted(untrusted!, 1)).last_error,
      'The certificate could not be verified (retry 1 of 15)',
    )
    assert.equal((await office.attempted(closed!, 1)).last_error, 'Connection refused (retry 1 of 15)')
    assert.equal(receiver.received.length, 0)
  })
})

describe('a receiver that accepts', () => {
  const good: [title: string, reaction: Reaction][] = [
    ['at once', answer(200)],
    ['after a while', after(limitMs, answer(200))],
    [
      'with a body that never ends',
      (response, _, socket) => {
        response.writeHead(200)
        const flood = setInterval(() => response.write('x'.repeat(8192)), 5)
        socket.on('close', () => clearInterval(flood))
      },
    ],
    [
      'with a body that never comes',
      (response) => void response.writeHead(200, { 'content-length': 5 }).flushHeaders(),
    ],
  ]
  for (const [title, reaction] of good) {
    test(`answers 200 ${title}: nothing more is sent`, async (t) => {
      const office = await openPostOffice(t)
      const receiver = await startReceiver(t, reaction)
      const endpointId = await office.endpoint(receiver.url)
      const [id] = await office.write(endpointId)
      assert.deepEqual((await office.webhook(id!)).accepted_at, null)
      const record = await office.attempted(id!, 1)
      assert.equal(record.successful, true)
      assert.equal(record.accepted_at, record.created_at)
      assert.deepEqual([record.last_error, record.last_error_at, record.next_attempt_at], [null, null, null])
      await verify(office, endpointId, receiver.received[0]!)
      office.clock.pass(1000)
      await office.until(async () => true)
      assert.equal(receiver.received.length, 1)
    })
  }

  test('shows a certificate that is trusted', async (t) => {
    const office = await openPostOffice(t, { ca: testTls.cert })
    const receiver = await startReceiver(t, answer(200), testTls)
    const [id] = await office.write(await office.endpoint(`https://localhost:${receiver.port}/`))
    assert.equal((await office.attempted(id!, 1)).successful, true)
  })

  test('would speak HTTP/2 as well: it hears HTTP/1.1', async (t) => {
    const versions: string[] = []
    const server = http2.createSecureServer({ ...testTls, allowHTTP1: true }, (request, response) => {
      versions.push(request.httpVersion)
      response.writeHead(200).end()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    t.after(() => server.close())
    const office = await openPostOffice(t, { ca: testTls.cert })
    const url = `https://localhost:${(server.address() as AddressInfo).port}/`
    const [id] = await office.write(await office.endpoint(url))
    assert.equal((await office.attempted(id!, 1)).successful, true)
    assert.deepEqual(versions, ['1.1'])
  })

  test('checks a signature in the query, as old ones do', async (t) => {
    const office = await openPostOffice(t)
    const receiver = await startReceiver(t)
    const url = `${receiver.url}?signature={signature}&hmac={signature_hmac_sha_256}`
    const [id] = await office.write(await office.endpoint(url))
    const record = await office.attempted(id!, 1)
    const path = `/hook?signature=${record.signature}&hmac=${record.signature_hmac_sha_256}`
    assert.equal(receiver.received[0]!.path, path)
    assert.ok(record.last_sent_url.endsWith(path))
  })
})

test('an attempt is on record as of when it was sent, its outcome as of when the answer came', async (t) => {
  const office = await openPostOffice(t)
  let status = 500
  const receiver = await startReceiver(t, (...all) => {
    office.clock.pass(14)
    answer(status)(...all)
  })
  const [id] = await office.write(await office.endpoint(receiver.url))
  const refused = await office.attempted(id!, 1)
  assert.deepEqual(
    [refused.last_sent_at, refused.last_error_at, refused.accepted_at],
    ['2027-01-15T12:00:00+00:00', '2027-01-15T12:00:14+00:00', null],
  )
  status = 200
  office.clock.pass(11)
  const accepted = await office.attempted(id!, 2)
  assert.deepEqual(
    [accepted.last_sent_at, accepted.last_error_at, accepted.accepted_at],
    ['2027-01-15T12:00:25+00:00', null, '2027-01-15T12:00:39+00:00'],
  )
  const attempts = (await office.ask(`GET /webhooks/${id}/attempts.json`)).json
  assert.deepEqual(
    attempts.map((one: { webhook_attempt: { sent_at: string } }) => one.webhook_attempt.sent_at),
    ['2027-01-15T12:00:00+00:00', '2027-01-15T12:00:25+00:00'],
  )
  const timestamps = receiver.received.map(({ headers }) => Number(headers['webhook-timestamp']))
  assert.deepEqual(timestamps, [Date.parse(refused.last_sent_at) / 1000, Date.parse(accepted.last_sent_at) / 1000])
})

test('times on record are those of the site, whose clock was moved; receivers are told the real time', async (t) => {
  const office = await openPostOffice(t)
  const receiver = await startReceiver(t)
  await office.moveClock('2028-02-29T00:00:00Z')
  const [id] = await office.write(await office.endpoint(receiver.url))
  const record = await office.attempted(id!, 1)
  assert.equal(Date.parse(record.accepted_at), Date.parse('2028-02-29T00:00:00Z'))
  assert.equal(record.last_sent_at, record.accepted_at)
  assert.equal(receiver.received[0]!.headers['webhook-timestamp'], String(Date.parse(openedAt) / 1000))
})
