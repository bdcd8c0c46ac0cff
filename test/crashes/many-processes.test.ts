/** Never taken twice by several processes, never forgotten in days of downtime. */
import { type TestContext, test } from 'node:test'
import { runDowntime } from './downtime.ts'
import { runMoversTogether, runWorkersTogether } from './together.ts'

const two = (t: TestContext) => ({ processes: 2, lost: 0.03, say: (line: string) => t.diagnostic(line) })

// More than one process takes at a time, so that there is something left for the second one.
test('two processes on one database bill what one would have billed', (t) =>
  runWorkersTogether(t, { ...two(t), subscriptions: 1040, days: 1 }))

test('a clock that two processes are told to move is moved by one of them, and by the survivors if it dies', (t) =>
  runMoversTogether(t, { ...two(t), subscriptions: 60, days: 3 }))

test('after three days without the service each period is billed once', (t) =>
  runDowntime(t, { days: 3, subscriptions: 10 }))
