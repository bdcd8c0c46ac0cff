/** Methods that a path is not served with, or that nobody knows. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ask, askHttp2, say, startServer, statusOf, type WireServer } from './wire-server.ts'

let server: WireServer
let port: number
before(async () => {
  server = await startServer()
  port = server.port
})
after(() => server.close(0))

test('a method that a path lacks is a 405 that names those that it has, in the format that was asked for', async () => {
  for (const send of [ask, askHttp2]) {
    for (const method of ['PATCH', 'OPTIONS', 'TRACE', 'DELETE', 'PROPFIND']) {
      const got = await send(port, '/things', { method })
      assert.deepEqual([got.status, got.headers.allow], [405, 'GET, HEAD, POST'], method)
    }
    const sentence = 'This path is not served with that method, but with POST, PUT, PATCH, DELETE.'
    const json = await send(port, '/echo.json')
    assert.deepEqual([json.status, JSON.parse(json.text)], [405, { errors: [sentence] }])
    const xml = await send(port, '/echo.xml')
    assert.equal(xml.status, 405)
    assert.ok(xml.text.endsWith(`<errors><error>${sentence}</error></errors>\n`), xml.text)
    assert.equal((await send(port, '/things/5', { method: 'POST' })).headers.allow, 'GET, HEAD')
  }
})

test('nobody is told about methods without credentials, and a path that does not exist has none', async () => {
  for (const send of [ask, askHttp2]) {
    assert.equal((await send(port, '/things', { method: 'DELETE', anonymous: true })).status, 401)
    assert.equal((await send(port, '/none', { method: 'DELETE' })).status, 404)
    assert.equal((await send(port, '/things/%2e%2e', { method: 'DELETE' })).status, 404)
  }
})

test('a method that nobody knows is a 400, over HTTP/1.1 and HTTP/2, and nothing in the log', async () => {
  server.logged.length = 0
  for (const path of ['/things', '/none', '/healthz']) {
    for (const anonymous of [true, false]) {
      const got = await askHttp2(port, path, { method: 'BREW', anonymous, body: 'x' })
      assert.deepEqual([got.status, JSON.parse(got.text)], [400, { errors: ['There is no such method in HTTP.'] }])
    }
    assert.equal(statusOf(await say(port, `BREW ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)), 400)
  }
  assert.deepEqual(server.logged, [])
})
