/** Forms are taken from our own pages: by the headers that no page can set. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFromOwnPage, type Pages, pagePath } from './page.ts'

const host = 'pay.example.com:8443'
const from = (headers: Record<string, string>, publicOrigin?: string) =>
  isFromOwnPage({ headers, host }, publicOrigin ?? null)

test('a form comes from a page of ours when its origin and the browser both say so', () => {
  assert.ok(from({ origin: `https://${host}`, 'sec-fetch-site': 'same-origin' }))
  assert.ok(from({ origin: `https://${host}` }), 'older browsers say no more')
  assert.ok(from({ 'sec-fetch-site': 'same-origin' }))
})

test('a form of another page, or of nobody knows which, does not', () => {
  for (const headers of [
    {},
    { origin: 'null' },
    { origin: `http://${host}` },
    { origin: 'https://pay.example.com' },
    { origin: `https://${host}.evil.example` },
    { origin: `https://${host}`, 'sec-fetch-site': 'cross-site' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
  ]) {
    assert.ok(!from(headers as Record<string, string>), JSON.stringify(headers))
  }
})

test('behind a proxy the origin may be the one that browsers know', () => {
  const headers = { origin: 'https://billing.example.com', 'sec-fetch-site': 'same-origin' }
  assert.ok(!from(headers))
  assert.ok(from(headers, 'https://billing.example.com'))
})

test('pages are told from the API by the first segment of the path alone', () => {
  const pages = { prefixes: ['/account'], routes: [], failed: () => Promise.reject(new Error()) } satisfies Pages
  assert.equal(pagePath(pages, '/account?x=/y'), '/account')
  assert.equal(pagePath(pages, '/account/a.json?x'), '/account/a.json')
  for (const path of ['/accounts', '/account.json', '/customers/account', '//account', '/?/account']) {
    assert.equal(pagePath(pages, path), undefined, path)
  }
  assert.equal(pagePath(undefined, '/account'), undefined)
})
