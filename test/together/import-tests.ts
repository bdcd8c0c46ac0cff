/** Many test files in one process: what each needs to start, the service's own modules above all, is read once for all of them. */
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'node:test'

const root = join(import.meta.dirname, '../..')

/** The files that share a process, by the name of the file in this directory that brings them together. */
export const groups: Readonly<Record<string, string>> = {
  'units.test.ts': 'src/**/*.test.ts',
  'api-a-to-h.test.ts': 'test/api/[a-h]*.test.ts',
  'api-i-to-r.test.ts': 'test/api/[i-r]*.test.ts',
  'api-s-to-z.test.ts': 'test/api/[s-z]*.test.ts',
}

export const filesOf = (pattern: string): string[] => globSync(pattern, { cwd: root }).toSorted()

/** Each registers its tests; they run one after another. */
export async function importTests(group: string): Promise<void> {
  const files = filesOf(groups[group] ?? '')
  if (files.length === 0) throw new Error(`${group} brings no test files together`)
  for (const file of files) await describe(file, async () => void (await import(join(root, file))))
}
