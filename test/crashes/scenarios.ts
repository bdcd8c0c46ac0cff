/** Every fail point on every path that leads through it: what is done until the process is killed there, and what must be true later. */
import type { FailPoint } from '../../src/host/fail-points.ts'

/** Where a process is killed, `#3` at the third time. */
export type Point = FailPoint | `${FailPoint} #${number}`

export type Scenario = { point: Point } & (
  | {
      path: 'sign-up'
      card: 'good' | 'declining' | 'stored'
      /** What was there when the service is back, before the request is repeated. */
      leaves: 'nothing' | 'a subscription'
    }
  | { path: 'renewal by the worker' | 'renewal on the way of a clock' }
  /** A second process is killed while it recovers from the death of the first one, at `after`. */
  | { path: 'recovery of a sign-up' | 'recovery of a renewal' | 'recovery of a clock'; after: Point }
) & {
    /** The gateway captures and loses its answers. */
    losesAnswers?: true
    /** The gateway cannot be asked what became of a payment either. */
    isDeaf?: true
  }

const signUp = (point: Point, card: 'good' | 'declining' | 'stored' = 'good'): Scenario => ({
  path: 'sign-up',
  point,
  card,
  leaves: point === 'signup: committed' ? 'a subscription' : 'nothing',
})

const renewalPoints = [
  'renewal: claimed',
  'renewal: before commit',
  'renewal: attempts on record',
  'renewal: gateway asked',
  'renewal: gateway answered',
  'renewal: outcomes written',
  'renewal: before settlement commits',
  'renewal: settled',
] as const

/** The first set of a clock's move holds four renewals, the second one a retry. */
const retryOf = (point: FailPoint): Point => (point === 'renewal: gateway asked' ? `${point} #5` : `${point} #2`)

const byWorker = renewalPoints.map((point): Scenario => ({ path: 'renewal by the worker', point }))
const retryPoints = [
  'renewal: attempts on record',
  'renewal: gateway asked',
  'renewal: outcomes written',
  'renewal: settled',
] as const

/** The clock's renewals are the worker's; what differs is who goes on after a crash between the steps. */
const betweenSteps = [
  'renewal: claimed',
  'renewal: attempts on record',
  'renewal: gateway answered',
  'renewal: settled',
] as const

const byClock = [...betweenSteps, ...retryPoints.map(retryOf)].map(
  (point): Scenario => ({ path: 'renewal on the way of a clock', point }),
)

const clockPoints = [
  'clock: move on record',
  'clock: on its way',
  'clock: on its way #2',
  'clock: set done',
  'clock: nothing left',
  'clock: arrived',
] as const

const signedUp = 'signup: gateway answered'
const renewed = 'renewal: gateway answered'

/** Killed at in test/webhooks/kills.test.ts, where there is a receiver. */
export const webhookPoints = [
  'webhooks: numbered',
  'webhooks: claimed',
  'webhooks: sent',
  'webhooks: recorded',
] as const

export const scenarios: readonly Scenario[] = [
  signUp('request: key on record'),
  signUp('signup: decided, nothing on record'),
  signUp('signup: attempt on record'),
  signUp('signup: card stored'),
  signUp('signup: card on record'),
  signUp('signup: gateway answered'),
  signUp('signup: before commit'),
  signUp('request: answer written'),
  signUp('signup: committed'),
  signUp('signup: payment refused', 'declining'),
  signUp('signup: refusal on record', 'declining'),
  { ...signUp('payment: answer lost', 'stored'), losesAnswers: true },
  ...byWorker,
  { path: 'renewal by the worker', point: 'renewal: gateway asked #2' },
  { path: 'renewal by the worker', point: 'payment: answer lost #2', losesAnswers: true },
  { path: 'renewal by the worker', point: 'renewal: unknown on record', losesAnswers: true, isDeaf: true },
  ...byClock,
  { path: 'renewal on the way of a clock', point: 'payment: answer lost', losesAnswers: true },
  ...clockPoints.map((point): Scenario => ({ path: 'renewal on the way of a clock', point })),
  { path: 'recovery of a renewal', after: renewed, point: 'recovery: claimed' },
  { path: 'recovery of a renewal', after: renewed, point: 'recovery: gateway answered' },
  { path: 'recovery of a renewal', after: 'renewal: attempts on record', point: 'renewal: gateway asked #3' },
  { path: 'recovery of a renewal', after: renewed, point: 'renewal: before settlement commits' },
  { path: 'recovery of a renewal', after: renewed, point: 'recovery: settled' },
  {
    path: 'recovery of a renewal',
    after: 'renewal: attempts on record',
    point: 'payment: answer lost',
    losesAnswers: true,
  },
  { path: 'recovery of a renewal', after: renewed, point: 'recovery: postponed', losesAnswers: true, isDeaf: true },
  { path: 'recovery of a sign-up', after: signedUp, point: 'recovery: claimed' },
  { path: 'recovery of a sign-up', after: signedUp, point: 'recovery: marked for giving back' },
  { path: 'recovery of a sign-up', after: signedUp, point: 'recovery: before void' },
  { path: 'recovery of a sign-up', after: signedUp, point: 'recovery: voided' },
  { path: 'recovery of a sign-up', after: signedUp, point: 'recovery: given back' },
  { path: 'recovery of a sign-up', after: 'signup: card on record', point: 'recovery: postponed' },
  { path: 'recovery of a clock', after: 'clock: on its way', point: 'clock: taken over' },
  { path: 'recovery of a clock', after: renewed, point: 'clock: set done' },
]

/** For the title of a test. */
export const titleOf = (scenario: Scenario): string => {
  const { path, point, losesAnswers, isDeaf } = scenario
  const before = 'after' in scenario ? ` after '${scenario.after}'` : ''
  const gateway = isDeaf ? ', gateway deaf' : losesAnswers ? ', answers lost' : ''
  return `${path}, killed at '${point}'${before}${gateway}`
}
