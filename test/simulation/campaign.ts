/** Simulations for hours: as many seeds as the machine does in the time given, one seed alone with its story, or mend after mend taken out. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { copyOfTree } from '../mutations/run.ts'
import { type Mend, mends } from './mends.ts'

const root = join(import.meta.dirname, '../..')

type Searched = { passed: boolean; output: string }

function search(words: readonly string[], tree = root): Promise<Searched> {
  const child = spawn(process.execPath, [join(tree, 'test/simulation/search.ts'), ...words], {
    cwd: tree,
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
  })
  let output = ''
  child.stdout.on('data', (text: Buffer) => {
    output += text.toString('utf8')
  })
  child.stderr.on('data', (text: Buffer) => {
    output += text.toString('utf8')
  })
  return new Promise((resolve) => child.once('exit', (code) => resolve({ passed: code === 0, output })))
}

/** `--seed 7` (or `seed=7`) plays one plan; without it each processor plays another one until `minutes=60` are over. */
export async function searchSeeds(wanted: readonly string[], say: (line: string) => void): Promise<void> {
  const words = wanted.filter((word) => !word.startsWith('--') && word.includes('='))
  const flag = wanted.indexOf('--seed')
  const one = flag >= 0 ? wanted[flag + 1] : words.find((word) => word.startsWith('seed='))?.slice(5)
  if (one !== undefined) {
    const { passed, output } = await search([`from=${one}`, 'count=1'])
    say(output)
    return assert.ok(passed, `seed ${one}`)
  }
  const from = Math.floor(Math.random() * 2 ** 31)
  const processors = availableParallelism()
  const searches = Array.from({ length: processors }, (_, place) =>
    search([`from=${from + place}`, `step=${processors}`, ...words]),
  )
  const searched = await Promise.all(searches)
  for (const { output } of searched) say(output)
  assert.ok(
    searched.every(({ passed }) => passed),
    'a simulation failed',
  )
}

/** Plans that are tried on each mend taken out, at the most. */
const triesMax = 400

export async function takeMendsOut(wanted: readonly string[], say: (line: string) => void): Promise<void> {
  const tries = wanted.find((word) => word.startsWith('count=')) ?? `count=${triesMax}`
  const tree = copyOfTree()
  const found: Mend[] = []
  try {
    for (const mend of mends) {
      const path = join(tree, 'src', mend.file)
      const source = readFileSync(path, 'utf8')
      assert.ok(source.includes(mend.stands), `${mend.name}: it does not stand in ${mend.file} as it is taken out`)
      writeFileSync(
        path,
        source.replace(mend.stands, () => mend.put),
      )
      const { passed, output } = await search(['from=1', tries, 'failures=1', 'shrinks=no', 'minutes=1000'], tree)
      writeFileSync(path, source)
      if (!passed) found.push(mend)
      const [first = '', what = ''] = output.split('\n')
      say(`${passed ? 'NOT FOUND' : 'found'}: ${mend.name}${passed ? '' : ` (${first} ${what.trim()})`}`)
    }
  } finally {
    rmSync(tree, { recursive: true, force: true })
  }
  assert.equal(found.length, mends.length, 'each mend that is taken out is missed')
}
