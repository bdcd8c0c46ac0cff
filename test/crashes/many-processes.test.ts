/** Never taken twice by several processes, never forgotten in days of downtime. */
import { after, before, test } from 'node:test'
import { runDowntime } from './downtime.ts'
import { type Ground, prepareGround, runMoversTogether, runSurvivors, runWorkersTogether } from './together.ts'
import { laterCleaner } from './world.ts'

const suite = laterCleaner()
const lines: string[] = []
let ground: Ground

// More than one set of work, so that there is something left for the second process.
before(async () => {
  ground = await prepareGround(suite, { processes: 2, subscriptions: 560, days: 2, say: (line) => lines.push(line) })
})
after(() => suite.clean())

test('two processes on one database bill what one would have billed', async (t) => {
  await runWorkersTogether(t, ground)
  for (const line of lines) t.diagnostic(line)
})

test('a clock that two processes are told to move is moved by one of them', (t) => runMoversTogether(t, ground))

test('two survivors finish the move of a process that died, as if it had not', (t) => runSurvivors(t, ground))

test('after three days without the service each period is billed once', (t) =>
  runDowntime(t, { days: 3, subscriptions: 10 }))
