/** The places at which crash tests stop the process for good: before and after each step in which money or memory moves. */

export const failPoints = [
  'signup: decided, nothing on record',
  'signup: attempt on record',
  'signup: card stored',
  'signup: gateway answered',
  'signup: before commit',
  'signup: committed',
  'renewal: before commit',
  'renewal: attempts on record',
  'renewal: gateway asked',
  'renewal: gateway answered',
  'renewal: before settlement commits',
  'renewal: settled',
  'recovery: claimed',
  'recovery: gateway answered',
  'recovery: before void',
  'recovery: voided',
] as const
export type FailPoint = (typeof failPoints)[number]

/** Stops this process at the given point the way a power cut would; without a point, nothing ever happens. */
export const stopAt =
  (point: string | undefined): ((reached: FailPoint) => void) =>
  (reached) => {
    if (reached === point) process.kill(process.pid, 'SIGKILL')
  }
