/** Takes a request target apart: the path without its suffix, the format that the suffix names, the query. */

import type { Format, Query } from './request.ts'

export type Target = { readonly path: string; readonly suffix: Format | undefined; readonly query: string }

const suffixes: readonly Format[] = ['json', 'xml', 'pdf']

/** Strips one suffix, once; `/a.json.xml` keeps its `.json`. Nothing is decoded, so `%2Ejson` is no suffix. */
export const readTarget = (url: string): Target => {
  const mark = url.indexOf('?')
  const path = mark === -1 ? url : url.slice(0, mark)
  const query = mark === -1 ? '' : url.slice(mark + 1)
  const suffix = suffixes.find((one) => path.endsWith(`.${one}`))
  return { path: suffix === undefined ? path : path.slice(0, -suffix.length - 1), suffix, query }
}

/** False for what no route can mean: an empty id (`/invoices/.json`, `//`), dots, NUL, an encoded slash, a broken percent. */
export const isRoutable = (path: string): boolean => {
  if (!path.startsWith('/')) return false
  if (/\/(?:\/|$)/.test(path) || /[\0-\x20#\\]/.test(path)) return false
  if (!path.includes('%') && !path.includes('/.')) return true
  try {
    return path
      .split('/')
      .slice(1)
      .every((segment) => !/^\.{0,2}$|[/\\\0]/.test(decodeURIComponent(segment)))
  } catch {
    return false
  }
}

const decodePart = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

/** The names that were sent with nothing behind them, as `cleanup_scope=`; nothing for a query that is not well encoded. */
export const readBlankNames = (query: string): readonly string[] =>
  query
    .split('&')
    .filter((pair) => !/^=|=./s.test(pair) && pair !== '')
    .flatMap((pair) => decodePart(pair.replace('=', '')) ?? [])

/** `name[]`, and `name[0]` as PHP writes the items of a list. */
const listName = /^(.+)\[(\d{0,4})\]$/s

const add = (read: { [name: string]: string | string[] }, name: string, value: string, isItem: boolean): void => {
  const before = read[name]
  if (before === undefined) read[name] = isItem ? [value] : value
  else if (typeof before === 'string') read[name] = [before, value]
  else before.push(value)
}

/**
 * `name[]=a`, `name[0]=a` and a name that comes again make a list, in the order in which the items stand; pairs without a name or a
 * value are skipped. What has a number for a key (`metadata[7]=a`) is found under that name too.
 * Undefined when the query is not well encoded or holds a NUL.
 */
export const readQuery = (query: string): Query | undefined => {
  const read: { [name: string]: string | string[] } = Object.create(null)
  if (query === '') return read
  for (const pair of query.split('&')) {
    const equals = pair.indexOf('=')
    if (equals < 1 || equals === pair.length - 1) continue
    const key = decodePart(pair.slice(0, equals))
    const value = decodePart(pair.slice(equals + 1))
    if (key === undefined || value === undefined || key.includes('\0') || value.includes('\0')) return undefined
    const [, name = key, index = ''] = listName.exec(key) ?? []
    add(read, name, value, name !== key)
    if (index !== '') add(read, key, value, false)
  }
  return read
}
