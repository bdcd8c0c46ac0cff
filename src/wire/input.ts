/** Declares what a request may say, once: names, labels, types; reads it, and reports every problem at the same time. */

import { z } from 'zod'
import { isBlank, text } from './fields.ts'

export * from './fields.ts'

/** What was wrong with the values of a request: one sentence per field, in the order of the declaration. A 422. */
export class InputErrors extends Error {
  override name = 'InputErrors'
  readonly messages: readonly string[]

  constructor(messages: readonly string[]) {
    super(messages.join(' '))
    this.messages = messages
  }
}

export type Tree = { readonly [name: string]: unknown }

export const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Takes the wrapper's object out of a body: `{"subscription": {...}}`. Anything else is an empty object, so each missing field is named. */
export const wrapped = (body: unknown, name: string): Tree => {
  const inner = isTree(body) && Object.hasOwn(body, name) ? body[name] : undefined
  return isTree(inner) ? inner : {}
}

/** As `wrapped`, for a change, which names no field of its own that is missing. Throws `InputErrors` without the wrapper. */
export const wrappedChange = (body: unknown, name: string, label: string): Tree => {
  if (isTree(body) && Object.hasOwn(body, name)) return wrapped(body, name)
  throw new InputErrors([`${label}: cannot be blank.`])
}

/** The fields of an input; other fields that are sent are ignored. `object(…).partial()` is the same input for an update. */
export const object = z.object

export type Command<Schema extends z.ZodType> = z.output<Schema>

/** Without the fields that were left out, so that it can be laid over what there is. */
export const onlySent = <Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as object

const isUnfilled = (value: unknown): boolean => isBlank(value) || (isTree(value) && Object.values(value).every(isBlank))

/** An object inside an object. Blank is null, and so is one in which nothing was filled in. */
export const nested = <Shape extends z.core.$ZodLooseShape>(label: string, fields: Shape) =>
  z
    .preprocess(
      (value) => (value !== undefined && isUnfilled(value) ? null : value),
      z.object(fields, { error: () => `${label}: must be an object.` }).nullable(),
    )
    .optional()

const unwrapItems = (value: unknown): unknown => {
  if (isBlank(value)) return value === undefined ? undefined : null
  if (!isTree(value)) return value
  const [only, ...others] = Object.values(value)
  if (others.length > 0 || only === undefined) return value
  return Array.isArray(only) ? only : [only]
}

/** A list of values. XML without `type="array"` comes as an object with one name, `{"ids": {"id": ["1", "2"]}}`, and is read as its items. */
export const listOf = <Item extends z.ZodType>(label: string, item: Item, options: { readonly max?: number } = {}) => {
  const max = options.max ?? 1000
  return z
    .preprocess(
      unwrapItems,
      z
        .array(item, { error: () => `${label}: must be a list.` })
        .max(max, { error: () => `${label}: is too long (maximum is ${max} items).` })
        .nullable(),
    )
    .optional()
}

/** A list of words, which may also be one text with commas between them: `A,B`. */
export const wordsOf = (label: string, options: { readonly max?: number } = {}) =>
  z
    .preprocess(
      (value) => (typeof value === 'string' && !isBlank(value) ? value.split(',') : value),
      listOf(label, text(label), options),
    )
    .optional()

const messagesMax = 100

/** Where a declaration has no words of its own, which is for the items of a list. */
const complainOf = ({ path = [] }: { readonly path?: readonly PropertyKey[] | undefined }): string => {
  const name = path.findLast((part) => typeof part === 'string') ?? 'body'
  return `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}: each must be an object.`
}

/** Returns the command, or throws `InputErrors`. A tree that is not an object is read as an empty one. */
export const readInput = <Schema extends z.ZodType>(schema: Schema, tree: unknown): z.output<Schema> => {
  const result = schema.safeParse(isTree(tree) ? tree : {}, { error: complainOf })
  if (result.success) return result.data
  const messages = new Map<string, string>()
  for (const issue of result.error.issues) {
    const path = issue.path.join('.')
    if (!messages.has(path)) messages.set(path, issue.message)
  }
  throw new InputErrors([...messages.values()].slice(0, messagesMax))
}
