/** Reads the words of a PDF of ours back, line by line, and what is attached to it: enough to know what a reader sees, without a tool of the machine. */
import { inflateSync } from 'node:zlib'

type Objects = ReadonlyMap<number, { readonly dictionary: string; readonly stream: Buffer | undefined }>

/** The newest version of each object: a file may have been added to. */
function readObjects(pdf: Buffer): Objects {
  const text = pdf.toString('latin1')
  const objects = new Map<number, { dictionary: string; stream: Buffer | undefined }>()
  for (const start of text.matchAll(/(?<=\n)(\d+) 0 obj\n/g)) {
    const from = start.index + start[0].length
    const end = text.indexOf('endobj', from)
    const opening = text.indexOf('\nstream\n', from)
    if (opening < 0 || opening > end) {
      objects.set(Number(start[1]), { dictionary: text.slice(from, end), stream: undefined })
      continue
    }
    const dictionary = text.slice(from, opening)
    const length = Number(/\/Length (\d+)/.exec(dictionary)?.[1])
    const bytes = pdf.subarray(opening + 8, opening + 8 + length)
    const stream = dictionary.includes('/FlateDecode') ? inflateSync(bytes) : bytes
    objects.set(Number(start[1]), { dictionary, stream })
  }
  return objects
}

const reference = (dictionary: string, name: string): number =>
  Number(new RegExp(`/${name} (\\d+) 0 R`).exec(dictionary)?.[1] ?? -1)

const entry = (objects: Objects, number: number) => objects.get(number) ?? { dictionary: '', stream: undefined }

export type PdfPage = { readonly width: number; readonly height: number; readonly lines: readonly string[] }

/** Words that stand at one height are one line, with `|` between those that stand apart. Letters are in the order of the page, left to right. */
export function readPages(pdf: Buffer): PdfPage[] {
  const objects = readObjects(pdf)
  const tree = [...objects.values()].find(({ dictionary }) => dictionary.includes('/Type /Pages'))
  const kids = /\/Kids \[([^\]]*)\]/.exec(tree?.dictionary ?? '')?.[1] ?? ''
  return [...kids.matchAll(/(\d+) 0 R/g)].map(([, kid]) => readPage(objects, entry(objects, Number(kid)).dictionary))
}

function readPage(objects: Objects, page: string): PdfPage {
  const [, , width = 0, height = 0] = (/\/MediaBox \[([^\]]*)\]/.exec(page)?.[1] ?? '').trim().split(/\s+/).map(Number)
  const content = entry(objects, reference(page, 'Contents')).stream?.toString('latin1') ?? ''
  const resources = entry(objects, reference(page, 'Resources')).dictionary
  const fonts = new Map(
    [...resources.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name, number]) => [
      name!,
      readFont(objects, entry(objects, Number(number)).dictionary),
    ]),
  )
  return { width, height, lines: linesOf(readWords(content, fonts)) }
}

type Font = ReadonlyMap<string, string>

function readFont(objects: Objects, dictionary: string): Font {
  const map = entry(objects, reference(dictionary, 'ToUnicode')).stream?.toString('latin1') ?? ''
  const letters = new Map<string, string>()
  for (const [, block] of map.matchAll(/beginbfchar([\s\S]*?)endbfchar/g)) {
    for (const [, glyph, letter] of block!.matchAll(/<([0-9a-fA-F]+)>\s*<([0-9a-fA-F]+)>/g)) {
      letters.set(glyph!.toLowerCase(), new TextDecoder('utf-16be').decode(Buffer.from(letter!, 'hex')))
    }
  }
  return letters
}

type Word = { readonly x: number; readonly y: number; readonly text: string }
type Place = { readonly x: number; readonly y: number }

/** Moves are all that places text; the page's own flip and the scales of pictures do not matter. */
function readWords(content: string, fonts: ReadonlyMap<string, Font>): Word[] {
  const words: Word[] = []
  const saved: Place[] = []
  let place: Place = { x: 0, y: 0 }
  let baseline: Place = place
  let font: Font = new Map()
  for (const line of content.split('\n')) {
    const moved = /^1 0 0 1 (-?[\d.]+) (-?[\d.]+) cm$/.exec(line)
    const based = /^1 0 0 -1 (-?[\d.]+) (-?[\d.]+) Tm$/.exec(line)
    const chosen = /^\/(F\d+) [\d.]+ Tf$/.exec(line)
    if (moved) place = { x: place.x + Number(moved[1]), y: place.y + Number(moved[2]) }
    else if (based) baseline = { x: Number(based[1]), y: Number(based[2]) }
    else if (chosen) font = fonts.get(chosen[1]!) ?? new Map()
    else if (line === 'q') saved.push(place)
    else if (line === 'Q') place = saved.pop() ?? place
    else if (/T[Jj]$/.test(line)) {
      words.push({
        x: place.x + baseline.x,
        y: place.y + baseline.y,
        text: glyphsOf(line)
          .map((glyph) => font.get(glyph) ?? '')
          .join(''),
      })
    }
  }
  return words.filter(({ text }) => text !== '')
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/** The strings of an array, each byte a character. Parentheses that match stand in a string as they are. */
function stringsOf(array: string): string[] {
  const found: string[] = []
  for (let at = 0; at < array.length; at += 1) {
    if (array[at] === '<') {
      const end = array.indexOf('>', at)
      found.push(Buffer.from(array.slice(at + 1, end), 'hex').toString('latin1'))
      at = end
    } else if (array[at] === '(') {
      const from = at + 1
      at = endOfLiteral(array, at)
      found.push(unescaped(array.slice(from, at)))
    }
  }
  return found
}

function endOfLiteral(array: string, from: number): number {
  let depth = 0
  for (let at = from; at < array.length; at += 1) {
    if (array[at] === '\\') at += 1
    else if (array[at] === '(') depth += 1
    else if (array[at] === ')') depth -= 1
    if (depth === 0) return at
  }
  throw new Error('a string of the PDF does not end')
}

const unescaped = (literal: string): string =>
  literal.replace(/\\(\d{1,3}|[\s\S])/g, (_, escaped: string) =>
    /^\d/.test(escaped) ? String.fromCharCode(Number.parseInt(escaped, 8)) : (escapes[escaped] ?? escaped),
  )

/** Two bytes each, in hexadecimal. */
const glyphsOf = (line: string): readonly string[] =>
  stringsOf(line).flatMap((text) => Buffer.from(text, 'latin1').toString('hex').match(/.{4}/g) ?? [])

function linesOf(words: readonly Word[]): string[] {
  const sorted = words.toSorted((a, b) => a.y - b.y || a.x - b.x)
  const lines: Word[][] = []
  for (const word of sorted) {
    const line = lines.at(-1)
    if (line !== undefined && word.y - line[0]!.y < 3) line.push(word)
    else lines.push([word])
  }
  return lines.map((line) => {
    const texts = line.toSorted((a, b) => a.x - b.x).map(({ text }) => text)
    return texts.join(' | ').replace(/\s+/gu, ' ').replaceAll(' | | ', ' ').trim()
  })
}

/** The files that are attached, by their names. */
export function readAttachments(pdf: Buffer): ReadonlyMap<string, string> {
  const objects = readObjects(pdf)
  const specifications = [...objects.values()].filter(({ dictionary }) => dictionary.includes('/Type /Filespec'))
  return new Map(
    specifications.map(({ dictionary }) => [
      /\/F \(([^)]*)\)/.exec(dictionary)?.[1] ?? '',
      entry(objects, reference(dictionary.slice(dictionary.indexOf('/EF')), 'F')).stream?.toString('utf8') ?? '',
    ]),
  )
}
