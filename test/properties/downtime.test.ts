/** Work that was due while nobody was there is done when somebody is back: the same periods and charges as if nothing had been missed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { search } from '../support/campaign.ts'
import { parseStory } from '../support/story.ts'
import { readRecords } from '../support/story-records.ts'
import { type Happened, runStory } from '../support/story-run.ts'
import type { World } from '../support/story-world.ts'
import { assertBooksAgree, worldOf } from './books.ts'
import { randomRest } from './random-stories.ts'

/** Everything but the moments at which rows were written. */
async function billed({ app }: World, { siteId, subscriptions }: Happened): Promise<string[]> {
  const told: string[] = []
  for (const [name, id] of subscriptions) {
    const { subscription, periods, transactions, events } = await readRecords(app.db, siteId, id)
    const { state, balance, nextAssessmentAt, activatedAt, trialEndedAt, expiresAt } = subscription
    told.push(
      `${name} ${state} ${balance} next ${nextAssessmentAt}, activated ${activatedAt}, ${trialEndedAt}, ${expiresAt}`,
      ...periods.map(({ number, startedAt, endsAt }) => `period ${number} ${startedAt} ${endsAt}`),
      ...transactions.map(({ transaction: { type, kind, memo, amount, startingBalance, periodNumber } }) =>
        [type, kind, memo, amount, startingBalance, periodNumber].join(' '),
      ),
      ...events.map(({ key }) => key),
    )
  }
  return told
}

test('what workers catch up with after a rest is what would have been billed without one', async (t) => {
  const world = await worldOf(t)
  await fc.assert(
    fc.asyncProperty(randomRest(), async ({ attended, rested }) => {
      const story = parseStory(rested)
      const late = await runStory(world, story)
      const inTime = await runStory(world, parseStory(attended))
      assert.deepEqual(await billed(world, late), await billed(world, inTime))
      await assertBooksAgree(world, story, late)
    }),
    search(t, 8),
  )
})
