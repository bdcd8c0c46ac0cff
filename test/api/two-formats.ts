/** Asks the API in JSON or in XML with one and the same tree, and gives back what it said as one and the same tree. */

import { documentLimits } from '../../src/wire/fault.ts'
import { writeXml } from '../../src/wire/xml.ts'
import { readXml } from '../../src/wire/xml-reader.ts'
import type { Ask, Reply, TestApp } from '../support/test-app.ts'

export const formats = ['json', 'xml'] as const
export type Format = (typeof formats)[number]

export type Said = Pick<Reply, 'status' | 'headers' | 'text'> & {
  /** What was said, wrapped as JSON wraps it; a list is a list of what is inside its wrappers. Undefined without a body. */
  tree: Reply['json']
  /** The messages of an answer that is made of errors. */
  errors: string[]
}

/** `say('POST /subscriptions?page=2', { subscription: {...} })`: the suffix is put where it belongs. */
export type Say = (line: string, tree?: object, options?: Omit<Ask, 'body'>) => Promise<Said>

export const speaker =
  (app: Pick<TestApp, 'ask'>, format: Format): Say =>
  async (line, tree, options = {}) => {
    const body = tree && (format === 'xml' ? asXml(tree) : JSON.stringify(tree))
    const reply = await app.ask(withSuffix(line, format), { ...options, ...(body !== undefined && { body }) })
    const said = reply.text === '' ? undefined : readTree(reply, format)
    return { status: reply.status, headers: reply.headers, text: reply.text, tree: said, errors: errorsIn(said) }
  }

const withSuffix = (line: string, format: Format): string => {
  const mark = line.indexOf('?')
  return mark < 0 ? `${line}.${format}` : `${line.slice(0, mark)}.${format}${line.slice(mark)}`
}

/** `{ subscription: {...} }` as a document whose root is the wrapper. */
export function asXml(tree: object): string {
  const [[root, value] = ['nothing', null]] = Object.entries(tree)
  return writeXml(root, value)
}

/** Plain text stays text. */
function readTree(reply: Reply, format: Format): unknown {
  const type = String(reply.headers['content-type'])
  if (type.startsWith('text/plain')) return reply.text
  if (!type.startsWith(`application/${format};`)) throw new Error(`asked for ${format}, answered ${type}`)
  return format === 'json' ? unwrapItems(JSON.parse(reply.text)) : readDocument(reply.text)
}

const unwrapItems = (tree: unknown): unknown =>
  Array.isArray(tree) ? tree.map((item) => Object.values(item as object)[0]) : tree

/** As JSON says it, however long it is: the root is the wrapper of one resource, and no more than a name around a list. */
export function readDocument(text: string): unknown {
  const tree = JSON.parse(
    JSON.stringify(readXml(text, { ...documentLimits, characters: 10_000_000, elements: 100_000 })),
  ) as Record<string, unknown>
  const [[root, value] = ['', null]] = Object.entries(tree)
  if (root === 'errors') return { errors: messagesOf(value) }
  return Array.isArray(value) ? value : tree
}

/** `<errors>` has no type, so one message reads as a string and several as a list. */
const messagesOf = (value: unknown): unknown =>
  value === '' ? [] : typeof value === 'object' && value !== null && 'error' in value ? [value.error].flat() : value

/** Where an endpoint answers with one sentence it is the only one. */
/** The words of a refusal that is told by itself, or with what it is about. */
export const wordsOf = (told: string | { message: string }): string => (typeof told === 'string' ? told : told.message)

const errorsIn = (said: unknown): string[] => {
  if (typeof said !== 'object' || said === null) return []
  if ('errors' in said) return said.errors as string[]
  return 'error' in said ? [said.error as string] : []
}
