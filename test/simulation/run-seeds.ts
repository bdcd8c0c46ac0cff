/** Runs simulations one after the other; one that fails is shortened to what it takes to fail, and told as a story. */
import type { TestContext } from 'node:test'
import { drawPlan, type Plan, sayStep } from './plan.ts'
import { openSimulatedDatabase, type SimulatedDatabase } from './simulated-database.ts'
import { simulate } from './simulation.ts'

/** So many simulations share a database: a site each, one after the other in its time. */
const sharing = 50

type Cleaner = Pick<TestContext, 'after'>

/** Gives a text for each seed that fails. */
export async function runSeeds(
  t: Cleaner,
  seeds: Iterable<number>,
  {
    say = () => {},
    until = () => false,
    shrinks = true,
  }: { say?: (line: string) => void; until?: () => boolean; shrinks?: boolean },
): Promise<string[]> {
  const failed: string[] = []
  let database: SimulatedDatabase | undefined
  let shared = 0
  for (const seed of seeds) {
    if (until()) break
    if (database === undefined || shared++ >= sharing) {
      database = await openSimulatedDatabase(t)
      shared = 0
    }
    const { wrongs } = await simulate(database, drawPlan(seed))
    if (wrongs.length === 0) continue
    // What went wrong may have left the database as it should not be.
    database = undefined
    failed.push(await tell(t, seed, wrongs, shrinks))
    say(failed.at(-1)!)
  }
  return failed
}

async function tell(t: Cleaner, seed: number, wrongs: readonly string[], shrinks: boolean): Promise<string> {
  const plan = shrinks ? await shrink(t, drawPlan(seed)) : drawPlan(seed)
  const { story, wrongs: left } = await simulate(await openSimulatedDatabase(t), plan)
  return [
    `seed ${seed} fails:`,
    ...wrongs.map((wrong) => `  ${wrong}`),
    `shortened to ${plan.steps.length} steps, ${plan.subscriptions} subscriptions, clocks off by ${plan.skews.join(', ')} s:`,
    ...plan.steps.map((step) => `  ${sayStep(step)}`),
    ...left.map((wrong) => `  ${wrong}`),
    ...story.slice(-400),
    '',
  ].join('\n')
}

/** Leaves out whatever can be left out so that the plan still fails. */
async function shrink(t: Cleaner, plan: Plan): Promise<Plan> {
  let best = plan
  const fails = async (candidate: Plan): Promise<boolean> => {
    const { wrongs } = await simulate(await openSimulatedDatabase(t), candidate)
    return wrongs.length > 0
  }
  for (let size = Math.ceil(plan.steps.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < best.steps.length; ) {
      const steps = best.steps.toSpliced(from, size)
      if (await fails({ ...best, steps })) best = { ...best, steps }
      else from += size
    }
  }
  while (best.subscriptions > 1 && (await fails({ ...best, subscriptions: best.subscriptions - 1 }))) {
    best = { ...best, subscriptions: best.subscriptions - 1 }
  }
  return best
}
