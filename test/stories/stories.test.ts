/** Every story ends as its golden answer says: the ledger, the events, the statements and the dates of months of billing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verify } from '../../src/actions/verify.ts'
import { testDatabase } from '../support/database.ts'
import { openWorld } from '../support/story-world.ts'
import { happen, listStories, readAnswer } from './library.ts'

test('every story ends as its golden answer says', async (t) => {
  const { connection } = await testDatabase(t)
  const world = await openWorld(connection)
  t.after(() => world.close())

  for (const name of listStories()) {
    await t.test(name, async () => {
      assert.equal(await happen(world, name), readAnswer(name), `bin/node test/stories/run.ts ${name} shows what came`)
    })
  }

  await t.test('the audit finds no difference in any of them', async () => {
    const { text, differences } = await verify(world.app)
    assert.equal(differences, 0, text)
  })
})
