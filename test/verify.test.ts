/** The audit: it finds nothing in books that our acts have written, and finds by name whatever else is planted in them. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { assessDueSubscriptions } from '../src/actions/assess-due-subscriptions.ts'
import { verify } from '../src/actions/verify.ts'
import { sql } from '../src/store/sql.ts'
import { testDatabase } from './support/database.ts'
import { plants, tables } from './support/planted-differences.ts'
import { runProgram } from './support/program.ts'
import { parseStory } from './support/story.ts'
import { runStory } from './support/story-run.ts'
import { openWorld, setClock, type World } from './support/story-world.ts'

const story = `
dunning: 3 attempts, 24 hours apart, then unpaid
product pro: 50.00 every month, setup fee 20.00
product lite: 10.00 every month, trial of 14 days without obligation, card optional
product plus: 30.00 every month, trial of 7 days for 1.00 with payment expected, setup fee 5.00 after the trial
component users: quantity, 15.00
component calls: metered, 0.01
coupon HALF: 50% off for 2 periods
coupon GIFT: 70.00 off once, leaves a credit
tax VAT: 19% in DE
product book: 20.00 every month, setup fee 5.00, taxable
2026-01-01  sign up lise to book with card 1, coupon HALF, living in DE
2026-01-01  sign up olga to book with card 1, coupon GIFT, living in DE
2026-01-01  sign up ada to pro with card 1
2026-01-01  sign up grace to pro with card 1
2026-01-01  sign up alan to pro with card 1, billed next 2026-01-20
2026-01-01  sign up mary to lite without a card
2026-01-01  sign up joan to plus with card 1
2026-01-01  sign up emmy to pro without a card, by invoice
2026-01-01  sign up rosa to pro with card 1
2026-01-01  sign up dora to pro with card 1, beginning 2026-06-01
2026-01-02  sign up lisa to pro with card 1, taking 2 users and 10 calls
2026-01-14  allocate lisa 3 users, full-price-attempt-capture
2026-01-15  card of grace declines
2026-01-15  sign up hedy to pro with card 2
2026-02-01 12:00  card of grace recovers
2026-02-05  charge alan 7.00 "Help"
2026-02-10  cancel joan "enough"
2026-02-19  payment of emmy 90.00 "Transfer"
2026-02-20  refund alan 20.00 of payment 1 "Sorry"
2026-02-20  refund alan 1.00 elsewhere "Sorry"
2026-02-21  gateway declines
2026-02-21  refund alan 5.00 of payment 1 "Once more"
2026-02-21 12:00  gateway recovers
2026-03-20  card of rosa declines
2026-04-02 06:00  use lisa 5 calls
2026-04-02 06:30  charge lisa 3.00 "Extra"
2026-04-02 12:00  so far`

/** Names stand for the ids of their subscriptions. */
type Books = { world: World; url: string; client: pg.Client; ids: Map<string, number> }

async function openBooks(t: TestContext): Promise<Books> {
  const { connection, url } = await testDatabase(t)
  const world = await openWorld(connection)
  const client = new pg.Client(connection)
  await client.connect()
  t.after(async () => {
    await client.end()
    await world.close()
  })
  const { siteId, subscriptions: ids } = await runStory(world, parseStory(story))
  await crash(world, siteId)
  return { world, url, client, ids }
}

/** A renewal and a retry are on record when the process goes; nobody has asked the gateway yet. */
async function crash({ app }: World, siteId: number): Promise<void> {
  await setClock(app, siteId, Temporal.Instant.from('2026-04-20T00:00:00Z'))
  const reach = (point: string): void => {
    if (point === 'renewal: attempts on record') throw new Error('crashed')
  }
  const round = assessDueSubscriptions({ ...app, reach }, siteId, { limit: 100, asDue: false })
  await assert.rejects(round, /crashed/)
  const open = await app.db.arrays(sql`select reason from payment_attempts where settled_at is null order by reason`)
  assert.deepEqual(open.flat(), ['renewal', 'retry'])
}

/** The lines of a report that do not end in 0 differences, by their sentences, with the examples under them. */
function failuresOf(text: string): Map<string, string[]> {
  const failures = new Map<string, string[]>()
  let examples: string[] | undefined
  for (const line of text.split('\n')) {
    const [, sentence, differences] = /^(\S.*?) +[\d,]+ rows?, ([\d,]+) differences?$/.exec(line) ?? []
    if (sentence !== undefined) {
      examples = differences === '0' ? undefined : []
      if (examples) failures.set(sentence, examples)
    } else if (line.startsWith('    ')) examples?.push(line.trim())
  }
  return failures
}

async function plant({ client, ids }: Books, statements: readonly string[]): Promise<void> {
  for (const statement of statements) {
    const { rowCount } = await client.query(statement.replaceAll(/:([a-z]+)\b/g, (_, name) => String(ids.get(name))))
    assert.ok(rowCount, `plants nothing: ${statement}`)
  }
}

/** What the database would refuse by itself is planted too: the audit trusts no constraint. */
async function loosen({ client }: Books): Promise<void> {
  const { rows } = await client.query(
    `select conrelid::regclass as table, conname as name from pg_constraint
      where contype in ('f', 'c') and (conrelid::regclass::text = any($1) or confrelid::regclass::text = any($1))`,
    [tables],
  )
  for (const { table, name } of rows) await client.query(`alter table ${table} drop constraint ${name}`)
  for (const table of tables) await client.query(`create table ${copyOf(table)} as table ${table}`)
}

async function putBack({ client }: Books): Promise<void> {
  for (const table of tables) {
    await client.query(`delete from ${table}`)
    await client.query(`insert into ${table} select * from ${copyOf(table)}`)
  }
}

const copyOf = (table: string): string => `copy_of_${table.replace('.', '_')}`

test('verify', async (t) => {
  const books = await openBooks(t)
  const { app } = books.world

  await t.test('finds nothing where payments failed, recovered, were given up or are under way', async () => {
    const { text, differences } = await verify(app)
    assert.equal(differences, 0, text)
    assert.match(text, /^0 differences in 1 site$/m)
    const { code, output } = await runProgram(books.url, 'verify')
    assert.equal(code, 0, output)
    assert.ok(output.includes(text))
  })

  await loosen(books)
  for (const [sentence, ...statements] of plants) {
    await t.test(`finds, and finds nothing else, where this is not so: ${sentence}`, async () => {
      await plant(books, statements)
      const { text, differences } = await verify(app)
      await putBack(books)
      const failures = failuresOf(text)
      assert.deepEqual([...failures.keys()], [sentence], text)
      assert.ok(differences > 0 && failures.get(sentence)![0]!.startsWith('story-1: '), text)
    })
  }

  await t.test('has a planted difference for each of its checks', async () => {
    const { text, differences } = await verify(app)
    assert.equal(differences, 0, text)
    const sentences = text.split('\n').flatMap((line) => /^(\S.*?) +[\d,]+ rows?, /.exec(line)?.[1] ?? [])
    assert.deepEqual(sentences.toSorted(), plants.map(([sentence]) => sentence).toSorted())
  })

  await t.test('exits 1 on a difference and says in words what it is', async () => {
    await plant(books, ['update subscriptions set balance_in_cents = 1234 where id = :ada'])
    const { code, output } = await runProgram(books.url, 'verify')
    assert.equal(code, 1, output)
    assert.match(
      output,
      new RegExp(`subscription ${books.ids.get('ada')} has a balance of 1234 cents, its ledger ends at 0`),
    )
    assert.match(output, /^1 difference in 1 site$/m)
  })
})
