/** XML in the encodings that its declaration may name, over real connections. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ask, json, startServer, type WireServer } from './wire-server.ts'

let server: WireServer
let port: number
before(async () => {
  server = await startServer()
  port = server.port
})
after(() => server.close(0))

const name = 'Zoë Müller ÷ ½'
const document = (encoding: string) =>
  `<?xml version="1.0" encoding="${encoding}"?>\n<thing><name>${name}</name></thing>`
const big = (text: string) => Buffer.from(text, 'utf16le').swap16()

const post = (body: Buffer, type = 'application/xml') =>
  ask(port, '/echo.json', { method: 'POST', headers: { 'content-type': type }, body })

test('XML is read in the encoding that it declares, with a byte order mark and without', async () => {
  const sent: [string, Buffer, string?][] = [
    ['ISO-8859-1', Buffer.from(document('ISO-8859-1'), 'latin1')],
    ['iso-8859-1 in the header too', Buffer.from(document('iso-8859-1'), 'latin1'), 'text/xml; charset="ISO-8859-1"'],
    ['UTF-16, little end first', Buffer.from(`\ufeff${document('UTF-16')}`, 'utf16le')],
    ['UTF-16, big end first', big(`\ufeff${document('utf-16')}`), 'application/xml; charset=utf-16'],
    ['UTF-16LE', Buffer.from(document('UTF-16LE'), 'utf16le')],
    ['UTF-16BE', big(document('UTF-16BE'))],
    ['UTF-16 that only its mark shows', Buffer.from(`\ufeff<thing><name>${name}</name></thing>`, 'utf16le')],
    ['UTF-8', Buffer.from(document('UTF-8'))],
  ]
  for (const [what, body, type] of sent) {
    const got = await post(body, type)
    assert.equal(got.status, 200, `${what}: ${got.text}`)
    assert.deepEqual(json(got), { method: 'POST', body: { thing: { name } } }, what)
  }
})

test('bytes that are not what the declaration says are a 400, never a guess', async () => {
  const sent = [
    Buffer.from(document('UTF-8'), 'latin1'),
    Buffer.from(document('UTF-16')),
    Buffer.from(`\ufeff${document('UTF-8')}`, 'utf16le'),
    Buffer.from([...Buffer.from(document('UTF-16LE'), 'utf16le'), 0]),
    Buffer.from(document('windows-1251'), 'latin1'),
    Buffer.from(`<thing><name>${name}</name></thing>`, 'latin1'),
  ]
  for (const body of sent) assert.equal((await post(body)).status, 400)
  assert.equal((await post(Buffer.from('<a/>'), 'application/xml; charset=koi8-r')).status, 415)
})
