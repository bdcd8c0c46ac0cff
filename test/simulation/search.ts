/** Searches for plans that fail, in a process of its own: `bin/node test/simulation/search.ts from=1 step=2 count=1000 minutes=30`. */
import { parseArgs } from 'node:util'
import { laterCleaner } from '../crashes/world.ts'
import { runSeeds } from './run-seeds.ts'

const { positionals } = parseArgs({ allowPositionals: true })
const words = new Map(positionals.map((word) => word.split('=') as [string, string]))
const numberOf = (name: string, usual: number): number => Number(words.get(name) ?? usual)

const [from, step, count] = [numberOf('from', 1), numberOf('step', 1), numberOf('count', 1e9)]
const untilMs = performance.now() + numberOf('minutes', 60) * 60_000
const failuresMax = numberOf('failures', 1e9)

function* seeds(): Generator<number> {
  for (let place = 0; place < count && failed < failuresMax; place++) yield from + place * step
}

let [failed, done] = [0, 0]
const cleaner = laterCleaner()
const failures = await runSeeds(cleaner, counted(seeds()), {
  say: (line) => {
    failed += 1
    process.stdout.write(`${line}\n`)
  },
  until: () => performance.now() > untilMs,
  shrinks: words.get('shrinks') !== 'no',
})
await cleaner.clean()
process.stdout.write(`${done} simulations, ${failures.length} of them failed\n`)
process.exit(failures.length > 0 ? 1 : 0)

function* counted(all: Iterable<number>): Generator<number> {
  for (const seed of all) {
    yield seed
    done += 1
  }
}
