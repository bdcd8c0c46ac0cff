/**
 * Nothing is accepted and ignored: every field that an input knows is sent with a value unlike the default, and either refused by name or
 * seen in the answer, or in what is read back.
 */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { describe, test } from 'node:test'
import type { Input } from '../../src/api/openapi/description.ts'
import { descriptions } from '../../src/api/openapi/descriptions.ts'
import { type Format, formats, type Say, speaker, wordsOf } from '../api/two-formats.ts'
import { type Case, cases, type Opened } from './cases.ts'
import { differences, factsIn } from './facts.ts'
import { candidates, type Field, fieldsIn, withField } from './fields.ts'
import { openWorld, type World } from './world.ts'

const writing = Object.entries(descriptions).flatMap(([route, { input }]) => (input ? [[route, input] as const] : []))

/** What a request was told, and what is read after it, each tree by where it came from; the sentences where it was refused. */
type Told = {
  readonly answer: unknown
  readonly errors: readonly string[]
  readonly readOn: () => Promise<readonly (readonly [from: string, tree: unknown])[]>
}

async function tell(format: Format, say: Say, { line, root, reads = [] }: Opened, body: unknown): Promise<Told> {
  const sent = JSON.parse(JSON.stringify(body))
  // Several fields that stand in the body itself have a root around them in a document, of whatever name.
  const isBare = root === null && (format === 'json' || Object.keys(sent).length < 2)
  const answer = await say(line, isBare ? sent : { [root ?? 'request']: sent })
  if (answer.status >= 400) return { answer: null, errors: answer.errors.map(wordsOf), readOn: async () => [] }
  const readOn = async () => {
    const trees: [string, unknown][] = []
    for (const path of typeof reads === 'function' ? reads(answer.tree) : reads) {
      trees.push([path.replaceAll(/\d+/g, '#'), (await say(`GET ${path}`)).tree])
    }
    return trees
  }
  return { answer: answer.tree, errors: [], readOn }
}

/** Of the answers first, and of what is read after them only where those are alike. */
async function differencesOf(before: Told, after: Told, sent: ReadonlySet<string> = new Set()): Promise<string[]> {
  const told = differences(factsIn(before.answer, sent, 'answer'), factsIn(after.answer, sent, 'answer'))
  if (told.length > 0) return told
  const [one, other] = [await before.readOn(), await after.readOn()]
  const factsOf = (trees: typeof one) => trees.flatMap(([from, tree]) => factsIn(tree, sent, from))
  return differences(factsOf(one), factsOf(other))
}

const leavesOf = (value: unknown): string[] =>
  typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [String(value)]

/** One kind of request, which is made anew for each field. */
class Trial {
  private readonly before = new Map<string, Told>()
  private readonly world: World
  private readonly format: Format
  private readonly say: Say
  private readonly one: Case

  constructor(world: World, format: Format, one: Case) {
    this.world = world
    this.format = format
    this.say = speaker(world.shop, format)
    this.one = one
  }

  /** With a field, or as it is without. */
  private async make(needs: object = {}, change: (body: object) => unknown = (body) => body): Promise<Told> {
    const opened = await this.one.open(this.world, this.say)
    const told = await tell(this.format, this.say, opened, change({ ...opened.body, ...needs }))
    if (!this.one.isShared) return told
    const trees = await told.readOn()
    return { ...told, readOn: async () => trees }
  }

  async plain(): Promise<Told> {
    const told = await this.make()
    assert.deepEqual(told.errors, [])
    return told
  }

  /** The same without the field, or the plain one where the request is refused without it; once for all that need the same. */
  private async without(needs: object | undefined): Promise<Told> {
    const key = JSON.stringify(needs, (_, value) => value ?? null) ?? ''
    const known = this.before.get(key)
    if (known !== undefined && !this.one.isShared) return known
    const told = await this.make(needs)
    const before = told.errors.length === 0 ? told : await this.plain()
    this.before.set(key, before)
    return before
  }

  /** Undefined where a value that the field may have is refused as it should be, or found again. */
  async problemWith(field: Field): Promise<string | undefined> {
    const needs = this.one.with?.[field.path]?.(this.world)
    const isRefused = field.isRefused || (this.one.refused?.includes(field.path) ?? false)
    const problems: string[] = []
    for (const value of this.one.values?.[field.path]?.(this.world) ?? candidates(field)) {
      const before = await this.without(needs)
      const after = await this.make(needs, (body) => withField(body, field.path.split('.'), value))
      const sent = new Set(leavesOf(value))
      const isAccepted = after.errors.length === 0
      if (isRefused ? !isAccepted : isAccepted && (await differencesOf(before, after, sent)).length > 0) {
        return undefined
      }
      const why = isAccepted
        ? isRefused
          ? 'is not refused'
          : 'is not found again'
        : `is refused: ${after.errors.join(' ')}`
      problems.push(`${JSON.stringify(value)} ${why}`)
    }
    return `${field.path}: ${problems.join('; ')}`
  }
}

const isAmong = (paths: readonly string[], { path }: Field): boolean =>
  paths.some((one) => path === one || path.startsWith(`${one}.`))

const isSeen = ({ only, apart = [] }: Case, field: Field): boolean =>
  (only === undefined || isAmong(only, field)) && !isAmong(apart, field)

for (const format of formats) {
  const world = await openWorld()

  const problemsOf = async (one: Case, input: Input): Promise<string[]> => {
    const trial = new Trial(world, format, one)
    const twice = await differencesOf(await trial.plain(), await trial.plain())
    assert.deepEqual(twice, [], 'the same request is told the same twice')
    const problems: string[] = []
    for (const field of fieldsIn(input).filter((field) => isSeen(one, field))) {
      const problem = await trial.problemWith(field)
      if (problem !== undefined) problems.push(problem)
    }
    return problems
  }

  describe(`in ${format}`, () => {
    for (const [route, input] of writing) {
      test(route, async () => {
        const one = cases[route]
        assert.ok(one !== undefined, 'tell in cases.ts how this request is made')
        if ('elsewhere' in one) assert.ok(existsSync(one.elsewhere), one.elsewhere)
        else assert.deepEqual(await problemsOf(one, input), [])
      })
    }
  })
}
