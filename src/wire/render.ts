/** Turns an answer into bytes of the format that was asked for. */

import type { Answer, Content } from './answer.ts'
import type { Format } from './request.ts'
import { writeXml } from './xml.ts'

export type Rendered = { readonly type: string; readonly text: string | Buffer } | undefined

const renderTree = (content: Extract<Content, { kind: 'tree' }>, format: Format): Rendered =>
  format === 'xml'
    ? { type: 'application/xml; charset=utf-8', text: writeXml(content.root, content.xml, content.shape) }
    : { type: 'application/json; charset=utf-8', text: JSON.stringify(content.json) ?? 'null' }

/** Undefined when there is no body. A tree that was asked for as a PDF (an error, then) is shown as JSON. */
export const render = ({ content }: Answer, format: Format): Rendered => {
  if (content.kind === 'tree') return renderTree(content, format)
  if (content.kind === 'bytes') return { type: content.type, text: content.bytes }
  return content.kind === 'text' ? { type: 'text/plain; charset=utf-8', text: content.text } : undefined
}
