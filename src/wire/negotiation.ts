/** Which format the answer is written in, and which format the body is in. */

import { isKnownEncoding } from './encoding.ts'
import { RequestFault } from './fault.ts'
import type { Format } from './request.ts'

const formats = new Map<string, Format>([
  ['application/json', 'json'],
  ['text/json', 'json'],
  ['application/xml', 'xml'],
  ['text/xml', 'xml'],
  ['application/pdf', 'pdf'],
])

/** A media type without its parameters; the last of several when a header was sent twice. */
const mediaType = (header: string): string => (header.split(';', 1)[0] ?? '').trim().toLowerCase()

const formatOfType = (contentType: string | undefined): Format | undefined =>
  contentType === undefined ? undefined : formats.get(mediaType(contentType))

type Wish = { readonly type: string; readonly q: number }

const wish = (range: string): Wish => {
  const [type = '', ...parameters] = range.split(';')
  const weight = parameters
    .map((one) => /^\s*q\s*=\s*(\d(?:\.\d{0,3})?)\s*$/i.exec(one))
    .find((found) => found !== null)
  return { type: type.trim().toLowerCase(), q: weight ? Math.min(Number(weight[1]), 1) : 1 }
}

const wishesMax = 64

const readAccept = (accept: string): readonly Wish[] =>
  accept
    .split(',', wishesMax)
    .map(wish)
    .filter((one) => one.type !== '')

const types: { readonly [format in Format]: string } = {
  json: 'application/json',
  xml: 'application/xml',
  pdf: 'application/pdf',
}

/** How precisely a range means a format: 2 is its type or another name of it, 1 is `application/*`, 0 is everything, -1 is not at all. */
const precision = (range: string, format: Format): number => {
  if (formats.get(range) === format) return 2
  if (range === '*/*' || range === '*') return 0
  return range.endsWith('/*') && types[format].startsWith(range.slice(0, -1)) ? 1 : -1
}

type Match = { readonly format: Format; readonly q: number; readonly precision: number; readonly position: number }

/** The most precise range decides a format's weight, whatever the others say: `application/json;q=0` refuses JSON beside any wildcard. */
const matchFormat = (format: Format, wishes: readonly Wish[]): Match => {
  let best: Match = { format, q: 0, precision: -1, position: wishes.length }
  for (const [position, { type, q }] of wishes.entries()) {
    const found = precision(type, format)
    if (found > best.precision) best = { format, q, precision: found, position }
  }
  return best
}

/** The formats that an Accept header likes best: one that it names, or all that a wildcard leaves equal. */
const welcome = (wishes: readonly Wish[], offered: readonly Format[]): readonly Format[] => {
  const matches = offered.map((format) => matchFormat(format, wishes))
  const most = Math.max(...matches.map(({ q }) => q))
  const best = matches.filter(({ q }) => q === most && q > 0).sort((a, b) => a.position - b.position)
  const named = best.find((match) => match.precision === 2)
  return named === undefined ? best.map(({ format }) => format) : [named.format]
}

/**
 * Suffix, else Accept, else Content-Type, else JSON. A wildcard leaves the choice to the next in this row.
 * `undefined` when nothing that is offered was asked for: a 406.
 */
export const answerFormat = (
  suffix: Format | undefined,
  accept: string | undefined,
  contentType: string | undefined,
  offered: readonly Format[],
): Format | undefined => {
  if (suffix !== undefined) return offered.includes(suffix) ? suffix : undefined
  const wishes = accept === undefined ? [] : readAccept(accept)
  const open = wishes.length === 0 ? offered : welcome(wishes, offered)
  const sent = formatOfType(contentType)
  if (sent !== undefined && open.includes(sent)) return sent
  return open.includes('json') ? 'json' : open[0]
}

const utf8 = /^(?:utf-?8|us-ascii)$/i

/**
 * The format of a body that is not empty: Content-Type, else suffix, else the answer's. Form data and everything else
 * that is not JSON in UTF-8, or XML in an encoding that it may declare, is a 415.
 */
export const bodyFormat = (
  contentType: string | undefined,
  suffix: Format | undefined,
  answered: Format,
): 'json' | 'xml' => {
  const declared =
    contentType === undefined || contentType.trim() === '' ? (suffix ?? answered) : formatOfType(contentType)
  const charset = /;\s*charset\s*=\s*"?([^;\s"]*)/i.exec(contentType ?? '')?.[1]
  const isReadable = declared === 'xml' ? isKnownEncoding : (name: string) => utf8.test(name)
  if (charset !== undefined && !isReadable(charset)) throw new RequestFault(415, 'The body must be in UTF-8.')
  if (declared === 'json' || declared === 'xml') return declared
  throw new RequestFault(415, 'The body must be sent as application/json or application/xml.')
}
