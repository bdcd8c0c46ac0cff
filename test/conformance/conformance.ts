/** `npm run conformance`: walks the official SDKs over every operation that is served, and tells what came of it; `write` makes docs/sdk.md of it. */
import { writeFileSync } from 'node:fs'
import { served } from './operations.ts'
import { pageFile, pageOf, rowsOnFile } from './page.ts'
import { rowsOf, walkAll } from './run.ts'

const say = (line: string): void => void process.stdout.write(`${line}\n`)

const wanted = process.argv.slice(2).filter((word) => word !== 'write')
const walked = await walkAll(wanted)
for (const { sdk, done, defects, events } of walked.walkers) {
  say(
    `${sdk.language}: ${done.size} operations served, ${events.length} kinds of events read, ${defects.length} defects`,
  )
  for (const { operation, what } of defects) say(`  ${operation}: ${what}`)
  const unasked = served.filter(({ name }) => sdk.knows(name) && !done.has(name))
  if (unasked.length > 0) say(`  not done: ${unasked.map(({ name }) => name).join(', ')}`)
}
for (const { language, missing } of walked.missing) say(`${language}: skipped, ${missing}`)
if (process.argv.includes('write')) writeFileSync(pageFile, pageOf(rowsOf(walked, rowsOnFile())))
process.exitCode = walked.walkers.some(({ defects }) => defects.length > 0) ? 1 : 0
