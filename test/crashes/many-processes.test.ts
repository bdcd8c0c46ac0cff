/** Never taken twice by several processes, never forgotten in days of downtime. */
import { type TestContext, test } from 'node:test'
import { runDowntime } from './downtime.ts'
import { runMoversTogether, runSurvivors, runWorkersTogether } from './together.ts'

const small = (t: TestContext) => ({
  processes: 2,
  subscriptions: 100,
  days: 3,
  say: (line: string) => t.diagnostic(line),
})

test('two processes on one database bill what one would have billed', (t) => runWorkersTogether(t, small(t)))

test('a clock that two processes are told to move is moved by one of them', (t) => runMoversTogether(t, small(t)))

test('two survivors finish the move of a process that died, as if it had not', (t) => runSurvivors(t, small(t)))

test('after three days without the service each period is billed once', (t) =>
  runDowntime(t, { days: 3, subscriptions: 10 }))
