/** Every word on the pages of each document, against the text on file; `UPDATE_GOLDEN=1` writes the file instead, for review as a diff. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { pino } from 'pino'
import { createPdfRenderer } from '../../src/pdf/renderer.ts'
import { type PdfPage, readAttachments, readPages } from '../support/pdf-text.ts'
import { documents } from '../support/printed-documents.ts'

const directory = new URL('../golden/pages/', import.meta.url)
const renderer = createPdfRenderer(pino({ level: 'silent' }))
after(() => renderer.close())

const printed = new Map<string, Promise<Buffer>>()
const print = (name: string): Promise<Buffer> => {
  const pdf = printed.get(name) ?? renderer.render(documents[name]!)
  printed.set(name, pdf)
  return pdf
}
const pagesOf = async (name: string): Promise<PdfPage[]> => readPages(await print(name))

const assertGolden = (file: string, text: string): void => {
  const url = new URL(file, directory)
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(url, text)
  assert.equal(text, readFileSync(url, 'utf8'), `${file} changed; see UPDATE_GOLDEN in test/pages/golden-text.test.ts`)
}

const shown = (pages: readonly PdfPage[]): string =>
  pages
    .map(({ width, height, lines }, index) =>
      [`== page ${index + 1}, ${Math.round(width)} x ${Math.round(height)} pt`, ...lines, ''].join('\n'),
    )
    .join('\n')

describe('the words on the pages of', () => {
  for (const name of Object.keys(documents)) {
    test(name, async () => {
      assertGolden(`${name}.txt`, shown(await pagesOf(name)))
      const xml = readAttachments(await print(name)).get('factur-x.xml')
      if (xml !== undefined) assertGolden(`${name}.xml`, xml.replaceAll('><', '>\n<'))
    })
  }
})

describe('a long invoice', () => {
  test('repeats its headings on every page and counts the pages', async () => {
    const pages = await pagesOf('sixty-lines')
    assert.equal(pages.length, 4)
    for (const [index, { lines }] of pages.entries()) {
      assert.ok(lines.includes('DESCRIPTION | QUANTITY | UNIT PRICE | AMOUNT'))
      assert.ok(lines.at(-1)!.endsWith(`Page ${index + 1} of 4`))
    }
  })

  test('has at least one line on the page of its total, however many there are', async () => {
    const { lines } = documents['sixty-lines']!
    for (let count = 8; count <= 40; count += 1) {
      const pages = readPages(await renderer.render({ ...documents['sixty-lines']!, lines: lines.slice(0, count) }))
      const last = pages.find((page) => page.lines.some((line) => line.startsWith('Subtotal')))!
      const heading = last.lines.findIndex((line) => line.startsWith('DESCRIPTION'))
      assert.ok(last.lines[heading + 1]!.startsWith('Workspace'), `${count} lines:\n${last.lines.join('\n')}`)
      assert.ok(last.lines.some((line) => line.startsWith('Amount due')))
    }
  })
})

test('an archive can keep it: PDF/A-3, every font inside, and the attached invoice named in its description', async () => {
  const text = (await print('paid')).toString('latin1')
  assert.match(text, /<pdfaid:part>3<\/pdfaid:part><pdfaid:conformance>B<\/pdfaid:conformance>/)
  assert.match(text, /<fx:ConformanceLevel>BASIC WL<\/fx:ConformanceLevel>/)
  assert.match(text, /\/AFRelationship \/Data/)
  assert.equal(text.match(/\/Type \/FontDescriptor/g)?.length, text.match(/\/FontFile[23] /g)?.length)
})

test('who listens to the page hears headings and one table, row by row, with every cell; repeated headings and footers are left out', async () => {
  const text = (await print('sixty-lines')).toString('latin1')
  const count = (name: string): number => text.split(`/S /${name} `).length - 1
  const [facts, sums, lines] = [4, 5, 60]
  assert.match(text, /\/MarkInfo << \/Marked true >>/)
  assert.match(text, /\/Lang \(en\)/)
  assert.equal(count('H1'), 1)
  assert.deepEqual([count('Table'), count('TH')], [3, 4])
  assert.equal(count('TR'), 1 + lines + sums + facts)
  assert.equal(count('TD'), 4 * lines + 2 * sums + 2 * facts)
  assert.match(text, /\/S \/Figure [^>]*\/Alt \(Acme Orchards Ltd\)/)
})

test('no font of the machine is used', async () => {
  const text = (await print('cjk')).toString('latin1')
  const names = [...text.matchAll(/\/BaseFont \/[A-Z]{6}\+([A-Za-z]+)/g)].map(([, name]) => name!)
  assert.ok(names.length > 3)
  for (const name of names) assert.match(name, /^(NotoSans|DroidSansFallback|NanumSquare)/)
})
