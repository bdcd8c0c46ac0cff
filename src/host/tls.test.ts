/** The certificate that is served: made once, kept, renewed in time, refused when it cannot work. */

import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { connect, createServer, type TLSSocket } from 'node:tls'
import { addressBytes, selfSignedPair } from './certificate.ts'
import { wallClock } from './clock.ts'
import { SetupProblem } from './setup-problem.ts'
import { tlsMaterial } from './tls.ts'

test('a client that trusts the self-signed certificate reaches the service by each of its names', async (t) => {
  const { cert, key } = await tlsMaterial(selfSigned(directory(t)))
  const server = createServer({ cert, key }, (socket) => socket.end())
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  t.after(() => server.close())
  const { port } = server.address() as { port: number }
  for (const servername of ['localhost', 'acme.localhost', '127.0.0.1', '::1']) {
    const options = { host: '127.0.0.1', port, ca: cert, minVersion: 'TLSv1.3' } as const
    // Addresses are not sent as server names, only checked against the certificate.
    const named = /^[\d:.]+$/.test(servername) ? { checkServerIdentity: identityOf(servername) } : { servername }
    const client = await new Promise<TLSSocket>((connected, failed) => {
      const socket = connect({ ...options, ...named }, () => connected(socket))
      socket.once('error', failed)
    })
    assert.ok(client.authorized)
    client.destroy()
  }
})

test('the certificate is for servers only, and short enough for every client', () => {
  const now = Temporal.Instant.from('2049-06-01T00:00:00Z')
  const { cert } = selfSignedPair([{ dns: 'localhost' }, { ip: '::1' }], now, 800 * 24)
  const read = new X509Certificate(cert)
  assert.equal(read.ca, false)
  assert.deepEqual(read.keyUsage, ['1.3.6.1.5.5.7.3.1'])
  assert.equal(read.subjectAltName, 'DNS:localhost, IP Address:0:0:0:0:0:0:0:1')
  assert.equal(read.verify(read.publicKey), true)
  assert.equal(read.validFromDate.toISOString(), '2049-05-31T00:00:00.000Z')
  // Beyond 2049 the date takes another form.
  assert.equal(read.validToDate.toISOString(), '2051-08-10T00:00:00.000Z')
})

test('addresses are written in network order', () => {
  assert.equal(addressBytes('127.0.0.1').toString('hex'), '7f000001')
  assert.equal(addressBytes('::1').toString('hex'), `${'00'.repeat(15)}01`)
  assert.equal(addressBytes('2001:db8::ff00:42:8329').toString('hex'), '20010db8000000000000ff0000428329')
  assert.equal(addressBytes('::').toString('hex'), '00'.repeat(16))
})

test('the pair is kept, readable by its owner only, and used again', async (t) => {
  const dataDir = directory(t)
  const made = await tlsMaterial(selfSigned(dataDir))
  assert.deepEqual(await tlsMaterial(selfSigned(dataDir)), made)
  for (const name of ['cert.pem', 'key.pem']) assert.equal(statSync(join(dataDir, 'tls', name)).mode & 0o777, 0o600)
  assert.equal(readFileSync(join(dataDir, 'tls', 'cert.pem'), 'utf8'), made.cert)
})

test('a new pair is made when the old one ends soon, lacks a name, or is broken', async (t) => {
  const dataDir = directory(t)
  const first = await tlsMaterial(selfSigned(dataDir))
  const renamed = await tlsMaterial({ ...selfSigned(dataDir), siteSubdomain: 'beta' })
  assert.notEqual(renamed.cert, first.cert)
  assert.match(new X509Certificate(renamed.cert).subjectAltName ?? '', /DNS:beta\.localhost/)
  const renewed = await tlsMaterial(selfSigned(dataDir), wallClock.now().add({ hours: 771 * 24 }))
  assert.notEqual(renewed.cert, renamed.cert)
  writeFileSync(join(dataDir, 'tls', 'key.pem'), first.key)
  assert.notEqual((await tlsMaterial(selfSigned(dataDir))).cert, renewed.cert)
  writeFileSync(join(dataDir, 'tls', 'cert.pem'), 'half a file')
  assert.match((await tlsMaterial(selfSigned(dataDir))).cert, /^-----BEGIN CERTIFICATE-----/)
})

test("the operator's pair is served as it is, or refused in words", async (t) => {
  const dataDir = directory(t)
  const pair = selfSignedPair([{ dns: 'billing.example' }], wallClock.now(), 24)
  const [tlsCertFile, tlsKeyFile] = [join(dataDir, 'own.crt'), join(dataDir, 'own.key')]
  writeFileSync(tlsCertFile, pair.cert)
  writeFileSync(tlsKeyFile, pair.key)
  const config = { ...selfSigned(dataDir), tlsCertFile, tlsKeyFile }
  assert.deepEqual(await tlsMaterial(config), pair)
  writeFileSync(tlsKeyFile, selfSignedPair([], wallClock.now(), 24).key)
  await assert.rejects(tlsMaterial(config), SetupProblem)
  await assert.rejects(
    tlsMaterial({ ...config, tlsKeyFile: join(dataDir, 'none') }),
    /TLS_KEY_FILE \(.*\) cannot be read: ENOENT/,
  )
})

const selfSigned = (dataDir: string) => ({
  dataDir,
  siteSubdomain: 'acme',
  tlsCertFile: undefined,
  tlsKeyFile: undefined,
})

const identityOf = (address: string) => (_host: string, peer: { raw: Buffer }) =>
  new X509Certificate(peer.raw).checkIP(address) === undefined ? new Error(`not for ${address}`) : undefined

function directory(t: TestContext): string {
  const made = mkdtempSync(join(tmpdir(), 'kalends-tls-'))
  t.after(() => rmSync(made, { recursive: true, force: true }))
  return made
}
