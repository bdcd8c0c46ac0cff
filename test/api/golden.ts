/** Compares what the API said with the body on file; `UPDATE_GOLDEN=1` writes the file instead, for review as a diff. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'

const directory = new URL('../golden/', import.meta.url)

/** `name` ends in the format. All ids read 500001, and each field has a line of its own. */
export function assertGolden(name: string, body: string): void {
  const shown = withoutIds(name.endsWith('.xml') ? body.replaceAll('><', '>\n<') : indented(body))
  const file = new URL(name, directory)
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, shown)
  assert.equal(shown, readFileSync(file, 'utf8'), `${name} changed; see UPDATE_GOLDEN in test/api/golden.ts`)
}

const indented = (json: string): string => `${JSON.stringify(JSON.parse(json), null, 2)}\n`

/** Every sequence begins at 500001; which number a row drew says nothing. */
const withoutIds = (text: string): string => text.replace(/\b500\d{3}\b/g, '500001')
