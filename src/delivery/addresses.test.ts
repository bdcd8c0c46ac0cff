/** No webhook goes inside: every form in which an address of a private network can be written is refused, on save and on send. */
import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { patienceMs } from '../../test/support/patience.ts'
import { isPublicAddress, type Resolve } from './addresses.ts'
import { createCourier } from './courier.ts'

const notPublic = 'must lead to a public address.'
const ports = 'invalid, only ports 80 and 443 supported'
const schemes = 'invalid, only http and https supported'
const controls = 'must not hold line breaks or other control characters.'
const userInfo = 'must not hold a user name or a password.'

/** What a URL looks like, and why it is refused. */
const refused: [url: string, problem: string][] = [
  ['http://127.0.0.1/', notPublic],
  ['http://0/', notPublic],
  ['http://2130706433/', notPublic],
  ['http://0x7f.1/', notPublic],
  ['http://0177.0.0.1/', notPublic],
  ['http://127.1/', notPublic],
  ['http://１２７.０.０.１/', notPublic],
  ['http://[::1]/', notPublic],
  ['http://[::]/', notPublic],
  ['http://[::ffff:7f00:1]/', notPublic],
  ['http://[::ffff:10.0.0.1]/', notPublic],
  ['http://[::127.0.0.1]/', notPublic],
  ['http://169.254.169.254/latest/meta-data/', notPublic],
  ['http://100.64.0.1/', notPublic],
  ['http://10.1.2.3/', notPublic],
  ['http://172.16.0.1/', notPublic],
  ['http://192.168.1.1/', notPublic],
  ['http://255.255.255.255/', notPublic],
  ['http://224.0.0.1/', notPublic],
  ['http://[fc00::1]/', notPublic],
  ['http://[fd12:3456::1]/', notPublic],
  ['http://[fe80::1]/', notPublic],
  ['http://[ff02::1]/', notPublic],
  ['http://[64:ff9b::7f00:1]/', notPublic],
  ['http://[64:ff9b::a00:1]/', notPublic],
  ['http://[64:ff9b:1::1]/', notPublic],
  ['http://[2002:7f00:1::]/', notPublic],
  ['http://[2001:0:7f00:1::]/', notPublic],
  ['http://localhost/', notPublic],
  ['http://LOCALHOST./', notPublic],
  ['http://acme.localhost/', notPublic],
  ['http://inside.example/', notPublic],
  ['http://ìnside.example/', notPublic],
  ['http://mapped.example/', notPublic],
  ['http://one-of-two.example/', notPublic],
  ['http://user@93.184.216.34/', userInfo],
  ['http://user:word@outside.example/', userInfo],
  ['http://93.184.216.34:22/', ports],
  ['https://outside.example:5432/', ports],
  ['http://outside.example:8080/', ports],
  ['ftp://outside.example/', schemes],
  ['file:///etc/passwd', schemes],
  ['gopher://outside.example/', schemes],
  ['javascript:alert(1)', schemes],
  ['outside.example', schemes],
  ['', schemes],
  ['http://outside.example/\nhook', controls],
  ['http://outside.example/\u007f', controls],
]

const v4 = (address: string) => ({ address, family: 4 })
const names: Record<string, { address: string; family: number }[]> = {
  'outside.example': [v4('93.184.216.34')],
  'inside.example': [v4('10.0.0.1')],
  'xn--nside-ssa.example': [v4('192.168.0.1')],
  'mapped.example': [{ address: '::ffff:10.0.0.1', family: 6 }],
  'one-of-two.example': [v4('93.184.216.34'), v4('127.0.0.1')],
}
const resolve: Resolve = async (name) => {
  const found = names[name]
  if (found === undefined) throw Object.assign(new Error('unknown'), { code: 'ENOTFOUND' })
  return found
}

const post = (url: string) => ({ url, body: 'id=1', headers: {} })

describe('an address that is not public', () => {
  const courier = createCourier({ allowPrivate: false, limitMs: patienceMs, resolve })
  for (const [url, problem] of refused) {
    test(`is refused on save and on send: ${url}`, async () => {
      assert.equal(await courier.refusalOf(url), problem)
      const receipt = await courier.post(post(url))
      const onSend = ['The address is not public', `URL: ${problem}`]
      assert.ok(onSend.includes(receipt.error ?? ''), receipt.error ?? 'it was sent')
    })
  }

  test('is refused on send when a name led outside on save and leads inside later', async (t) => {
    let reached = 0
    const server = http.createServer((_, response) => {
      reached += 1
      response.end()
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    t.after(() => server.close())
    let asked = 0
    const rebinding = createCourier({
      allowPrivate: false,
      limitMs: patienceMs,
      resolve: async () => [v4(asked++ === 0 ? '93.184.216.34' : '127.0.0.1')],
    })
    t.after(() => rebinding.close())
    assert.equal(await rebinding.refusalOf('http://rebinding.example/'), null)
    const receipt = await rebinding.post(post('http://rebinding.example/'))
    assert.equal(receipt.error, 'The address is not public')
    assert.equal(asked, 2)
    assert.equal(reached, 0)
    // The server can be reached where it is allowed to.
    const { port } = server.address() as AddressInfo
    const open = createCourier({ allowPrivate: true, limitMs: patienceMs, resolve: async () => [v4('127.0.0.1')] })
    t.after(() => open.close())
    assert.equal((await open.post(post(`http://rebinding.example:${port}/`))).accepted, true)
    assert.equal(reached, 1)
  })

  test('is not reached through a redirect', async (t) => {
    const server = http.createServer((_, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end())
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    t.after(() => server.close())
    const open = createCourier({ allowPrivate: true, limitMs: patienceMs })
    t.after(() => open.close())
    const { port } = server.address() as AddressInfo
    const { accepted, statusCode, error } = await open.post(post(`http://127.0.0.1:${port}/`))
    assert.deepEqual([accepted, statusCode, error], [false, 302, '302 Found'])
  })
})

describe('a public address', () => {
  const courier = createCourier({ allowPrivate: false, limitMs: patienceMs, resolve })
  const good = [
    'http://outside.example/',
    'https://outside.example:443/hook?x=1',
    'http://93.184.216.34:80/',
    'https://[2606:2800:220:1:248:1893:25c8:1946]/',
    'https://not-yet-known.example/',
  ]
  for (const url of good) test(`may be saved: ${url}`, async () => assert.equal(await courier.refusalOf(url), null))

  test('is told from the ends of the ranges beside it', () => {
    const ends = [
      '9.255.255.255',
      '11.0.0.0',
      '100.63.255.255',
      '100.128.0.0',
      '172.15.255.255',
      '172.32.0.0',
      '223.255.255.255',
    ]
    for (const address of ends) assert.ok(isPublicAddress(address), address)
    for (const text of ['', 'example.com', '1.2.3', 'fe80::1%eth0', '1fff::1', '4000::1'])
      assert.ok(!isPublicAddress(text), text)
  })
})

test('any address may be used where the operator allows it, but never another scheme or user names', async () => {
  const open = createCourier({ allowPrivate: true })
  assert.equal(await open.refusalOf('http://127.0.0.1:4000/hook'), null)
  assert.equal(await open.refusalOf('ftp://127.0.0.1/'), schemes)
  assert.equal(await open.refusalOf('http://me@127.0.0.1/'), userInfo)
})
