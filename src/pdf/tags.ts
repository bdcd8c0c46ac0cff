/** Gives a PDF its tags, which the compiler cannot write: what is a heading, a table, a cell, for readers who listen to a page. */

import { deflateSync, inflateSync } from 'node:zlib'
import { assert } from '../billing/assert.ts'
import { type PdfFile, type PdfObject, referenceTo } from './pdf-update.ts'
import { TagTree } from './tag-tree.ts'

/** The objects to add: pages whose texts are marked, and the tree that says what each marked text is. */
export function tags(pdf: PdfFile): PdfObject[] {
  const catalog = referenceTo(pdf.trailer, 'Root')
  const { dictionary } = pdf.read(catalog)
  const kids = /\/Kids \[([^\]]*)\]/.exec(pdf.read(referenceTo(dictionary, 'Pages')).dictionary)?.[1] ?? ''
  const pages = [...kids.matchAll(/(\d+) 0 R/g)].map(([, number]) => Number(number))
  const tree = new TagTree()
  const marked = pages.flatMap((page, index) => markPage(pdf, page, index, tree))
  const { root, objects } = tree.write(pdf.size)
  const body = insert(dictionary, `/MarkInfo << /Marked true >>\n  /StructTreeRoot ${root} 0 R`)
  return [...marked, ...objects, { number: catalog, body }]
}

const insert = (dictionary: string, entries: string): string => {
  assert(dictionary.endsWith('>>'), 'an object of this kind is one dictionary')
  return `${dictionary.slice(0, -2)}  ${entries}\n>>`
}

function markPage(pdf: PdfFile, page: number, index: number, tree: TagTree): PdfObject[] {
  const { dictionary } = pdf.read(page)
  const contents = referenceTo(dictionary, 'Contents')
  const content = inflateSync(pdf.stream(contents)).toString('latin1')
  tree.beginPage(page)
  const bytes = deflateSync(Buffer.from(markTexts(content, tree), 'latin1'))
  const stream = `<<\n  /Length ${bytes.length}\n  /Filter /FlateDecode\n>>\nstream\n${bytes.toString('latin1')}\nendstream`
  return [
    { number: page, body: insert(dictionary, `/StructParents ${index}\n  /Tabs /S`) },
    { number: contents, body: stream },
  ]
}

/** The template gives each text a colour whose two lowest bits of green and blue say its role; no eye sees them. */
const roleOf = (green: string, blue: string): number => {
  const lowest = (part: string): number => Math.round(Number(part) * 255) & 3
  return 4 * lowest(green) + lowest(blue)
}

function markTexts(content: string, tree: TagTree): string {
  const saved: number[] = []
  let role = 0
  let picture: string | undefined
  const lines: string[] = []
  for (const line of content.split('\n')) {
    const colour = /^[\d.]+ ([\d.]+) ([\d.]+) scn$/.exec(line)
    if (colour) role = roleOf(colour[1]!, colour[2]!)
    if (line === 'q') saved.push(role)
    if (line === 'Q') role = saved.pop() ?? 0
    if (line === '/Span <<') picture = ''
    else if (picture !== undefined && line !== '>> BDC') picture += line.trim()
    else if (picture !== undefined) {
      lines.push(tree.markPicture(picture))
      picture = undefined
    } else if (line === 'BT') lines.push(tree.mark(role), line)
    else if (line === 'ET') lines.push(line, 'EMC')
    else lines.push(line)
  }
  return lines.join('\n')
}
