/** In a currency without cents whatever happens comes to whole units: every row, line, attempt, invoice and preview. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { previewAllocations } from '../../src/actions/preview-allocations.ts'
import { previewMigration } from '../../src/actions/preview-migration.ts'
import { previewNextRenewals } from '../../src/actions/preview-renewal.ts'
import { verify } from '../../src/actions/verify.ts'
import { Refusal } from '../../src/billing/refusal.ts'
import { fragment, sql } from '../../src/store/sql.ts'
import { search } from '../support/campaign.ts'
import { parseStory } from '../support/story.ts'
import { runStory } from '../support/story-run.ts'
import type { World } from '../support/story-world.ts'
import { assertBooksAgree, withDice, worldOf } from './books.ts'
import { randomStory } from './random-stories.ts'

/** Given amounts lose their cents; what a unit costs may be a part of a yen. */
const inYen = (story: string): string =>
  story
    .replace('# A random story', '# A random story\ncurrency: JPY')
    .replace(/^(?!component|tax).*$/gm, (line) => line.replace(/(\d+)\.(\d\d)\b(?!%)/g, '$1$2.00'))

/** Every column of money, wherever a site keeps any. */
async function listBroken({ app }: World, siteId: number): Promise<string[]> {
  const columns = await app.db.arrays(sql`
    select c.table_name, c.column_name from information_schema.columns c
    where c.table_schema = 'public' and c.column_name like '%\_in\_cents' order by 1, 2`)
  assert.ok(columns.length > 20, 'the columns of money are found')
  const broken = await Promise.all(
    columns.map(async ([table, column]) => {
      const name = fragment(`t.${column}`)
      const rows = await app.db.arrays(sql`
        select ${name} from ${fragment(table as string)} t where t.site_id = ${siteId} and ${name} % 100 <> 0 limit 1`)
      return rows.map(([amount]) => `${table}.${column}: ${amount}`)
    }),
  )
  return broken.flat()
}

type Line = { amount: number; discountAmount: number; taxableAmount: number }
type Totals = { subtotal: number; discount: number; tax: number; total: number }

const amountsIn = (lines: readonly Line[], { subtotal, discount, tax, total }: Totals): number[] => [
  ...lines.flatMap((line) => [line.amount, line.discountAmount, line.taxableAmount]),
  ...[subtotal, discount, tax, total],
]

/** What previews promise of each subscription, at the moment at which the story ends. */
async function listPromised({ app }: World, siteId: number, ids: readonly number[]): Promise<number[]> {
  const renewals = await previewNextRenewals(app, siteId, ids)
  const amounts = [...renewals.values()].flatMap(({ assessment, existingBalance }) => [
    ...amountsIn(assessment.lines, assessment),
    existingBalance,
  ])
  for (const id of ids) {
    const users = { component: { handle: 'users' }, memo: null, upgradeScheme: null, downgradeScheme: null }
    for (const quantity of ['0', '7']) {
      const wanted = [
        { ...users, quantity, upgradeScheme: 'prorate-delay-capture', downgradeScheme: 'prorate' } as const,
      ]
      const preview = await unlessRefused(previewAllocations(app, siteId, id, wanted))
      if (preview) amounts.push(...amountsIn(preview.lines, preview.totals))
    }
    for (const preservePeriod of [false, true]) {
      const how = { includeTrial: false, includeInitialCharge: true, includeCoupons: true, preservePeriod }
      for (const handle of ['first', 'second', 'third']) {
        const figures = await unlessRefused(previewMigration(app, siteId, id, { ...how, product: { handle } }))
        amounts.push(...Object.values(figures ?? {}))
      }
    }
  }
  return amounts
}

/** Gives undefined for what is refused. */
const unlessRefused = <Value>(asked: Promise<Value>): Promise<Value | undefined> =>
  asked.catch((error: unknown) => {
    if (error instanceof Refusal) return undefined
    throw error
  })

test('a site that keeps its books in yen never has, asks or promises a part of one', async (t) => {
  const world = await worldOf(t)
  let promises = 0
  await fc.assert(
    fc.asyncProperty(randomStory({ calm: false }), async (text) => {
      const told = inYen(text)
      const story = parseStory(told)
      const happened = await withDice(told, () => runStory(world, story))
      const { siteId, subscriptions } = happened
      await assertBooksAgree(world, story, happened)
      assert.deepEqual(await listBroken(world, siteId), [])
      const promised = await listPromised(world, siteId, [...subscriptions.values()])
      promises += promised.length
      assert.deepEqual(
        promised.filter((amount) => amount % 100 !== 0),
        [],
      )
    }),
    search(t, 10),
  )
  assert.ok(promises > 100, `${promises} amounts were promised`)
  const { text, differences } = await verify(world.app)
  assert.equal(differences, 0, text)
})
