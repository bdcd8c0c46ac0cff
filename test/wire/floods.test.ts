/** Strangers who ask for far more than they wait for: others are answered all the same, and the connections of the strangers end. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as connectHttp2, constants } from 'node:http2'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { patienceMs, promptly } from '../support/patience.ts'
import { headersFrame, openRawHttp2, resetFrame } from '../support/raw-http2.ts'
import { ask, openTls, startServer } from './wire-server.ts'

const fields = { ':method': 'GET', ':scheme': 'https', ':authority': 'localhost', authorization: 'a' }

/** Opens streams and cancels each in the same breath. */
const cancelledStreams = (count: number, path: string): Buffer =>
  Buffer.concat(
    Array.from({ length: count }, (_, place) => [
      headersFrame(2 * place + 1, { ...fields, ':path': path }),
      resetFrame(2 * place + 1),
    ]).flat(),
  )

test('no work is begun for streams that were cancelled as they were opened', async (t) => {
  const server = await startServer()
  t.after(() => server.close(0))
  const sessions = await Promise.all(Array.from({ length: 20 }, () => openRawHttp2(server.port)))
  for (const { socket } of sessions) socket.write(cancelledStreams(150, '/slow'))
  const began = performance.now()
  assert.equal((await ask(server.port, '/things/1')).status, 200)
  assert.ok(performance.now() - began < promptly(2000), 'and others are answered meanwhile')
  await pause(500)
  const served = server.observed.filter(({ route }) => route === '/slow')
  assert.ok(served.length < 300, `${served.length} of 3,000 were worked on`)
  for (const { socket } of sessions) socket.destroy()
})

test('a connection on which streams are cancelled without end is ended', async (t) => {
  const server = await startServer()
  t.after(() => server.close(0))
  const { socket, goneAway } = await openRawHttp2(server.port)
  socket.write(cancelledStreams(400, '/things/1'))
  await goneAway
  assert.equal((await ask(server.port, '/things/1')).status, 200)
  socket.destroy()
})

test('a body that is too large is answered, and its connection ends though the client goes on sending', async (t) => {
  const server = await startServer({ discarded_in_ms: 300 })
  t.after(() => server.close(0))
  const socket = await openTls(server.port)
  socket.on('error', () => {})
  let heard = ''
  socket.on('data', (chunk) => {
    heard += chunk
  })
  const head = 'POST /echo HTTP/1.1\r\nHost: x\r\nAuthorization: a\r\nContent-Length: 100000000\r\n\r\n'
  socket.write(head)
  const trickle = setInterval(() => socket.write('x'.repeat(100)), 50)
  const closed = once(socket, 'close', { signal: AbortSignal.timeout(patienceMs) })
  await closed.finally(() => clearInterval(trickle))
  assert.match(heard, /^HTTP\/1\.1 413 [\s\S]*connection: close[\s\S]*too large/i)
})

test('over HTTP/2 too', async (t) => {
  const server = await startServer({ discarded_in_ms: 300 })
  t.after(() => server.close(0))
  const session = connectHttp2(`https://127.0.0.1:${server.port}`, { rejectUnauthorized: false })
  session.on('error', () => {})
  const stream = session.request({
    ':path': '/echo',
    ':method': 'POST',
    authorization: 'a',
    'content-length': 100000000,
  })
  stream.on('error', () => {})
  const trickle = setInterval(() => stream.write('x'.repeat(100)), 50)
  t.after(() => clearInterval(trickle))
  const [headers] = await once(stream, 'response')
  assert.equal(headers[constants.HTTP2_HEADER_STATUS], 413)
  stream.resume()
  await once(session, 'close', { signal: AbortSignal.timeout(patienceMs) })
})
