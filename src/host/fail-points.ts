/** The places at which crash tests stop the process for good: before and after each step in which money or memory moves. */
import { writeSync } from 'node:fs'
import { SetupProblem } from './setup-problem.ts'

export const failPoints = [
  'request: key on record',
  'request: answer written',
  'signup: decided, nothing on record',
  'signup: attempt on record',
  'signup: card stored',
  'signup: card on record',
  'signup: gateway answered',
  'signup: before commit',
  'signup: committed',
  'signup: payment refused',
  'signup: refusal on record',
  'renewal: claimed',
  'renewal: before commit',
  'renewal: attempts on record',
  'renewal: gateway asked',
  'renewal: gateway answered',
  'renewal: unknown on record',
  'renewal: outcomes written',
  'renewal: before settlement commits',
  'renewal: settled',
  'payment: answer lost',
  'recovery: claimed',
  'recovery: gateway answered',
  'recovery: settled',
  'recovery: marked for giving back',
  'recovery: before void',
  'recovery: voided',
  'recovery: postponed',
  'recovery: given back',
  'clock: move on record',
  'clock: taken over',
  'clock: on its way',
  'clock: set done',
  'clock: nothing left',
  'clock: arrived',
  'webhooks: numbered',
  'webhooks: claimed',
  'webhooks: sent',
  'webhooks: recorded',
] as const
export type FailPoint = (typeof failPoints)[number]

/**
 * Stops this process at a point the way a power cut would, and says so on standard error; without a point, nothing ever happens.
 * `<point>` stops when it is reached first, `<point> #3` when it is reached for the third time. Throws a SetupProblem for an
 * unknown one, which would never be reached.
 */
export function stopAt(wanted: string | undefined): (reached: FailPoint) => void {
  if (wanted === undefined) return () => {}
  const [, name, count = '1'] = /^(.*?)(?: #(\d+))?$/.exec(wanted) ?? []
  const point = failPoints.find((known) => known === name)
  if (point === undefined)
    throw new SetupProblem('KALENDS_FAIL_POINT names no place at which the service can be stopped.')
  let left = Number(count)
  return (reached) => {
    if (reached !== point || --left > 0) return
    writeSync(2, `stopped at ${point}\n`)
    process.kill(process.pid, 'SIGKILL')
  }
}
