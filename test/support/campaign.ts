/** How long property tests search: a short while by default, CAMPAIGN times as long in a campaign; the seed is printed either way. */
import type { TestContext } from 'node:test'

/** `SEED=123` repeats a search that failed. */
export function search(t: Pick<TestContext, 'diagnostic'>, runs: number): { numRuns: number; seed: number } {
  const times = Number(process.env.CAMPAIGN ?? 1)
  const seed = process.env.SEED === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(process.env.SEED)
  t.diagnostic(`seed ${seed}`)
  return { numRuns: Math.ceil(runs * times), seed }
}
