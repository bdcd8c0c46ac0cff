/** Proofs for hours when nobody waits, or that need tools: `npm run campaign -- crashes [part ...] [seed=<number>]`, `npm run campaign -- pages`, `-- webhooks`, `-- histories`, `-- races`, `-- mutations`, `-- simulate`, `-- mends`, `-- model`. */
import { type TestContext, test } from 'node:test'
import { runDatabaseKills } from './crashes/database-kills.ts'
import { runDowntime } from './crashes/downtime.ts'
import { runRandomKills } from './crashes/random-kills.ts'
import { runMoversTogether, runWorkersTogether } from './crashes/together.ts'
import { canFail, skip } from './model/check.ts'
import { runMutations } from './mutations/run.ts'
import { comparePages } from './pages/page-images.ts'
import { searchSeeds, takeMendsOut } from './simulation/campaign.ts'
import { searchLonger } from './support/search-longer.ts'
import { runWebhookKills } from './webhooks/kills.ts'

const [campaign, ...wanted] = process.argv.slice(2)
const seed = Number(wanted.find((word) => word.startsWith('seed='))?.slice(5) ?? Math.floor(Math.random() * 2 ** 32))

const startedAt = performance.now()
const say = (line: string): void => {
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  process.stdout.write(`${String(seconds).padStart(6)} s  ${line}\n`)
}

type Part = { name: string; title: string; run: (t: TestContext) => Promise<void> }

const crashes: readonly Part[] = [
  {
    name: 'kills',
    title: '200 kills at random moments of 10,000 renewing subscriptions, answers lost',
    run: (t) => runRandomKills(t, { subscriptions: 10_000, kills: 200, seed, lifeMsMax: 3000, faults: false, say }),
  },
  {
    name: 'faults',
    title: '50 kills while the gateway also declines and fails at random',
    run: (t) => runRandomKills(t, { subscriptions: 2000, kills: 50, seed, lifeMsMax: 3000, faults: true, say }),
  },
  {
    name: 'database',
    title: '30 kills of the database, every third one of the service too',
    run: (t) => runDatabaseKills(t, { subscriptions: 2000, kills: 30, seed, lifeMsMax: 2000, say }),
  },
  {
    name: 'processes',
    title: 'eight processes on one database',
    run: async (t) => {
      const run = { processes: 8, subscriptions: 10_000, days: 4, lost: 0.3, say }
      await runWorkersTogether(t, run)
      await runMoversTogether(t, run)
    },
  },
  {
    name: 'downtime',
    title: '45 days without the service',
    run: (t) => runDowntime(t, { days: 45, subscriptions: 500 }),
  },
]

const webhooks: readonly Part[] = [
  {
    name: 'deliveries',
    title: '100,000 webhooks to two endpoints, 60 kills',
    run: (t) => runWebhookKills(t, { webhooks: 50_000, kills: 60, seed, lifeMsMax: 3000, say }),
  },
]

const pages: readonly Part[] = [
  {
    name: 'images',
    title: 'every printed document, drawn by poppler and examined by qpdf',
    run: () => comparePages(say),
  },
]

const searching = (file: string, times: number): Part => ({
  name: file.replace(/^.*\/|\.test\.ts$/g, ''),
  title: `${file}, many times as long as in the tests: times=${times}`,
  run: () => searchLonger(file, times, wanted),
})
const histories = ['histories', 'halting-clock', 'downtime', 'previews'].map((name) =>
  searching(`test/properties/${name}.test.ts`, 50),
)
const races = [searching('test/api/subscription-races.test.ts', 20), searching('test/api/acts-meanwhile.test.ts', 130)]

const mutations: readonly Part[] = [
  { name: 'rules', title: 'small wrongs in the rules, one at a time', run: () => runMutations(wanted, say) },
]

const simulate: readonly Part[] = [
  {
    name: 'seeds',
    title: 'the service among strangers on a simulated clock, plan after plan: --seed 7 for one, minutes=60',
    run: () => searchSeeds(process.argv.slice(3), say),
  },
]
const model: readonly Part[] = ['KIND=1', 'KIND=2'].flatMap((kind) =>
  ['LIES=0', 'LIES=1'].map(
    (lies): Part => ({
      name: 'attempts',
      title: `every state of the model of payment attempts: ${kind}, ${lies}`,
      run: async () => {
        if (skip) throw new Error(skip)
        if (canFail([kind, lies, 'CALLS=2'])) throw new Error('an assertion of the model can fail')
      },
    }),
  ),
)
const mends: readonly Part[] = [
  {
    name: 'simulation',
    title: 'what keeps payments single, taken out one at a time: the simulation must find each',
    run: () => takeMendsOut(wanted, say),
  },
]

const campaigns: Record<string, readonly Part[]> = {
  crashes,
  pages,
  webhooks,
  histories,
  races,
  mutations,
  simulate,
  mends,
  model,
}
const chosen = campaigns[campaign ?? '']
if (chosen === undefined) {
  const names = Object.entries(campaigns).map(
    ([name, of]) => `${name} (parts: ${of.map((part) => part.name).join(', ')})`,
  )
  process.stderr.write(`Which campaign? There are ${names.join(' and ')}.\n`)
  process.exit(1)
}
const parts = chosen.filter(
  ({ name }) => !wanted.some((word) => chosen.some((part) => part.name === word)) || wanted.includes(name),
)

say(`seed=${seed}`)
for (const { title, run } of parts) {
  test(title, async (t) => {
    say(title)
    await run(t)
  })
}
