/** Requests and answers over real connections: formats, order of checks, shapes of errors. */

import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { ask, askHttp2, json, say, startServer, statusOf, type WireServer } from './wire-server.ts'

let server: WireServer
let port: number
before(async () => {
  server = await startServer()
  port = server.port
})
after(() => server.close(0))

const asJson = { 'content-type': 'application/json' }
const asXml = { 'content-type': 'application/xml' }
const xml = (inner: string): string => `<?xml version="1.0" encoding="UTF-8"?>\n${inner}\n`

describe('an answer', () => {
  it('is the same resource in JSON and in XML, over HTTP/1.1 and HTTP/2', async () => {
    for (const get of [ask, askHttp2]) {
      assert.deepEqual(json(await get(port, '/things.json')), [{ thing: { id: 1, note: null } }])
      const got = await get(port, '/things.xml')
      assert.equal(got.headers['content-type'], 'application/xml; charset=utf-8')
      assert.equal(
        got.text,
        xml('<things type="array"><thing><id type="integer">1</id><note nil="true"/></thing></things>'),
      )
    }
  })

  it('is never kept by a cache, and carries its request id', async () => {
    const [one, two] = [await ask(port, '/things/1'), await askHttp2(port, '/none', { anonymous: true })]
    for (const { headers } of [one, two]) {
      assert.equal(headers['cache-control'], 'no-store')
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.match(String(headers['x-request-id']), /^[0-9a-f-]{36}$/)
    }
    assert.notEqual(one.headers['x-request-id'], two.headers['x-request-id'])
  })

  it('may have headers of its own, or no body', async () => {
    const made = await ask(port, '/things', { method: 'POST', headers: asJson, body: '{"thing":{"name":"a"}}' })
    assert.equal(made.status, 201)
    assert.equal(made.headers.location, '/things/1')
    const none = await ask(port, '/nothing.xml', { method: 'PUT' })
    assert.deepEqual([none.status, none.text, none.headers['content-type']], [204, '', undefined])
  })

  it('to HEAD is that of GET without its body', async () => {
    for (const head of [ask, askHttp2]) {
      const got = await head(port, '/things.json', { method: 'HEAD' })
      assert.deepEqual([got.status, got.text, got.headers['content-length']], [200, '', '32'])
    }
  })

  it('is observed once, by the pattern of its route', async () => {
    server.observed.length = 0
    await ask(port, '/things/4111111111111111.json?card=4111111111111111')
    await ask(port, '/secret')
    assert.deepEqual(
      server.observed.map(({ method, route, status }) => [method, route, status]),
      [
        ['GET', '/things/:id', 200],
        ['GET', '', 404],
      ],
    )
    assert.ok(server.observed.every(({ duration_in_ms, id }) => duration_in_ms >= 0 && id.length === 36))
  })
})

