/** Keeps the house in order: each rule is held against the whole tree, and against code that breaks it. */

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import * as rules from './support/house-rules.ts'
import { readSources } from './support/sources.ts'

const root = join(import.meta.dirname, '..')

const sentence = '/** What this file is for. */\n'
const lines = (count: number) => 'run()\n'.repeat(count)

/** For each rule what it guarantees, files that break it, and files that come close to breaking it. */
const guarantees: { title: string; rule: rules.Rule; bad: Record<string, string>; good: Record<string, string> }[] = [
  {
    title: 'imports point downward, and never to a neighbour',
    rule: rules.importsPointDownward,
    bad: {
      'src/store/upward.ts': `import { renew } from '../actions/renew.ts'`,
      'src/wire/neighbour.ts': `export type { Row } from '../store/row.ts'`,
      'src/views/late.ts': `import type { App } from '../actions/app.ts'`,
      'src/cellar/room.ts': 'export const x = 1',
    },
    good: {
      'src/actions/down.ts': `import { a } from '../views/a.ts'\nimport { b } from './b.ts'\nimport pino from 'pino'`,
    },
  },
  {
    title: 'the service does not import its tests',
    rule: rules.theServiceDoesNotNeedItsTests,
    bad: { 'src/api/people.ts': `import { ada } from '../../test/support/people.ts'` },
    good: { 'src/api/people.test.ts': `import { ada } from '../../test/support/people.ts'` },
  },
  {
    title: 'billing is pure: no packages, no other rooms, no waiting',
    rule: rules.billingIsPure,
    bad: {
      'src/billing/reads.ts': `import { readFileSync } from 'node:fs'`,
      'src/billing/asks.ts': 'export const ask = async () => 1',
      'src/billing/waits.ts': 'export function wait(p: never) { return async () => { await p } }',
    },
    good: {
      'src/billing/adds.ts': `import { cents } from './money.ts'\n// async and await in a comment`,
      'src/billing/adds.test.ts': `import test from 'node:test'`,
    },
  },
  {
    title: 'SQL stays in the store',
    rule: rules.sqlStaysInTheStore,
    bad: {
      'src/actions/asks.ts': `import pg from 'pg'`,
      'src/workers/writes.ts': `import { sql } from '../store/sql.ts'`,
    },
    good: { 'src/store/asks.ts': `import pg from 'pg'`, 'src/main.ts': `import type pg from 'pg'` },
  },
  {
    title: 'the doors read the store and change nothing in it',
    rule: rules.doorsOnlyReadTheStore,
    bad: {
      'src/api/writes.ts': `import { findSite, insertSite } from '../store/sites.ts'`,
      'src/portal/all.ts': `import * as sites from '../store/sites.ts'`,
    },
    good: {
      'src/api/reads.ts': `import { findSite, listSites as sites, type SiteRow } from '../store/sites.ts'`,
      'src/actions/writes.ts': `import { insertSite } from '../store/sites.ts'`,
    },
  },
  {
    title: 'time and environment come in by one door each',
    rule: rules.timeAndEnvironmentComeByTheDoor,
    bad: {
      'src/actions/now.ts': 'export const now = () => Date.now()',
      'src/actions/today.ts': 'export const today = new Date()',
      'src/workers/instant.ts': 'export const at = Temporal.Now.instant()',
      'src/main.ts': 'export const port = process.env.PORT',
    },
    good: { 'src/host/clock.ts': 'Date.now()', 'src/wire/date.ts': 'export const date = (at: number) => new Date(at)' },
  },
  {
    title: 'nothing is left for later or hidden from the compiler',
    rule: rules.nothingIsLeftForLater,
    bad: {
      'src/wire/later.ts': `// TO${'DO'}: the rest`,
      'test/hidden.ts': `export const x = 1 as any`,
      'bench/ignored.ts': `// @ts-${'ignore'}\nexport const x = 1`,
    },
    good: { 'src/wire/method.ts': '// as any other\nexport const method = "any"' },
  },
  {
    title: 'names say what is inside',
    rule: rules.namesSayWhatIsInside,
    bad: {
      'src/wire/utils.ts': '',
      'src/helpers/text.ts': '',
      'src/api/v2/sites.ts': '',
      'src/api/siteList.ts': '',
    },
    good: { 'src/api/site-list.test.ts': '' },
  },
  {
    title: 'files have at most 300 lines',
    rule: rules.filesAreShort,
    bad: { 'src/wire/long.ts': lines(301) },
    good: { 'src/wire/just-right.ts': lines(300) },
  },
  {
    title: 'functions have at most 60 lines',
    rule: rules.functionsAreShort,
    bad: {
      'src/wire/declared.ts': `export async function far() {\n${lines(59)}}`,
      'src/wire/arrow.ts': `export const far = () => {\n${lines(59)}}`,
      'src/wire/method.ts': `export class Far {\n  get far() {\n${lines(59)}}\n}`,
      'src/wire/braces.ts': `export const far = () => {\n  const a = '}'; const b = /}/; const c = \`}\`\n${lines(58)}}`,
    },
    good: {
      'src/wire/near.ts': `export function near() {\n${lines(58)}}\nexport function far() {\n${lines(58)}}`,
      'test/suite.test.ts': `describe('much', () => {\n${lines(90)}})`,
    },
  },
  {
    title: 'every file opens with the sentence that says what it is for',
    rule: rules.filesOpenWithASentence,
    bad: { 'src/wire/silent.ts': `import a from 'a'\n/** Too late. */`, 'src/wire/plain.ts': '// not a doc comment' },
    good: { 'src/wire/told.ts': sentence },
  },
]

const { project, snippets } = readSources(
  root,
  guarantees.flatMap(({ bad, good }) => [bad, good]),
)

for (const [index, { title, rule }] of guarantees.entries()) {
  const [bad = [], good = []] = snippets.slice(2 * index)
  describe(title, () => {
    test('everywhere in the tree', () => {
      assert.ok(project.length > 0)
      assert.equal(project.flatMap(rule).join('\n'), '')
    })

    test('and whatever breaks it is found', () => {
      assert.ok(bad.length > 0 && good.length > 0)
      for (const source of bad) assert.ok(rule(source).length > 0, `${source.path} breaks the rule and was not found`)
      assert.equal(good.flatMap(rule).join('\n'), '')
    })
  })
}

test('every migration opens with a sentence that says why', () => {
  for (const name of readdirSync(join(root, 'migrations'))) {
    assert.match(readFileSync(join(root, 'migrations', name), 'utf8'), /^-- \S/, name)
  }
})

test('what breaks a rule is told in words', () => {
  assert.deepEqual(snippets[0]?.flatMap(rules.importsPointDownward).sort(), [
    'src/cellar/room.ts: cellar is on no floor',
    'src/store/upward.ts: may not import from actions',
    'src/views/late.ts: may not import from actions',
    'src/wire/neighbour.ts: may not import from store',
  ])
})
