/** What the operator may set, and what is said when it cannot be used. */

import assert from 'node:assert/strict'
import { isAbsolute, join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from './config.ts'
import { SetupProblem } from './setup-problem.ts'

test('without any variable the service starts with the documented defaults', () => {
  assert.deepEqual(readConfig({}), {
    host: '127.0.0.1',
    port: 8443,
    dataDir: join(process.cwd(), 'data'),
    databaseUrl: undefined,
    secretKeys: [],
    smtpUrl: undefined,
    mailFrom: 'billing@localhost',
    publicUrl: undefined,
    tlsCertFile: undefined,
    tlsKeyFile: undefined,
    siteSubdomain: 'acme',
    apiKey: undefined,
    demoData: true,
    webhookAllowPrivate: false,
    webhookKeepDays: 90,
    metricsPort: undefined,
    metricsHost: '127.0.0.1',
    logLevel: 'info',
    failPoint: undefined,
  })
})

test('every variable is read', () => {
  const config = readConfig({
    HOST: '::',
    PORT: '0',
    DATA_DIR: '/srv/kalends',
    DATABASE_URL: 'postgresql://u:p@db.example:5433/billing?sslmode=require',
    TLS_CERT_FILE: 'cert.pem',
    TLS_KEY_FILE: '/etc/key.pem',
    SITE_SUBDOMAIN: 'beta-2',
    API_KEY: 's3cret!',
    DEMO_DATA: '0',
    WEBHOOK_ALLOW_PRIVATE: '1',
    WEBHOOK_KEEP_DAYS: '365',
    METRICS_PORT: '9464',
    METRICS_HOST: '0.0.0.0',
    LOG_LEVEL: 'debug',
  })
  assert.equal(config.port, 0)
  assert.equal(config.dataDir, '/srv/kalends')
  assert.equal(config.databaseUrl, 'postgresql://u:p@db.example:5433/billing?sslmode=require')
  assert.ok(isAbsolute(config.tlsCertFile ?? ''))
  assert.deepEqual([config.metricsPort, config.metricsHost], [9464, '0.0.0.0'])
  assert.equal(config.webhookKeepDays, 365)
  assert.deepEqual([config.demoData, config.webhookAllowPrivate, config.apiKey], [false, true, 's3cret!'])
})

test('the newest of several secret keys comes first', () => {
  const [old, newer] = ['o'.repeat(32), 'n'.repeat(44)]
  assert.deepEqual(readConfig({ SECRET_KEY: `${newer},${old}` }).secretKeys, [newer, old])
  assert.throws(() => readConfig({ SECRET_KEY: `${newer},short` }), SetupProblem)
})

test('days are whole, and both ends of the range belong to it', () => {
  for (const keep of ['7', '3650']) assert.equal(readConfig({ WEBHOOK_KEEP_DAYS: keep }).webhookKeepDays, Number(keep))
})

test('an empty variable counts as unset, as compose files write it', () => {
  assert.deepEqual(readConfig({ DATABASE_URL: '', PORT: '', API_KEY: '' }), readConfig({}))
})

test('what was read cannot be changed', () => {
  assert.throws(() => Object.assign(readConfig({}), { port: 1 }), TypeError)
})

const refused: [Record<string, string>, RegExp][] = [
  [{ PORT: 'abc' }, /^PORT must be a whole number from 0 to 65535\.$/],
  [{ PORT: '65536' }, /^PORT must be/],
  [{ PORT: '-1' }, /^PORT must be/],
  [{ HOST: 'https://x' }, /^HOST must be/],
  [{ DATABASE_URL: 'mysql://u:hidden@h/d' }, /^DATABASE_URL must begin with postgres:\/\//],
  [{ SITE_SUBDOMAIN: 'Acme' }, /^SITE_SUBDOMAIN must be/],
  [{ SITE_SUBDOMAIN: '-a' }, /^SITE_SUBDOMAIN must be/],
  [{ API_KEY: 'hidden:x' }, /^API_KEY must be/],
  [{ WEBHOOK_KEEP_DAYS: '6' }, /^WEBHOOK_KEEP_DAYS must be a whole number of days from 7 to 3650\.$/],
  [{ WEBHOOK_KEEP_DAYS: '3651' }, /^WEBHOOK_KEEP_DAYS must be/],
  [{ WEBHOOK_KEEP_DAYS: '90.5' }, /^WEBHOOK_KEEP_DAYS must be/],
  [{ DEMO_DATA: 'yes' }, /^DEMO_DATA must be 0 or 1\.$/],
  [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL must be one of/],
  [{ TLS_CERT_FILE: 'a' }, /^TLS_CERT_FILE and TLS_KEY_FILE must be given together\.$/],
  [{ PORT: 'x', DEMO_DATA: '2' }, /^PORT must be .*\.\nDEMO_DATA must be 0 or 1\.$/],
]

for (const [variables, sentence] of refused) {
  test(`${JSON.stringify(variables)} is refused in a sentence that keeps secrets`, () => {
    assert.throws(
      () => readConfig(variables),
      (error) => error instanceof SetupProblem && sentence.test(error.message) && !error.message.includes('hidden'),
    )
  })
}