describe('a request', () => {
  it('is given to its route with its parameters, query and host', async () => {
    const got = await askHttp2(port, '/things/caf%C3%A9.json?&&a=1&b[]=2&c=&a=3', {
      headers: { ':authority': 'Acme.Localhost:8443' },
    })
    assert.deepEqual(json(got), {
      thing: {
        id: null,
        raw_id: 'café',
        query: { a: ['1', '3'], b: ['2'] },
        host: 'acme.localhost:8443',
        path: '/things/caf%C3%A9',
        key: 'Basic azp4',
        note: null,
      },
    })
  })

  it('may come without a suffix, with an Accept that disagrees, or with one that wants anything', async () => {
    const formats: [string, Record<string, string>, string][] = [
      ['/things', { accept: 'application/xml' }, 'application/xml; charset=utf-8'],
      ['/things.json', { accept: 'application/xml' }, 'application/json; charset=utf-8'],
      ['/things.xml', { accept: 'application/json', ...asJson }, 'application/xml; charset=utf-8'],
      ['/things', { accept: '*/*', ...asXml }, 'application/xml; charset=utf-8'],
      ['/things', {}, 'application/json; charset=utf-8'],
    ]
    for (const [path, headers, expected] of formats)
      assert.equal((await ask(port, path, { headers })).headers['content-type'], expected)
  })

  it('carries the same tree in JSON and in XML', async () => {
    const tree = { thing: { product_handle: 'a', id: 0, gone: null, ids: [1, 2] } }
    const document =
      '<thing><product-handle>a</product-handle><id type="integer">0</id><gone nil="true"/><ids type="array"><id type="integer">1</id><id type="integer">2</id></ids></thing>'
    for (const send of [ask, askHttp2]) {
      for (const method of ['POST', 'PUT', 'DELETE']) {
        const sent = await send(port, '/echo.json', { method, headers: asJson, body: JSON.stringify(tree) })
        assert.deepEqual(json(sent), { method, body: tree })
        const sentXml = await send(port, '/echo.json', { method, headers: asXml, body: document })
        assert.deepEqual(json(sentXml), { method, body: tree })
      }
    }
  })

  it('is read by its suffix when it has no Content-Type, and never by its looks', async () => {
    const post = (path: string, body: string) => ask(port, path, { method: 'POST', body })
    assert.deepEqual(json(await post('/echo.json', '{"a":1}')), { method: 'POST', body: { a: 1 } })
    assert.equal((await post('/echo.xml', '<a>1</a>')).status, 200)
    assert.equal((await post('/echo.xml', '{"a":1}')).status, 400)
  })

  it('may have an empty body of any type', async () => {
    for (const type of ['application/x-www-form-urlencoded', 'nonsense', ';;', 'text/plain; charset=latin1', '']) {
      for (const send of [ask, askHttp2]) {
        const got = await send(port, '/echo.json', {
          method: 'POST',
          headers: { 'content-type': type, 'content-encoding': 'gzip', 'content-length': '0' },
          body: '',
        })
        assert.deepEqual([got.status, json(got)], [200, { method: 'POST', body: null }])
      }
    }
    assert.equal((await ask(port, '/echo.json', { method: 'POST', headers: asJson, body: ' \n' })).status, 200)
  })

  it('may begin with a byte order mark', async () => {
    assert.deepEqual(json(await ask(port, '/echo.json', { method: 'POST', body: '\ufeff{"a":1}' })), {
      method: 'POST',
      body: { a: 1 },
    })
    assert.equal((await ask(port, '/echo.xml', { method: 'POST', body: '\ufeff<a>1</a>' })).status, 200)
  })

  it('may say its method in a header, on POST only', async () => {
    const say = async (method: string, override: string) => {
      const got = await ask(port, '/echo.json', {
        method,
        headers: { ...asJson, 'x-http-method-override': override },
        body: '{}',
      })
      return got.status === 200 ? (json(got) as { method: string }).method : got.status
    }
    assert.equal(await say('POST', 'DELETE'), 'DELETE')
    assert.equal(await say('POST', 'put'), 'PUT')
    assert.equal(await say('POST', 'PATCH'), 'PUT')
    assert.equal(await say('POST', 'POST'), 'POST')
    assert.equal(await say('PUT', 'DELETE'), 'PUT')
    assert.equal(await say('PATCH', 'DELETE'), 'PUT')
    for (const unknown of ['GET', 'TRACE', 'nonsense', '__proto__', 'constructor'])
      assert.equal(await say('POST', unknown), 400)
    const got = await ask(port, '/things/1', { headers: { 'x-http-method-override': 'DELETE' } })
    assert.equal(got.status, 200)
  })
})

