/** Signatures are those that clients of this API and of Standard Webhooks verify. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createWebhookSecret,
  hmacSignature,
  md5Signature,
  signatureHeaders,
  signedUrl,
  standardSignature,
} from './signatures.ts'

test('the signatures of old are those of the recorded example', () => {
  const body = 'payload[chargify]=testing&event=test'
  assert.equal(hmacSignature('123', body), '19826d51b9f866b26eda1f154de192593360f8d0bcb63df8a28540a5dcf733f1')
  assert.equal(md5Signature('123', body), '3df5f2c8d2bfd40d8a8d72cb9e7fe56c')
})

test('the signature of Standard Webhooks is that of its published example', () => {
  const signed = standardSignature(
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    'msg_p5jXN8AQM9LWM0D4loKWxJek',
    1614265330,
    '{"test": 2432232314}',
  )
  assert.equal(signed, 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})

test('every live secret signs, the newest first', () => {
  const secrets = [createWebhookSecret(), createWebhookSecret()]
  const headers = signatureHeaders({ id: 7, body: 'x', sharedKey: 'k', secrets, timestamp: 1 })
  assert.equal(headers['webhook-signature'], secrets.map((secret) => standardSignature(secret, '7', 1, 'x')).join(' '))
  assert.match(secrets[0]!, /^whsec_[A-Za-z0-9+/]{43}=$/)
})

test('signatures stand in a URL where it asks for them', () => {
  assert.equal(
    signedUrl('https://x.example/?s={signature}', '123', 'a'),
    `https://x.example/?s=${md5Signature('123', 'a')}`,
  )
  assert.equal(signedUrl('https://x.example/{other}', '123', 'a'), 'https://x.example/{other}')
})
