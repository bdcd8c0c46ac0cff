/** Which paths and queries mean something. */

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isRoutable, readBlankNames, readQuery, readTarget } from './target.ts'

describe('a request target', () => {
  const table: [string, string, string | undefined, string][] = [
    ['/subscriptions.json', '/subscriptions', 'json', ''],
    ['/subscriptions/5.xml?page=2', '/subscriptions/5', 'xml', 'page=2'],
    ['/invoices/5.pdf', '/invoices/5', 'pdf', ''],
    ['/subscriptions', '/subscriptions', undefined, ''],
    ['/a.json.xml', '/a.json', 'xml', ''],
    ['/a.json;.xml', '/a.json;', 'xml', ''],
    ['/a%2Ejson', '/a%2Ejson', undefined, ''],
    ['/a.JSON', '/a.JSON', undefined, ''],
    ['/a?file=b.xml', '/a', undefined, 'file=b.xml'],
    ['/a.xml?b?c', '/a', 'xml', 'b?c'],
    ['/invoices/.json', '/invoices/', 'json', ''],
  ]
  for (const [url, path, suffix, query] of table) {
    it(`is taken apart: ${url}`, () => assert.deepEqual(readTarget(url), { path, suffix, query }))
  }

  for (const path of ['/a', '/a/b.c', '/a/caf%C3%A9', '/a/b%20c', '/products/handle/gold.v2', '/a/...']) {
    it(`may mean something: ${path}`, () => assert.equal(isRoutable(path), true))
  }
  const meaningless = [
    ...['/', '', '*', 'a', '//', '/a/', '/a//b', '//a', 'https://localhost/a'],
    ...['/a/./b', '/a/../b', '/a/%2e%2e/b', '/a/%2E', '/a/..%2fb', '/a/b%2Fc', '/a/%5c', '/a\\b'],
    ...['/a/%00', '/a/%', '/a/%zz', '/a/%ff', '/a b', '/a#b', '/a\0'],
  ]
  for (const path of meaningless) {
    it(`means nothing: ${JSON.stringify(path)}`, () => assert.equal(isRoutable(path), false))
  }
})

describe('a query', () => {
  const table: [string, object][] = [
    ['', {}],
    ['&&', {}],
    ['&page=2&&', { page: '2' }],
    ['=&=x&page=', {}],
    ['page', {}],
    ['a=1&b=2', { a: '1', b: '2' }],
    ['a=1&a=2&a=3', { a: ['1', '2', '3'] }],
    ['status[]=paid', { status: ['paid'] }],
    ['status%5B%5D=paid&status[]=open', { status: ['paid', 'open'] }],
    ['a=1&a[]=2', { a: ['1', '2'] }],
    ['a[0]=1&a[1]=2', { a: ['1', '2'], 'a[0]': '1', 'a[1]': '2' }],
    ['a[b][0]=1', { 'a[b]': ['1'], 'a[b][0]': '1' }],
    ['a[b]=1', { 'a[b]': '1' }],
    ['a=b+c%2Bd%26e', { a: 'b c+d&e' }],
    ['a=b=c', { a: 'b=c' }],
    ['a=caf%C3%A9', { a: 'café' }],
    ['constructor=1&toString=2', { constructor: '1', toString: '2' }],
  ]
  for (const [text, expected] of table) {
    it(`is read: ${text}`, () => assert.deepEqual({ ...readQuery(text) }, expected))
  }

  it('tells the names that came without a value', () => {
    assert.deepEqual(readBlankNames('a=&b&c%5Fd=&e=1&&=2&f==&%zz='), ['a', 'b', 'c_d'])
  })

  it('cannot reach a prototype', () => {
    const query = readQuery('__proto__=1&__proto__[]=2')
    assert.equal(Object.getPrototypeOf(query), null)
    assert.deepEqual(Object.entries(query ?? {}), [['__proto__', ['1', '2']]])
  })

  for (const text of ['a=%', 'a=%zz', 'a=%ff', '%=1', 'a=%00', '%00=1', 'a=\0']) {
    it(`is refused: ${JSON.stringify(text)}`, () => assert.equal(readQuery(text), undefined))
  }
})
