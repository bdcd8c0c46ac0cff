/** A clock that is moved in many steps leaves the same ledger as one that is moved at once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { search } from '../support/campaign.ts'
import { parseStory } from '../support/story.ts'
import { runStory } from '../support/story-run.ts'
import { tellStory } from '../support/story-tell.ts'
import { assertBooksAgree, worldOf } from './books.ts'
import { randomStory } from './random-stories.ts'

test('a clock that halts on its way leaves the same dates and amounts as one that is moved at once', async (t) => {
  const world = await worldOf(t)
  const fractions = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(randomStory({ calm: true }), fractions, async (text, halts) => {
      const story = parseStory(text)
      const from = story.acts[0]!.at
      const seconds = from.until(story.acts.at(-1)!.at).total('seconds')
      const stops = halts.map((fraction) => from.add({ seconds: Math.floor(fraction * seconds) }))
      const atOnce = await runStory(world, story)
      const halting = await runStory(world, story, { stops })
      const told = await tellStory(world.app.db, story, halting)
      assert.equal(told, await tellStory(world.app.db, story, atOnce))
      await assertBooksAgree(world, story, halting)
    }),
    search(t, 8),
  )
})
