/** Whatever happens to a site's subscriptions, the books agree, nothing is taken twice and nothing is forgotten. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { recoverPaymentsOf } from '../../src/actions/recover-payments.ts'
import { verify } from '../../src/actions/verify.ts'
import { readStory } from '../stories/library.ts'
import { search } from '../support/campaign.ts'
import { parseStory } from '../support/story.ts'
import { runStory } from '../support/story-run.ts'
import { moveClock, workUntilDone } from '../support/story-world.ts'
import { assertBooksAgree, assertEverythingHappened, fingerprint, withDice, worldOf } from './books.ts'
import { randomStory } from './random-stories.ts'

/** In so many histories even what is rare has happened. */
const runsThatSeeEverything = 1000

test('any history leaves books that agree, with themselves and with the gateway; working again writes nothing', async (t) => {
  const world = await worldOf(t)
  const scope = search(t, 15)
  await fc.assert(
    fc.asyncProperty(randomStory({ calm: false }), async (text) => {
      const story = parseStory(text)
      const happened = await withDice(text, () => runStory(world, story))
      await assertBooksAgree(world, story, happened)
      const before = await fingerprint(world, happened.siteId)
      await workUntilDone(world.app, happened.siteId)
      await recoverPaymentsOf(world.app, happened.siteId)
      await moveClock(world.app, happened.siteId, story.acts.at(-1)!.at)
      assert.equal(await fingerprint(world, happened.siteId), before, 'working again writes nothing')
    }),
    scope,
  )
  if (scope.numRuns >= runsThatSeeEverything) await assertEverythingHappened(world)
  const { text, differences } = await verify(world.app)
  assert.equal(differences, 0, text)
})

for (const name of ['migrated-at-once', 'after-a-trial-that-led-nowhere']) {
  test(`what is rare leaves books that agree, too: ${name}`, async (t) => {
    const world = await worldOf(t)
    const story = readStory(name)
    await assertBooksAgree(world, story, await runStory(world, story))
    const { text, differences } = await verify(world.app)
    assert.equal(differences, 0, text)
  })
}
