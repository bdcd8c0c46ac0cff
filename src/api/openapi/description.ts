/** What is said of a route that its code cannot say: what it does in one sentence, what it reads, what it answers. */
import type { ZodObject } from 'zod'
import type { JsonSchema } from '../../wire/input-schema.ts'
import type { Shape } from '../../wire/shape.ts'
import { schemaOf } from './named-shapes.ts'
import { named } from './shape-schema.ts'

export const tags = {
  Subscriptions: 'Signing up, reading, changing and canceling subscriptions, and rehearsing what they will cost.',
  Acts: 'What else a merchant does to a subscription: hold, resume, reactivate, retry, override.',
  Components: 'Components of the catalog, what subscriptions have of them, allocations and usages.',
  Coupons: 'Coupons, their codes, and the coupons of a subscription; taxes.',
  Customers: 'Customers, their stored cards and bank accounts, notes, reason codes, metafields and metadata.',
  Catalog: 'Product families and products.',
  Money: 'Charges, adjustments, credits, payments and refunds by hand.',
  Records: 'What was billed and what happened: transactions, statements, invoices, events.',
  Webhooks: 'Endpoints that are told of events, and what was sent to them.',
  Portal: "The customers' portal: invitations, links, settings.",
  Letters: 'Letters to customers.',
  Site: 'The settings of the site; the clock and the gateway of a test site.',
} as const
export type Tag = keyof typeof tags

/** A parameter of the query, or a reference to one that many routes have. */
export type Parameter =
  | { readonly $ref: string }
  | {
      readonly name: string
      readonly description: string
      readonly schema: JsonSchema
      readonly required?: true
      /** `name[key]=value`. */
      readonly style?: 'deepObject'
      readonly explode?: true
    }

/**
 * `root` is the wrapper; without one the fields stand in the body itself. With `item` it wraps a list of those. `also` are fields
 * that are read apart from the declared ones.
 */
export type Input = {
  readonly root: string | null
  readonly item?: string
  readonly fields: readonly ZodObject[]
  readonly also: { readonly [field: string]: JsonSchema }
  /** Of fields that stand in the body itself, the one that is the root of an XML document. */
  readonly xmlRoot?: string
  /** What may stand beside the root in JSON. */
  readonly beside?: { readonly [field: string]: JsonSchema }
}

export type Reply = {
  readonly status: number
  readonly description?: string
  /** Absent where the answer has no such form. */
  readonly json?: JsonSchema
  readonly xml?: JsonSchema
  readonly text?: string
}

type Failure = 403 | 404 | 422 | 429
export type Description = {
  /** The name of the operation, for clients that are made from the document. */
  readonly id: string
  readonly summary: string
  readonly tag: Tag
  readonly input?: Input
  /** What a site reads that has invoices in their earlier form; `input` is that of the later one, which has all of its fields. */
  readonly earlierInput?: Input
  readonly query?: readonly Parameter[]
  readonly answers: readonly Reply[]
  /** Refusals beyond those that every route of its kind has. */
  readonly refuses?: readonly Failure[]
}

/** By `METHOD path`. */
export type Descriptions = { readonly [route: string]: Description }

/** One area's table: what all its routes share is said once. */
export const about = (
  tag: Tag,
  table: { readonly [route: string]: Omit<Description, 'tag'> & { tag?: Tag } },
): Descriptions =>
  Object.fromEntries(Object.entries(table).map(([route, description]) => [route, { tag, ...description }]))

/** What is sent, under its wrapper. */
export const sent = (
  root: string | null,
  fields: ZodObject | readonly ZodObject[],
  also: Input['also'] = {},
): Input => ({
  root,
  fields: [fields].flat() as readonly ZodObject[],
  also,
})

/** A list under its wrapper. */
export const sentList = (root: string, item: string, fields: ZodObject): Input => ({
  root,
  item,
  fields: [fields],
  also: {},
})

/** One resource under its name. */
export const one = (name: string, shape: Shape, status = 200): readonly Reply[] => [
  {
    status,
    json: { type: 'object', properties: { [name]: schemaOf(shape) }, required: [name] },
    xml: named(schemaOf(shape), name),
  },
]

/** A list of resources, each under its name. */
export const many = (plural: string, item: string, shape: Shape, status = 200): readonly Reply[] => [
  {
    status,
    json: { type: 'array', items: { type: 'object', properties: { [item]: schemaOf(shape) }, required: [item] } },
    xml: { type: 'array', items: named(schemaOf(shape), item), xml: { name: plural, wrapped: true } },
  },
]

/** Resources in a list that wraps none of them. */
export const bareList = (plural: string, item: string, shape: Shape): readonly Reply[] => [
  {
    status: 200,
    json: { type: 'array', items: schemaOf(shape) },
    xml: { type: 'array', items: named(schemaOf(shape), item), xml: { name: plural, wrapped: true } },
  },
]

/** A list under its name, of items without a wrapper. */
export const listUnder = (plural: string, item: string, shape: Shape): readonly Reply[] => [
  {
    status: 200,
    json: { type: 'object', properties: { [plural]: { type: 'array', items: schemaOf(shape) } }, required: [plural] },
    xml: { type: 'array', items: named(schemaOf(shape), item), xml: { name: plural, wrapped: true } },
  },
]

/** Without a wrapper in JSON. */
export const bareOne = (root: string, shape: Shape, status = 200): readonly Reply[] =>
  bareValue(root, schemaOf(shape), status)

/** One of two answers, as the site is set. */
export const either = (one: readonly Reply[], other: readonly Reply[]): readonly Reply[] =>
  one.map((reply, place) => {
    const { json, xml } = other[place] ?? {}
    return { ...reply, json: { anyOf: [reply.json, json] }, xml: { anyOf: [reply.xml, xml] } }
  })

/** A value without a wrapper; XML has a root all the same. */
export const bareValue = (root: string, schema: JsonSchema, status = 200): readonly Reply[] => [
  { status, json: schema, xml: named(schema, root) },
]

/** A number, or another plain value, under its name. */
export const plainValue = (name: string, schema: JsonSchema): readonly Reply[] => [
  { status: 200, json: { type: 'object', properties: { [name]: schema }, required: [name] }, xml: named(schema, name) },
]

/** A sentence as text/plain. */
export const sentence = (text: string, status = 200): readonly Reply[] => [{ status, text }]

export const nothing = (status: 200 | 204): readonly Reply[] => [{ status }]