describe('what is wrong', () => {
  const bad = { method: 'POST', headers: asJson, body: '{"broken' }

  it('is told in the format that was asked for', async () => {
    const sentence = 'The JSON document is broken at line 1, column 9.'
    assert.deepEqual(json(await ask(port, '/things.json', bad)), { errors: [sentence] })
    assert.equal((await ask(port, '/things.xml', bad)).text, xml(`<errors><error>${sentence}</error></errors>`))
    const invalid = { method: 'POST', headers: asJson, body: '{"thing":{"name":" "}}' }
    assert.deepEqual(json(await ask(port, '/things', invalid)), { errors: ['Name: cannot be blank.'] })
    assert.equal(
      (await ask(port, '/things.xml', invalid)).text,
      xml('<errors><error>Name: cannot be blank.</error></errors>'),
    )
    assert.equal((await ask(port, '/none.xml')).text, xml('<errors><error>Not found.</error></errors>'))
  })

  it('is told in order: 401, then 404, then 400, 406, 413 and 415, then 422', async () => {
    const huge = 'x'.repeat(1_048_577)
    const anonymous = { ...bad, anonymous: true }
    assert.equal((await ask(port, '/none', { anonymous: true })).status, 401)
    assert.equal((await ask(port, '/things/.json', { anonymous: true })).status, 401)
    assert.equal((await ask(port, '/things?a=%00', { anonymous: true })).status, 401)
    assert.equal((await ask(port, '/things.pdf', { anonymous: true })).status, 401)
    assert.equal((await ask(port, '/things', anonymous)).status, 401)
    assert.equal((await ask(port, '/things', { ...anonymous, body: huge })).status, 401)
    assert.equal((await ask(port, '/things', { ...anonymous, headers: { 'content-type': 'text/plain' } })).status, 401)
    assert.equal((await ask(port, '/none', bad)).status, 404)
    assert.equal((await ask(port, '/none', { ...bad, body: huge })).status, 404)
    assert.equal((await ask(port, '/none', { headers: { accept: 'text/html' } })).status, 404)
    assert.equal((await ask(port, '/none?a=%00')).status, 404)
    assert.equal((await ask(port, '/things', bad)).status, 400)
    assert.equal((await ask(port, '/things?a=%00')).status, 400)
    assert.equal((await ask(port, '/things', { ...bad, body: huge })).status, 413)
    assert.equal((await ask(port, '/things', { headers: { accept: 'text/html' } })).status, 406)
    assert.equal((await ask(port, '/things', { ...bad, headers: { 'content-type': 'text/plain' } })).status, 415)
    assert.equal((await ask(port, '/things', { ...bad, body: '{}' })).status, 422)
  })

  it('of a form, of compressed bytes and of other encodings is a 415 or a 400, never a guess', async () => {
    const form = {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'thing[name]=a',
    }
    assert.equal((await ask(port, '/things.json', form)).status, 415)
    const packed = { method: 'POST', headers: { ...asJson, 'content-encoding': 'gzip' }, body: gzipSync('{}') }
    assert.equal((await ask(port, '/things', packed)).status, 415)
    assert.equal((await ask(port, '/things', { ...packed, body: gzipSync(Buffer.alloc(100_000_000)) })).status, 415)
    const bytes = (body: Buffer) => ask(port, '/things', { method: 'POST', headers: asJson, body })
    assert.equal((await bytes(Buffer.from('\ufeff{"thing":{"name":"a"}}', 'utf16le'))).status, 400)
    assert.equal((await bytes(Buffer.from('{"thing":{"name":"é"}}', 'latin1'))).status, 400)
  })

  it('of a path that no route has, or that plays tricks, is a 404', async () => {
    const tricks = [
      '/',
      '/things/',
      '/things/.json',
      '/things//',
      '//things',
      '/things/..',
      '/things/%2e%2e',
      '/things/1%2F2',
      '/things/%00',
      '/things/%zz',
      '/things.json.xml',
      '/things.json;.xml',
      '/things/1/2',
      '/THINGS',
      '/healthz.json',
      '/healthz/',
    ]
    for (const path of tricks) assert.equal((await ask(port, path)).status, 404, path)
    assert.equal((await ask(port, '/healthz', { method: 'POST' })).status, 404)
  })

  it('with a PDF of something that has none is a 406', async () => {
    assert.equal((await ask(port, '/things.pdf')).status, 406)
    assert.equal((await ask(port, '/invoices/5.pdf')).text, 'as pdf')
    assert.equal((await ask(port, '/invoices/5', { headers: { accept: 'application/pdf' } })).text, 'as pdf')
    assert.equal((await ask(port, '/invoices/5')).text, 'as json')
  })

  it('on our side is what the API makes of it, which keeps the record', async () => {
    const got = await ask(port, '/fault')
    assert.deepEqual([got.status, json(got)], [500, { errors: ['Ours.'] }])
    assert.equal(server.logged.length, 0)
  })

  it('of which the API makes nothing is a 500 that shows nothing, and a line in the log with the id of the request', async () => {
    const got = await ask(port, '/fault/unmapped')
    assert.deepEqual([got.status, json(got)], [500, { errors: ['Something went wrong on our side.'] }])
    const [line] = server.logged.splice(0) as { request: string; error: { message: string } }[]
    assert.equal(line?.request, got.headers['x-request-id'])
    assert.equal(line?.error.message, 'a secret detail')
  })

  it('is never a piece of the input', async () => {
    const card = '4111111111111111'
    for (const [type, body] of [
      ['json', `{"full_number": ${card}x}`],
      ['xml', `<a><n>${card}</m></a>`],
      ['xml', `<a n=${card}>`],
    ] as const) {
      const got = await ask(port, `/things.${type}`, { method: 'POST', body })
      assert.equal(got.status, 400)
      assert.doesNotMatch(got.text, /4111/)
    }
    assert.equal(server.logged.length, 0)
  })

  it('leaves the connection in order for the next request', async () => {
    const post = `POST /things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50000\r\n\r\n${'y'.repeat(50_000)}`
    const heard = await say(port, `${post}GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    assert.equal(statusOf(heard), 401)
    assert.match(heard, /HTTP\/1\.1 200 OK[\s\S]*ok\n$/)
  })
})
