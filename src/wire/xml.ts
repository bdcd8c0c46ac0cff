/** Writes a tree as XML; the reader is next door. */

import type { Fields, List, Shape } from './shape.ts'

export { readXml } from './xml-reader.ts'

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
const special = /[&<>\r\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]/

/**
 * Carriage returns are written as references, since every parser turns plain ones into line feeds. What XML 1.0 cannot
 * say at all, not even as a reference, becomes the replacement character.
 */
const escapeOf = (code: number): string | undefined => {
  if (code > 0x3e && code < 0xfffe) return undefined
  if (code === 0x26) return '&amp;'
  if (code === 0x3c) return '&lt;'
  if (code === 0x3e) return '&gt;'
  if (code === 0x0d) return '&#13;'
  if (code === 0x09 || code === 0x0a) return undefined
  return code < 0x20 || code >= 0xfffe ? '\ufffd' : undefined
}

const escapeText = (text: string): string => {
  if (!special.test(text)) return text
  const whole = text.toWellFormed()
  let escaped = ''
  let from = 0
  for (let i = 0; i < whole.length; i += 1) {
    const reference = escapeOf(whole.charCodeAt(i))
    if (reference === undefined) continue
    escaped += whole.slice(from, i) + reference
    from = i + 1
  }
  return escaped + whole.slice(from)
}

const plainName = /^[A-Za-z_][A-Za-z0-9_.-]*$/

/** Names that come from a shape are ours; others may be anything and are made into names. */
const elementName = (name: string): string => {
  if (plainName.test(name)) return name
  const safe = name.replace(/[^A-Za-z0-9_.-]/g, '_')
  return /^[A-Za-z_]/.test(safe) ? safe : `_${safe}`
}

const isList = (shape: Shape): shape is List => typeof shape === 'object' && 'list' in shape

const typeOf = (shape: Shape | undefined): string => {
  if (shape === undefined || shape === 'string' || shape === 'untypedInteger') return ''
  if (typeof shape === 'string') return ` type="${shape}"`
  if (isList(shape)) return shape.isUntyped ? '' : ' type="array"'
  return shape.xmlType === undefined ? '' : ` type="${shape.xmlType}"`
}

/** An element's tags, made once for each field of a shape: most of an answer is them. */
type Element = {
  readonly open: string
  readonly close: string
  readonly none: string
  readonly shape: Shape | undefined
}

const element = (name: string, shape: Shape | undefined): Element => ({
  open: `<${name}${typeOf(shape)}>`,
  close: `</${name}>`,
  none: `<${name}${typeOf(shape)} nil="true"/>`,
  shape,
})

const known = new WeakMap<Fields, ReadonlyMap<string, Element>>()

const elementsOf = (shape: Fields): ReadonlyMap<string, Element> => {
  const before = known.get(shape)
  if (before !== undefined) return before
  const elements = new Map(Object.entries(shape.fields).map(([name, one]) => [name, element(name, one)]))
  known.set(shape, elements)
  return elements
}

/** Without a shape the value says what it is. */
const inferred = (name: string, value: unknown): Element => {
  const safe = elementName(name)
  if (typeof value === 'boolean') return element(safe, 'boolean')
  if (typeof value === 'number') return element(safe, Number.isInteger(value) ? 'integer' : 'decimal')
  const untyped = element(safe, undefined)
  return Array.isArray(value) ? { ...untyped, open: `<${safe} type="array">` } : untyped
}

const writeList = (values: readonly unknown[], { open, close, shape }: Element): string => {
  const list = shape !== undefined && isList(shape) ? shape : undefined
  const item = list === undefined ? undefined : element(list.item, list.list)
  let text = open
  for (const value of values) text += write(value, item ?? inferred('item', value))
  return text + close
}

const writeFields = (value: object, { open, close, shape }: Element): string => {
  const elements = typeof shape === 'object' && 'fields' in shape ? elementsOf(shape) : undefined
  let text = open
  for (const key of Object.keys(value)) {
    const one = (value as { [name: string]: unknown })[key]
    text += write(one, elements?.get(key) ?? inferred(key, one))
  }
  return text + close
}

/** As in JSON, a field that is undefined is left out. */
const write = (value: unknown, its: Element): string => {
  if (typeof value === 'string') return its.open + escapeText(value) + its.close
  if (value === null) return its.none
  if (value === undefined) return ''
  if (typeof value !== 'object') return its.open + String(value) + its.close
  return Array.isArray(value) ? writeList(value, its) : writeFields(value, its)
}

/** The value must be what JSON would show: strings, numbers, booleans, nulls, lists and plain objects. */
export const writeXml = (root: string, value: unknown, shape?: Shape): string =>
  `${declaration}${write(value, shape === undefined ? inferred(root, value) : element(root, shape))}\n`
