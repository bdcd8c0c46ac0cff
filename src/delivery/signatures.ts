/** How a receiver knows that a webhook is ours: three signatures, made anew at every attempt. */
import { createHash, createHmac, randomBytes } from 'node:crypto'

/** Lower-case hex of the MD5 of the site's shared key followed by the body. */
export const md5Signature = (sharedKey: string, body: string): string =>
  createHash('md5').update(sharedKey).update(body).digest('hex')

/** Lower-case hex of the HMAC-SHA-256 of the body under the site's shared key. */
export const hmacSignature = (sharedKey: string, body: string): string =>
  createHmac('sha256', sharedKey).update(body).digest('hex')

const secretPrefix = 'whsec_'
const secretBytes = 32

/** A secret as Standard Webhooks writes it. */
export const createWebhookSecret = (): string => secretPrefix + randomBytes(secretBytes).toString('base64')

/** One signature of Standard Webhooks: `v1,` and the base64 of the HMAC-SHA-256 of `id.timestamp.body`. `timestamp` is in epoch seconds. */
export const standardSignature = (secret: string, id: string, timestamp: number, body: string): string => {
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}

export type Signing = {
  id: number
  body: string
  sharedKey: string
  /** All that are live, the newest first. */
  secrets: readonly string[]
  /** Epoch seconds by the wall clock, whatever the site's clock says: receivers refuse what is old. */
  timestamp: number
}

export const signatureHeaders = ({ id, body, sharedKey, secrets, timestamp }: Signing): Record<string, string> => ({
  'x-kalends-webhook-id': String(id),
  'x-kalends-webhook-signature': md5Signature(sharedKey, body),
  'x-kalends-webhook-signature-hmac-sha-256': hmacSignature(sharedKey, body),
  'webhook-id': String(id),
  'webhook-timestamp': String(timestamp),
  'webhook-signature': secrets.map((secret) => standardSignature(secret, String(id), timestamp, body)).join(' '),
})

/** Receivers of old check a signature in the query: `?signature={signature}`, `{signature_hmac_sha_256}`. */
export const signedUrl = (url: string, sharedKey: string, body: string): string =>
  url
    .replaceAll('{signature}', () => md5Signature(sharedKey, body))
    .replaceAll('{signature_hmac_sha_256}', () => hmacSignature(sharedKey, body))
