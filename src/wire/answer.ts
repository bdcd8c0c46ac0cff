/** What a handler gives back: a status, perhaps headers, and one tree that either format can show. */

import type { Shape } from './shape.ts'

export type Headers = { readonly [name: string]: string }

export type Content =
  | {
      readonly kind: 'tree'
      readonly root: string
      readonly json: unknown
      readonly xml: unknown
      readonly shape: Shape | undefined
    }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bytes'; readonly type: string; readonly bytes: Buffer }
  | { readonly kind: 'empty' }

export type Answer = { readonly status: number; readonly headers?: Headers; readonly content: Content }

const errorList: Shape = { list: 'string', item: 'error', isUntyped: true }

const answer = (status: number, content: Content, headers: Headers | undefined): Answer =>
  headers === undefined ? { status, content } : { status, headers, content }

/** One resource under its name: `{"name": value}`, `<name>`. */
export const resource = (status: number, name: string, value: unknown, shape: Shape, headers?: Headers): Answer =>
  answer(status, { kind: 'tree', root: name, json: { [name]: value }, xml: value, shape }, headers)

/** A list of wrapped resources: `[{"item": value}]`, `<plural type="array"><item>`. */
export const list = (plural: string, item: string, values: readonly unknown[], shape: Shape): Answer =>
  answer(
    200,
    {
      kind: 'tree',
      root: plural,
      json: values.map((value) => ({ [item]: value })),
      xml: values,
      shape: { list: shape, item },
    },
    undefined,
  )

/** A list under its name whose items have none: `{"plural": [value]}`, `<plural type="array"><item>`. */
export const listUnder = (plural: string, item: string, values: readonly unknown[], shape: Shape): Answer =>
  answer(
    200,
    { kind: 'tree', root: plural, json: { [plural]: values }, xml: values, shape: { list: shape, item } },
    undefined,
  )

/** A value without a wrapper in JSON; XML has a root all the same. */
export const bare = (status: number, root: string, value: unknown, shape?: Shape, headers?: Headers): Answer =>
  answer(status, { kind: 'tree', root, json: value, xml: value, shape }, headers)

const idList: Shape = { list: 'integer', item: 'id', isUntyped: true }

/** Nothing but ids: `{"name": [1, 2]}`, `<name><id type="integer">1</id>…`. */
export const idsOnly = (name: string, ids: readonly number[]): Answer =>
  answer(200, { kind: 'tree', root: name, json: { [name]: ids }, xml: ids, shape: idList }, undefined)

/** `{"errors": [...]}`, `<errors><error>`. */
export const errors = (status: number, messages: readonly string[], headers?: Headers): Answer =>
  answer(status, { kind: 'tree', root: 'errors', json: { errors: messages }, xml: messages, shape: errorList }, headers)

/** `{"errors": [...]}`, `<errors type="array"><error>`. */
export const typedErrors = (status: number, messages: readonly string[]): Answer =>
  answer(
    status,
    {
      kind: 'tree',
      root: 'errors',
      json: { errors: messages },
      xml: messages,
      shape: { list: 'string', item: 'error' },
    },
    undefined,
  )

/** `{"errors": {"name": "..."}}`, `<errors><name>`. */
export const namedError = (status: number, name: string, message: string): Answer =>
  answer(
    status,
    {
      kind: 'tree',
      root: 'errors',
      json: { errors: { [name]: message } },
      xml: { [name]: message },
      shape: { fields: { [name]: 'string' } },
    },
    undefined,
  )

/** `{"errors": {"error": "..."}}`, `<errors><error>`. */
export const soleError = (status: number, message: string): Answer => namedError(status, 'error', message)

/** `{"error": "..."}`, `<errors><error>`. */
export const oneError = (status: number, message: string): Answer => ({
  ...errors(status, [message]),
  content: { kind: 'tree', root: 'errors', json: { error: message }, xml: [message], shape: errorList },
})

/** A sentence as text/plain, whatever format was asked for. */
export const plain = (status: number, text: string, headers?: Headers): Answer =>
  answer(status, { kind: 'text', text }, headers)

/** Shown where a browser opens it, and kept under its name. */
export const pdf = (bytes: Buffer, name: string): Answer =>
  answer(
    200,
    { kind: 'bytes', type: 'application/pdf', bytes },
    { 'content-disposition': `inline; filename="${name}.pdf"` },
  )

export const empty = (status: number, headers?: Headers): Answer => answer(status, { kind: 'empty' }, headers)

/** The same answer for a path that does not exist and for a row that the caller may not see. */
export const missing = (): Answer => errors(404, ['Not found.'])
