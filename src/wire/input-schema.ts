/** An input as a JSON schema: what a client is told to send, from the declaration that also reads it. */

import { z } from 'zod'
import { isTree } from './input.ts'

export type JsonSchema = { readonly [keyword: string]: unknown }

/** Fields are told with the type that is best to send; what else is read for it (digits for a number, say) is not. */
export const inputSchema = (input: z.ZodType): JsonSchema => {
  const { $schema: _, ...described } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
  return tidied(described) as JsonSchema
}

const nothing = (schema: unknown): boolean => isTree(schema) && schema.type === 'null'

/**
 * One schema that allows null reads better than two of which one does; an enumeration must name null to allow it; and in XML a
 * list has an element around its items.
 */
function tidied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidied)
  if (!isTree(value)) return value
  const inner = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, tidied(one)]))
  const tree: Record<string, unknown> = inner.type === 'array' ? { ...inner, xml: { wrapped: true } } : inner
  const { anyOf, ...rest } = tree
  if (Array.isArray(anyOf) && anyOf.length === 2 && nothing(anyOf[1]) && typeof anyOf[0]?.type === 'string') {
    return { ...rest, ...anyOf[0], type: [anyOf[0].type, 'null'] }
  }
  const { type, enum: words } = tree
  if (!Array.isArray(type) || !type.includes('null') || !Array.isArray(words) || words.includes(null)) return tree
  return { ...tree, enum: [...words, null] }
}
