/** The stories of this folder and their golden answers. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseStory, type Story } from '../support/story.ts'
import { readCaptures, readRecords } from '../support/story-records.ts'
import { type Happened, runStory } from '../support/story-run.ts'
import { tellStory } from '../support/story-tell.ts'
import type { World } from '../support/story-world.ts'

const folder = import.meta.dirname
const ending = '.story'

export const listStories = (): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length))
    .toSorted()

export const readStory = (name: string): Story => parseStory(readFileSync(join(folder, `${name}${ending}`), 'utf8'))

export const readAnswer = (name: string): string => readFileSync(join(folder, `${name}.out`), 'utf8')

export const writeAnswer = (name: string, answer: string): void => writeFileSync(join(folder, `${name}.out`), answer)

/** What came of a story, as its golden answer tells it. */
export async function happen(world: World, name: string): Promise<string> {
  const story = readStory(name)
  const happened = await runStory(world, story)
  await assertGatewayAgrees(world, happened)
  return tellStory(world.app.db, story, happened)
}

/** The gateway's own record knows the same payments as the ledger, no more and no less. */
async function assertGatewayAgrees({ app }: World, { siteId, subscriptions }: Happened): Promise<void> {
  const captured = Map.groupBy(await readCaptures(app.db, siteId), ({ subscriptionId }) => subscriptionId)
  assert.deepEqual(
    [...captured.keys()].filter((id) => ![...subscriptions.values()].includes(id ?? 0)),
    [],
    'nothing was taken for a subscription that does not exist',
  )
  for (const [name, id] of subscriptions) {
    const { transactions } = await readRecords(app.db, siteId, id)
    const paid = transactions.filter(
      ({ transaction }) => transaction.type === 'payment' && transaction.kind !== 'manual' && transaction.success,
    )
    const taken = captured.get(id) ?? []
    const amounts = paid.map(({ transaction }) => Number(transaction.amount))
    assert.deepEqual(
      amounts,
      taken.map(({ amount }) => amount),
      `the gateway took what ${name} paid`,
    )
  }
}
