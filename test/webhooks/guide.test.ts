/** The snippets that docs/webhooks.md gives to integrators verify what the service really sends, and refuse everything else. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { attemptsMax } from '../../src/billing/webhook-retry.ts'
import { startReceiver } from '../support/receiver.ts'
import { openPostOffice } from './post-office.ts'

const guide = readFileSync(join(import.meta.dirname, '../../docs/webhooks.md'), 'utf8')

type Verify = (key: string, headers: object, body: string, nowSeconds?: number) => boolean

async function snippet(name: string): Promise<Record<string, Verify>> {
  const [, code] = new RegExp(`\`\`\`js\\n// ${name}\\n([^]*?)\`\`\``).exec(guide) ?? []
  assert.ok(code, `the guide has a snippet ${name}`)
  return import(`data:text/javascript,${encodeURIComponent(code)}`)
}

test('the snippets of the guide verify a webhook, with both secrets while two are live, and refuse what was changed', async (t) => {
  const office = await openPostOffice(t)
  const receiver = await startReceiver(t)
  const id = await office.endpoint(receiver.url)
  await office.ask(`POST /endpoints/${id}/rotate_secret.json`)
  await office.write(id)
  await office.until(() => receiver.received.length === 1)
  const { headers, body } = receiver.received[0]!
  const { shared_key: sharedKey } = (await office.ask('GET /site.json')).json.site
  const { secret, previous_secret: previous } = (await office.ask(`GET /endpoints/${id}/secrets.json`)).json
    .endpoint_secrets
  const { verifyStandard } = await snippet('verify-standard')
  const { verifyHmac, verifyMd5 } = await snippet('verify-shared-key')
  const now = office.clock.now().epochMilliseconds / 1000
  assert.equal(verifyStandard!(secret, headers, body, now), true)
  assert.equal(verifyStandard!(previous, headers, body, now), true)
  assert.equal(verifyHmac!(sharedKey, headers, body), true)
  assert.equal(verifyMd5!(sharedKey, headers, body), true)
  assert.equal(verifyStandard!(secret, headers, `${body}x`, now), false)
  assert.equal(verifyStandard!(secret, headers, body, now + 301), false)
  assert.equal(verifyStandard!('whsec_AAAA', headers, body, now), false)
  assert.equal(verifyHmac!(sharedKey, headers, `${body}x`), false)
  assert.equal(verifyMd5!('other', headers, body), false)
})

test('the guide tells of as many attempts as there are', () => {
  assert.match(guide, new RegExp(`After ${attemptsMax} attempts or three days`))
})
