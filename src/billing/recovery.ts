/** What is done about a payment of which nobody heard: believed, asked for again under its key, waited for, or left to a human. */
import type { Outcome, SettledOutcome } from './changes.ts'

/** An open attempt, by the clock of the database. */
type OpenPayment = {
  /** How many calls are on record, and how many of them were answered, or never made. */
  callsBegun: number
  callsHeard: number
  outcomeMessage: string | null
  secondsSinceFirstCall: number
  secondsSinceLastCall: number
}

type Terms = {
  /** After so many seconds without a call nothing can be on its way to the gateway any more. */
  quietSeconds: number
  /** For so many seconds after the first call the key makes asking again harmless; null is for good. */
  keySeconds: number | null
  /** How long ago the attempt was read. */
  heldSeconds: number
}

type Step =
  | { does: 'settle'; outcome: SettledOutcome; isQuiet: boolean }
  | { does: 'ask' }
  | { does: 'wait' | 'tell'; message: string }

/**
 * `found` is what the gateway has on record; undefined when it does not say. A key that the gateway does not know ends the attempt
 * only after an error was heard and nothing can be on its way; before that the same key is asked again, as long as it lives. Of an
 * older one only a human can say what became of it (`tell`), unless every call was heard.
 */
export function decideRecovery(
  { callsBegun, callsHeard, outcomeMessage, secondsSinceFirstCall, secondsSinceLastCall }: OpenPayment,
  found: Outcome | { result: 'not_found' } | undefined,
  { quietSeconds, keySeconds, heldSeconds }: Terms,
): Step {
  if (found === undefined || found.result === 'unknown') return { does: 'wait', message: silent }
  if (found.result === 'approved' || found.result === 'declined') {
    return { does: 'settle', outcome: found, isQuiet: false }
  }
  const isOver = callsHeard >= callsBegun
  const isQuiet = isOver || secondsSinceLastCall >= quietSeconds
  const ended: Step = {
    does: 'settle',
    outcome: { result: 'error', message: outcomeMessage ?? nothingCaptured },
    isQuiet: true,
  }
  const isAlive = keySeconds === null || secondsSinceFirstCall + heldSeconds < keySeconds
  if (isOver && !isAlive) return ended
  // A gateway may forget with the key what it did under it.
  if (!isAlive) return isQuiet ? { does: 'tell', message: tooOld } : { does: 'wait', message: silent }
  if (callsHeard === 0 || isOver) return { does: 'ask' }
  // Somebody was told no, and another call may still say yes: one more call would only make the waiting longer.
  return isQuiet ? ended : { does: 'wait', message: outcomeMessage ?? silent }
}

const silent = 'The gateway has not said what became of the payment.'
const nothingCaptured = 'The gateway captured nothing.'
const tooOld = 'The gateway does not know the payment, and its key is too old to ask again.'
