/** Reads XML into the tree that the same resource has in JSON; refuses what a billing client has no use for (DTDs, entities, instructions). */

import { SaxesParser } from 'saxes'
import { isKnownEncoding } from './encoding.ts'
import {
  type DocumentLimits,
  documentLimits,
  RequestFault,
  refuseReservedName,
  tooDeep,
  tooLarge,
  tooMany,
} from './fault.ts'

type Node = {
  readonly name: string
  readonly type: string
  readonly nil: boolean
  readonly children: { readonly name: string; readonly value: unknown }[]
  text: string
}

const refused = (what: string): RequestFault => new RequestFault(400, `The XML document may not hold ${what}.`)

/** Namespaces are ignored and dashes are underscores, so `<s:product-handle>` is `product_handle`. */
const treeName = (name: string): string => {
  const local = name.slice(name.indexOf(':') + 1).replaceAll('-', '_')
  refuseReservedName(local)
  return local
}

/** Digits that a number cannot hold exactly stay text, as everything that is not an integer: the input's rules then refuse it by name. */
const readInteger = (text: string): unknown => {
  const trimmed = text.trim()
  const number = /^[+-]?\d{1,16}$/.test(trimmed) ? Number(trimmed) : Number.NaN
  return Number.isSafeInteger(number) ? number : text
}

const readBoolean = (text: string): unknown => {
  const trimmed = text.trim()
  if (trimmed === 'true' || trimmed === '1') return true
  return trimmed === 'false' || trimmed === '0' ? false : text
}

/** Types that we do not know (`yaml`, `symbol`, `file`) make a value no more than a string. */
const readLeaf = (type: string, text: string): unknown => {
  if (type === 'integer') return text.trim() === '' ? null : readInteger(text)
  if (type === 'boolean') return text.trim() === '' ? null : readBoolean(text)
  if (type === 'datetime' || type === 'dateTime' || type === 'decimal') return text.trim() === '' ? null : text
  return text
}

/** A name that comes again without `type="array"` makes a list of its values. */
const readChildren = (children: Node['children']): unknown => {
  const tree: { [name: string]: unknown } = Object.create(null)
  const repeated = new Map<string, unknown[]>()
  for (const { name, value } of children) {
    const list = repeated.get(name)
    if (list !== undefined) list.push(value)
    else if (name in tree) {
      const first = [tree[name], value]
      repeated.set(name, first)
      tree[name] = first
    } else tree[name] = value
  }
  return tree
}

const readNode = (node: Node): unknown => {
  const isEmpty = node.children.length === 0
  if (!isEmpty && node.text.trim() !== '') throw refused('text between elements')
  if (node.nil) return null
  if (node.type === 'array') {
    if (node.text.trim() !== '') throw refused('text in a list')
    return node.children.map((child) => child.value)
  }
  return isEmpty ? readLeaf(node.type, node.text) : readChildren(node.children)
}

/** Attributes and elements are counted while they are read, so a hostile document is dropped before it has grown. */
const reader = (limits: DocumentLimits) => {
  const parser = new SaxesParser({ xmlns: false, forceXMLVersion: true, defaultXMLVersion: '1.0' })
  const open: Node[] = []
  let root: { readonly name: string; readonly value: unknown } | undefined
  let elements = 0
  let attributes = 0

  parser.on('error', () => {
    throw new RequestFault(400, `The XML document is broken at line ${parser.line}, column ${parser.column}.`)
  })
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding !== undefined && !isKnownEncoding(encoding)) {
      throw refused('another encoding than UTF-8, UTF-16 or ISO-8859-1')
    }
  })
  parser.on('doctype', () => {
    throw refused('a DOCTYPE')
  })
  parser.on('processinginstruction', () => {
    throw refused('processing instructions')
  })
  parser.on('opentagstart', () => {
    elements += 1
    attributes = 0
    if (elements > limits.elements) throw tooMany()
    if (open.length >= limits.depth) throw tooDeep()
  })
  parser.on('attribute', () => {
    attributes += 1
    if (attributes > limits.attributes) throw new RequestFault(400, 'The XML document has too many attributes.')
  })
  parser.on('opentag', ({ name, attributes: given }) => {
    const nil = given.nil ?? given['xsi:nil']
    open.push({
      name: treeName(name),
      type: given.type ?? '',
      nil: nil === 'true' || nil === '1',
      children: [],
      text: '',
    })
  })
  const addText = (text: string): void => {
    const node = open.at(-1)
    if (node !== undefined) node.text += text
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => {
    const node = open.pop()
    if (node === undefined) return
    const named = { name: node.name, value: readNode(node) }
    const parent = open.at(-1)
    if (parent === undefined) root = named
    else parent.children.push(named)
  })
  return { parser, root: () => root }
}

/** Returns `{ [root]: value }`, as the JSON body has it, in objects without a prototype. Throws `RequestFault`. */
export const readXml = (text: string, limits: DocumentLimits = documentLimits): unknown => {
  if (text.length > limits.characters) throw tooLarge()
  const { parser, root } = reader(limits)
  parser.write(text).close()
  const whole = root()
  if (whole === undefined) throw new RequestFault(400, 'The XML document could not be read.')
  const tree: { [name: string]: unknown } = Object.create(null)
  tree[whole.name] = whole.value
  return tree
}
