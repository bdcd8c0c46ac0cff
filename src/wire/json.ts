/** Reads JSON within limits. The parser's own messages quote the input, which may be a card number, so they end here. */

import {
  type DocumentLimits,
  documentLimits,
  RequestFault,
  refuseReservedName,
  tooDeep,
  tooLarge,
  tooMany,
} from './fault.ts'

/** The parser says "at position 12 (line 1 column 13)"; the figures may be passed on, the rest may not. */
const brokenAt = (error: unknown): string => {
  const place = error instanceof Error ? /\(line (\d{1,9}) column (\d{1,9})\)$/.exec(error.message) : null
  return place === null
    ? 'The JSON document could not be read.'
    : `The JSON document is broken at line ${place[1]}, column ${place[2]}.`
}

const inspect = (value: unknown, depth: number, limits: DocumentLimits, seen: { elements: number }): void => {
  seen.elements += 1
  if (seen.elements > limits.elements) throw tooMany()
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new RequestFault(400, 'The JSON document holds a number that is too large.')
  }
  if (typeof value !== 'object' || value === null) return
  if (depth >= limits.depth) throw tooDeep()
  if (Array.isArray(value)) {
    for (const item of value) inspect(item, depth + 1, limits, seen)
    return
  }
  for (const [name, inner] of Object.entries(value)) {
    refuseReservedName(name)
    inspect(inner, depth + 1, limits, seen)
  }
}

/** Of a name that is given twice the last value counts. Throws `RequestFault`. */
export const readJson = (text: string, limits: DocumentLimits = documentLimits): unknown => {
  if (text.length > limits.characters) throw tooLarge()
  let tree: unknown
  try {
    tree = JSON.parse(text)
  } catch (error) {
    throw new RequestFault(400, brokenAt(error))
  }
  inspect(tree, 0, limits, { elements: 0 })
  return tree
}
