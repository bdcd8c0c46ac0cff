/** The parameters of queries: pages, windows, words; those that many routes have are written once. */
import type { ZodObject } from 'zod'
import { inputSchema, type JsonSchema } from '../../wire/input-schema.ts'
import type { Parameter } from './description.ts'

const perPageUsual = 20
const perPageMost = 200

const perPage = (usual: number, most: number): Exclude<Parameter, { $ref: string }> => ({
  name: 'per_page',
  description: `How many are on a page; more than ${most} counts as ${most}, 0 as ${usual}.`,
  schema: { type: 'integer', minimum: 0, default: usual },
})

/** Shared ones, by the names that they have in the document. */
export const sharedParameters = {
  Page: {
    name: 'page',
    in: 'query',
    description: 'Which page, from 1. One past the end is empty.',
    schema: { type: 'integer', minimum: 1, default: 1 },
  },
  PerPage: { ...perPage(perPageUsual, perPageMost), in: 'query' },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Any text of your own. A request that is repeated with the same key within 24 hours is answered as the first time, and done once. A refusal is such an answer once the payment gateway was asked; before that (401, 404, 422 for what was sent) the key is free for a corrected request. Another request under a used key is a 422. A repeated card is recognised by the last four digits of its number.',
    schema: { type: 'string', maxLength: 255 },
  },
  UniquenessToken: {
    name: 'uniqueness_token',
    in: 'query',
    description: 'A token that may be used once within 60 minutes; a second time is a 409. May also stand in the body.',
    schema: { type: 'string' },
  },
} as const

export const shared = (name: keyof typeof sharedParameters): Parameter => ({
  $ref: `#/components/parameters/${name}`,
})

export const paged = (usual = perPageUsual, most = perPageMost): readonly Parameter[] => [
  shared('Page'),
  usual === perPageUsual && most === perPageMost ? shared('PerPage') : perPage(usual, most),
]

export const asked = (name: string, description: string, schema: JsonSchema = { type: 'string' }): Parameter => ({
  name,
  description,
  schema,
})

export const needed = (name: string, description: string, schema: JsonSchema = { type: 'string' }): Parameter => ({
  name,
  description,
  schema,
  required: true,
})

export const word = (name: string, words: readonly string[], description: string, usual?: string): Parameter =>
  asked(name, description, { type: 'string', enum: words, ...(usual !== undefined && { default: usual }) })

/** One word, several with commas between them, or the name several times. */
export const words = (name: string, allowed: readonly string[], description: string): Parameter =>
  asked(name, `${description} Several with commas between them, or as \`${name}[]\`, of: ${allowed.join(', ')}.`)

export const direction = (usual: 'asc' | 'desc'): Parameter =>
  word('direction', ['asc', 'desc'], 'Which end comes first.', usual)

export const id = (name: string, description: string): Parameter => asked(name, description, { type: 'integer' })

/** Values of any names, as `name[key]=value`. */
export const keyed = (name: string, description: string): Parameter => ({
  ...asked(name, description, { type: 'object', additionalProperties: { type: 'string' } }),
  style: 'deepObject',
  explode: true,
})

export const flag = (name: string, description: string): Parameter =>
  asked(name, description, { type: 'boolean', default: false })

export const days = (since: string, until: string): readonly Parameter[] => [
  asked(since, "The first day, on the site's calendar.", { type: 'string', format: 'date' }),
  asked(until, 'The last day, which belongs to the window.', { type: 'string', format: 'date' }),
]

const moment: JsonSchema = { type: 'string', format: 'date-time' }

export const daysOrMoments: readonly Parameter[] = [
  ...days('start_date', 'end_date'),
  asked('start_datetime', 'The first moment; counts before `start_date`.', moment),
  asked('end_datetime', 'The last moment; counts before `end_date`.', moment),
]

const basicDates = ['created_at', 'updated_at']

/** A window of the creation or of the last change. */
export const dated: readonly Parameter[] = [
  word('date_field', basicDates, 'What the window is about.', 'created_at'),
  ...daysOrMoments,
]

const ids: JsonSchema = { type: 'string', description: 'Only those with these ids, with commas between them.' }

const inFilter = (properties: { [name: string]: JsonSchema }): Parameter => ({
  ...asked('filter', 'What the list is narrowed by, as `filter[ids]=1,2`.', { type: 'object', properties }),
  style: 'deepObject',
  explode: true,
})

export const filteredById: Parameter = inFilter({ ids })

/** Of coupons the dates stand in the filter too. */
export const couponFilter: Parameter = inFilter({
  ids,
  codes: { type: 'string', description: 'Only those with these codes or subcodes, with commas between them.' },
  date_field: { type: 'string', enum: basicDates, default: 'created_at' },
  start_date: { type: 'string', format: 'date' },
  end_date: { type: 'string', format: 'date' },
  start_datetime: moment,
  end_datetime: moment,
})

/** The fields of an input that stands in the query. */
export const asQuery = (input: ZodObject): readonly Parameter[] =>
  Object.entries(inputSchema(input).properties as { [name: string]: JsonSchema }).map(([name, { title, ...schema }]) =>
    asked(name, `${title}.`, schema),
  )

/** Whoever goes on after the last id that was shown misses nothing. */
export const sinceId: Parameter = id(
  'since_id',
  'The least id that is shown. Ids that an act which is still being written may come before are shown once it has ended.',
)

export const idWindow: readonly Parameter[] = [sinceId, id('max_id', 'The greatest id that is shown.')]
