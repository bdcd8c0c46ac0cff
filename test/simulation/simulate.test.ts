/** A hundred simulations of the service among strangers, each another plan. `npm run campaign -- simulate` runs as many as you like. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runSeeds } from './run-seeds.ts'

test('whatever strangers do, each debt is paid once, and gateway and ledger agree to the cent', async (t) => {
  const seeds = Array.from({ length: 100 }, (_, place) => place + 1)
  const failed = await runSeeds(t, seeds, {})
  assert.equal(failed.join('\n'), '')
})
