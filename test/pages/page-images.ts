/** The pages as pictures: drawn by poppler, held against small pictures on file, and every file examined by qpdf. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { createPdfRenderer } from '../../src/pdf/renderer.ts'
import { documents } from '../support/printed-documents.ts'
import { readPng } from './png.ts'

const directory = join(import.meta.dirname, '../golden/pages')
const dotsPerInch = 40

/** Versions of poppler smooth letters differently; a word or a rule in another place is far above this. */
const differenceMax = 0.003

/** Throws with a sentence when a tool is missing: a proof that is skipped proves nothing. */
function need(tool: string, debianPackage: string): void {
  try {
    execFileSync(tool, ['--version'], { stdio: 'ignore' })
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOENT') return
    throw new Error(`${tool} is not installed. On Debian: apt-get install ${debianPackage}`)
  }
}

/** With `UPDATE_GOLDEN=1` the pictures are written anew, for somebody to look at. */
export async function comparePages(say: (line: string) => void): Promise<void> {
  need('pdftoppm', 'poppler-utils')
  need('qpdf', 'qpdf')
  const work = mkdtempSync(join(tmpdir(), 'kalends-pages-'))
  const renderer = createPdfRenderer(pino({ level: 'silent' }))
  try {
    for (const [name, document] of Object.entries(documents)) {
      const file = join(work, `${name}.pdf`)
      writeFileSync(file, await renderer.render(document))
      execFileSync('qpdf', ['--check', file], { stdio: 'pipe' })
      execFileSync('pdftoppm', ['-r', String(dotsPerInch), '-png', file, join(work, name)])
      const pages = readdirSync(work).filter((one) => one.startsWith(`${name}-`) && one.endsWith('.png'))
      for (const page of pages.toSorted()) comparePage(join(work, page), page, say)
    }
  } finally {
    await renderer.close()
    rmSync(work, { recursive: true })
  }
}

function comparePage(drawn: string, name: string, say: (line: string) => void): void {
  const golden = join(directory, name)
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(golden, readFileSync(drawn))
  assert.ok(existsSync(golden), `${name} is a page that is not on file; look at it, then UPDATE_GOLDEN=1`)
  const [one, other] = [readPng(readFileSync(drawn)), readPng(readFileSync(golden))]
  assert.deepEqual([one.width, one.height], [other.width, other.height], `${name} has another size`)
  const sum = one.colours.reduce((total, colour, at) => total + Math.abs(colour - other.colours[at]!), 0)
  const difference = sum / one.colours.length / 255
  say(`${name.padEnd(28)} differs by ${(100 * difference).toFixed(2)} %`)
  assert.ok(difference < differenceMax, `${name} looks different; draw both and look, then UPDATE_GOLDEN=1`)
}
