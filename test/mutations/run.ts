/** Mutation testing: does small wrongs to a copy of the rules, one at a time, and sees whether a test notices. */
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Mutant, mutantsOf } from './mutants.ts'

const root = join(import.meta.dirname, '../..')
/** A mutant that never ends is noticed too; stories take their time on a busy machine. */
const timeoutMs = 60_000
const storiesTimeoutMs = 300_000

/** Of the rules only, which start nothing that would be left running. */
const quickly = ['--test-isolation=none', `--test-reporter=${join(import.meta.dirname, 'first-failure.ts')}`]

type Verdict = Mutant & { killedBy: string | null }

/** `--file billing/tax.ts` takes all mutants of one file, `--sample 300` so many of all, `--stories` runs the stories on survivors too. */
export async function runMutations(args: string[], say: (line: string) => void): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      file: { type: 'string' },
      sample: { type: 'string' },
      seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
      stories: { type: 'boolean', default: false },
    },
  })
  const files = values.file === undefined ? rules() : [values.file]
  const all = files.flatMap((file) => mutantsOf(file, readFileSync(join(root, 'src', file), 'utf8')))
  const chosen = shuffled(all, Number(values.seed)).slice(0, Number(values.sample ?? all.length))
  say(`${chosen.length} of ${all.length} mutants, seed ${values.seed}`)
  const copy = copyOfTree()
  try {
    if (!(await passes(copy, [...quickly, ...unitTests(copy)]))) throw new Error('the tests fail without a mutant')
    const verdicts: Verdict[] = []
    for (const [place, mutant] of chosen.entries()) {
      const verdict = { ...mutant, killedBy: await judge(copy, mutant, values.stories) }
      verdicts.push(verdict)
      if (verdict.killedBy === null) say(`${place + 1}. survived: ${mutant.file}:${mutant.line} ${mutant.what}`)
    }
    report(verdicts, say)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

const rules = (): string[] =>
  readdirSync(join(root, 'src/billing'))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => `billing/${name}`)

/** A copy of the service and its tests, for wrongs to be done to; whoever makes it removes it. */
export function copyOfTree(): string {
  const copy = mkdtempSync(join(tmpdir(), 'kalends-mutations-'))
  for (const part of ['src', 'test', 'migrations', 'bin', 'package.json', 'tsconfig.json']) {
    cpSync(join(root, part), join(copy, part), { recursive: true })
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

/** The tests beside the file first, then those of all rules, then the stories; gives the first that noticed. */
async function judge(copy: string, { file, source }: Mutant, withStories: boolean): Promise<string | null> {
  const path = join(copy, 'src', file)
  const original = readFileSync(path, 'utf8')
  const beside = path.replace(/\.ts$/, '.test.ts')
  writeFileSync(path, source)
  try {
    if (existsSync(beside) && !(await passes(copy, [...quickly, beside]))) return 'its own tests'
    const others = unitTests(copy).filter((name) => name !== beside)
    if (!(await passes(copy, [...quickly, ...others]))) return 'tests of other rules'
    const stories = ['--test-global-setup=test/support/global-setup.ts', 'test/stories/stories.test.ts']
    if (withStories && !(await passes(copy, stories, storiesTimeoutMs))) return 'the stories'
    return null
  } finally {
    writeFileSync(path, original)
  }
}

const unitTests = (copy: string): string[] =>
  readdirSync(join(copy, 'src/billing'))
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(copy, 'src/billing', name))

function passes(copy: string, args: string[], timeout = timeoutMs): Promise<boolean> {
  const always = ['--test', '--test-force-exit', '--import', './test/support/instants-compared.ts']
  const child = spawn(process.execPath, [...always, ...args], {
    cwd: copy,
    stdio: 'ignore',
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
    timeout,
    killSignal: 'SIGKILL',
  })
  return new Promise((resolve) => child.once('exit', (code) => resolve(code === 0)))
}

function report(verdicts: readonly Verdict[], say: (line: string) => void): void {
  for (const [file, own] of Map.groupBy(verdicts, ({ file }) => file)) {
    const killed = own.filter(({ killedBy }) => killedBy !== null).length
    say(`${file.padEnd(36)} ${killed} of ${own.length} killed`)
  }
  const killed = verdicts.filter(({ killedBy }) => killedBy !== null).length
  for (const [by, those] of Map.groupBy(verdicts, ({ killedBy }) => killedBy ?? 'nobody'))
    say(`noticed by ${by}: ${those.length}`)
  say(`${killed} of ${verdicts.length} killed: ${((100 * killed) / verdicts.length).toFixed(1)} %`)
}

/** In an order that the seed decides. */
function shuffled<Value>(values: readonly Value[], seed: number): Value[] {
  let state = seed >>> 0
  const keyed = values.map((value) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return { value, key: state }
  })
  return keyed.toSorted((one, other) => one.key - other.key).map(({ value }) => value)
}
