/** The port itself: protocols, limits, slow clients, and the stop. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { promptly, until, within } from '../support/patience.ts'
import { ask, askHttp2, held, openTls, say, startServer, statusOf, type WireServer } from './wire-server.ts'

const connectionTo = async (port: number) => {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

describe('the port', () => {
  let server: WireServer
  let port: number
  before(async () => {
    server = await startServer()
    port = server.port
  })
  after(() => server.close(0))

  it('speaks TLS 1.2 and 1.3', async () => {
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const socket = await openTls(port, { minVersion: version, maxVersion: version })
      assert.equal(socket.getProtocol(), version)
      socket.destroy()
    }
  })

  it('refuses TLS 1.0 and 1.1', async () => {
    for (const version of ['TLSv1', 'TLSv1.1'] as const) {
      const old = { minVersion: version, maxVersion: version, ciphers: 'ALL@SECLEVEL=0' }
      await assert.rejects(openTls(port, old), /alert protocol version|unsupported protocol|ECONNRESET/)
    }
  })

  it('refuses weak ciphers', async () => {
    for (const ciphers of ['RC4', '3DES', 'NULL@SECLEVEL=0', 'aNULL@SECLEVEL=0', 'DES-CBC3-SHA@SECLEVEL=0']) {
      await assert.rejects(
        async () => openTls(port, { maxVersion: 'TLSv1.2', ciphers }),
        /handshake failure|no cipher|no ciphers|ECONNRESET/,
      )
    }
  })

  it('does not let a client renegotiate', async () => {
    const socket = await openTls(port, { maxVersion: 'TLSv1.2' })
    const outcome = await new Promise<Error | null>((resolve) => {
      socket.on('error', resolve)
      socket.on('close', () => resolve(new Error('closed')))
      socket.renegotiate({ rejectUnauthorized: false }, resolve)
    })
    assert.ok(outcome instanceof Error)
    socket.destroy()
  })

  it('serves nothing over plain HTTP', async () => {
    const socket = await connectionTo(port)
    let heard = ''
    socket.on('data', (chunk) => {
      heard += chunk
    })
    socket.on('error', () => {})
    socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await once(socket, 'close')
    assert.doesNotMatch(heard, /HTTP\/1\.1 2|ok/)
  })

  it('speaks HTTP/1.1 and HTTP/2, and is healthy without credentials', async () => {
    assert.deepEqual(
      [
        (await ask(port, '/healthz', { anonymous: true })).text,
        (await askHttp2(port, '/healthz', { anonymous: true })).text,
      ],
      ['ok\n', 'ok\n'],
    )
  })

  it('refuses HTTP/1.1 without exactly one valid host', async () => {
    const get = (headers: string, path = '/healthz') =>
      say(port, `GET ${path} HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`)
    assert.equal(statusOf(await get('Host: localhost\r\n')), 200)
    assert.equal(statusOf(await get('Host: [::1]:8443\r\n')), 200)
    for (const path of ['/healthz', '/things']) {
      assert.equal(statusOf(await get('', path)), 400)
      assert.equal(statusOf(await get('Host: a\r\nHost: b\r\n', path)), 400)
      assert.equal(statusOf(await get('Host: a b\r\n', path)), 400)
      assert.equal(statusOf(await get('Host: a/b\r\n', path)), 400)
      assert.equal(statusOf(await get('Host: \r\n', path)), 400)
    }
    assert.equal(statusOf(await say(port, 'GET /healthz HTTP/1.0\r\n\r\n')), 200)
  })

  it('refuses smuggled and malformed requests with a 400 and ends the connection', async () => {
    const head = 'POST /echo HTTP/1.1\r\nHost: x\r\nAuthorization: Basic azp4\r\n'
    const requests = [
      `${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n`,
      `${head}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`,
      `${head}Transfer-Encoding: chunked, identity\r\n\r\n{}`,
      `${head}Content-Length: -1\r\n\r\n`,
      `${head}X-A: b\nX-C: d\r\n\r\n`,
      `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
      'NONSENSE\r\n\r\n',
      'GET / HTTP/9.9\r\nHost: x\r\n\r\n',
    ]
    for (const request of requests) {
      const heard = await say(port, request)
      assert.equal(statusOf(heard), 400, request)
      assert.doesNotMatch(heard, /200 OK/)
    }
  })

  it('answers pipelined requests in their order', async () => {
    const get = (path: string, rest = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: a\r\n${rest}\r\n`
    const heard = await say(port, get('/slow') + get('/healthz') + get('/none', 'Connection: close\r\n'))
    assert.match(heard, /slow[\s\S]*ok\n[\s\S]*Not found/)
  })

  it('survives CONNECT, upgrades, OPTIONS * and absolute targets', async () => {
    const rest = 'Host: x\r\nConnection: close\r\n\r\n'
    assert.doesNotMatch(await say(port, `CONNECT x:443 HTTP/1.1\r\n${rest}`), / 200 /)
    assert.equal(statusOf(await say(port, `OPTIONS * HTTP/1.1\r\n${rest}`)), 401)
    assert.equal(statusOf(await say(port, `GET https://x/healthz HTTP/1.1\r\n${rest}`)), 401)
    assert.equal(
      statusOf(
        await say(port, 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n'),
      ),
      200,
    )
    assert.equal((await ask(port, '/healthz')).status, 200)
  })

  it('has limits: 413, 414 and 431', async () => {
    const big = 'x'.repeat(1_048_577)
    for (const send of [ask, askHttp2]) {
      assert.equal((await send(port, '/echo', { method: 'POST', body: big })).status, 413)
      assert.equal((await send(port, '/echo', { method: 'POST', body: `"${big.slice(3)}"` })).status, 200)
      assert.equal((await send(port, `/things?a=${'x'.repeat(8_182)}`)).status, 200)
      assert.equal((await send(port, `/things?a=${'x'.repeat(8_183)}`)).status, 414)
    }
    const chunk = 'x'.repeat(65_536)
    const chunks = `${chunk.length.toString(16)}\r\n${chunk}\r\n`.repeat(20)
    const post =
      'POST /echo HTTP/1.1\r\nHost: x\r\nAuthorization: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n'
    assert.equal(statusOf(await say(port, `${post}${chunks}0\r\n\r\n`)), 413)
    const wide = await say(port, `GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: ${'x'.repeat(17_000)}\r\n\r\n`)
    assert.equal(statusOf(wide), 431)
    assert.match(wide, /\{"errors":\["The request headers are too large\."\]\}$/)
  })

  it('does not take headers without end over HTTP/2', async () => {
    const wide = (length: number) => askHttp2(port, '/healthz', { headers: { 'x-a': 'x'.repeat(length) } })
    assert.equal((await wide(15_000)).status, 200)
    assert.equal((await wide(17_000)).status, 431)
    await assert.rejects(wide(200_000))
    assert.equal((await wide(10)).status, 200)
  })
})

describe('a slow client', { concurrency: true }, () => {
  const limits = {
    headers_in_ms: 200,
    request_in_ms: 400,
    body_in_ms: 400,
    idle_in_ms: 200,
    stalled_in_ms: 600,
  }
  let server: WireServer
  before(async () => {
    server = await startServer(limits)
  })
  after(() => server.close(0))

  it('is dropped in the handshake', async (t) => {
    // Who shakes hands on a busy machine is not to be dropped by the limits of the others.
    const hasty = await startServer({ handshake_in_ms: 200 })
    t.after(() => hasty.close(0))
    const socket = await connectionTo(hasty.port)
    socket.on('error', () => {})
    await within(once(socket, 'close'), 'the end')
  })

  it('is told 408 when its headers or its body do not come', async () => {
    assert.equal(statusOf(await say(server.port, 'GET /healthz HTTP/1.1\r\nHo')), 408)
    const post = 'POST /echo HTTP/1.1\r\nHost: x\r\nAuthorization: a\r\nContent-Length: 10\r\n\r\n{'
    assert.equal(statusOf(await say(server.port, post)), 408)
  })

  it('is told 408 over HTTP/2 too, however it trickles', async () => {
    const session = connectHttp2(`https://127.0.0.1:${server.port}`, { rejectUnauthorized: false })
    session.on('error', () => {})
    const stream = session.request({ ':path': '/echo', ':method': 'POST', authorization: 'a' })
    stream.on('error', () => {})
    const trickle = setInterval(() => stream.write(' '), 50)
    const [headers] = await once(stream, 'response')
    clearInterval(trickle)
    session.destroy()
    assert.equal(headers[':status'], 408)
  })

  it('loses an idle connection, over either protocol', async () => {
    const socket = await openTls(server.port)
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
    socket.resume()
    const session = connectHttp2(`https://127.0.0.1:${server.port}`, { rejectUnauthorized: false })
    session.on('error', () => {})
    await within(Promise.all([once(socket, 'close'), once(session, 'close')]), 'the ends')
  })
})

describe('a stop', () => {
  it('lets requests in progress finish and ends idle connections at once', async () => {
    const server = await startServer()
    const idle = await openTls(server.port)
    idle.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(idle, 'data')
    const idleSession = connectHttp2(`https://127.0.0.1:${server.port}`, { rejectUnauthorized: false })
    await once(idleSession, 'connect')
    const busy = openTls(server.port).then(async (socket) => {
      socket.write('GET /held HTTP/1.1\r\nHost: x\r\nAuthorization: a\r\n\r\n')
      let heard = ''
      for await (const chunk of socket) heard += chunk
      return heard
    })
    const busyHttp2 = askHttp2(server.port, '/held')
    await until('both at work', () => held.length === 2)
    const ends = Promise.all([once(idle, 'close'), once(idleSession, 'close')])
    const closed = server.close()
    await within(ends, 'the ends of idle connections')
    for (const release of held) release()
    await closed
    assert.match(await busy, /HTTP\/1\.1 200 OK[\s\S]*connection: close[\s\S]*held$/i)
    assert.equal((await busyHttp2).text, 'held')
    await assert.rejects(connectionTo(server.port), /ECONNREFUSED/)
  })

  it('cuts what does not end within the grace', async () => {
    const server = await startServer()
    const socket = await openTls(server.port)
    socket.on('error', () => {})
    socket.write('POST /echo HTTP/1.1\r\nHost: x\r\nAuthorization: a\r\nContent-Length: 10\r\n\r\n{')
    await within(server.close(200), 'the end', promptly(1500))
  })
})
