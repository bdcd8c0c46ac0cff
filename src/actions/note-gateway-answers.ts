/** Takes note of what gateways answered, and gives the events of those that begin to fail and of those that are back. */
import { addHours } from '../billing/calendar.ts'
import type { PaymentAttempt, SettledOutcome } from '../billing/changes.ts'
import type { SiteEvent } from '../billing/event.ts'
import {
  afterAnswer,
  type GatewayAnswer,
  gatewayFailing,
  gatewayRecovered,
  isUnsuspected,
  silenceHours,
} from '../billing/gateway-health.ts'
import type { Transaction } from '../store/database.ts'
import {
  forgetGatewayHealth,
  isAnySuspected,
  isSilentSince,
  lockGatewayHealth,
  saveGatewayHealth,
} from '../store/gateway-health.ts'

/** `at` is when it is settled, by the site's clock. */
export type Settled = { attempt: PaymentAttempt; outcome: SettledOutcome; at: Temporal.Instant }

/**
 * Where nothing goes wrong this is one look at a table that is empty, and locks nothing. Refunds say nothing of the gateway: what
 * cannot be given back is an error too.
 */
export async function noteGatewayAnswers(
  tx: Transaction,
  siteId: number,
  answered: readonly Settled[],
  wall: Temporal.Instant,
): Promise<SiteEvent[]> {
  const settled = answered.filter(({ attempt }) => attempt.reason !== 'refund')
  const isSuspicious = settled.some(({ outcome }) => outcome.result === 'error')
  if (settled.length === 0 || !(isSuspicious || (await isAnySuspected(tx, siteId)))) return []
  // In one order, so that two settlements never wait for each other.
  const gateways = [...new Set(settled.map(({ attempt }) => attempt.gateway))].sort()
  const events: SiteEvent[] = []
  for (const gateway of gateways) {
    const answers = settled
      .filter(({ attempt }) => attempt.gateway === gateway)
      .map(({ attempt, outcome, at }) => ({ subscriptionId: attempt.subscriptionId, outcome, at }))
    events.push(...(await noteAnswersOf(tx, siteId, gateway, answers, wall)))
  }
  return events
}

async function noteAnswersOf(
  tx: Transaction,
  siteId: number,
  gateway: string,
  answers: readonly GatewayAnswer[],
  wall: Temporal.Instant,
): Promise<SiteEvent[]> {
  const { isNew, ...known } = await lockGatewayHealth(tx, siteId, gateway)
  const decidesOnAny = answers.some(({ outcome }) => outcome.result !== 'error')
  const first = answers[0]?.at
  const isSilent =
    isNew &&
    !decidesOnAny &&
    first !== undefined &&
    (await isSilentSince(tx, siteId, gateway, addHours(first, -silenceHours)))
  let health = known
  const events: SiteEvent[] = []
  for (const answer of answers) {
    const after = afterAnswer(health, answer, { isSilent, wall })
    health = after.health
    const subject = { siteId, gateway, at: answer.at }
    if (after.told === 'failing') events.push(gatewayFailing(subject, answer.outcome.message))
    if (after.told === 'recovered') events.push(gatewayRecovered(subject))
  }
  if (isUnsuspected(health)) await forgetGatewayHealth(tx, siteId, gateway)
  else await saveGatewayHealth(tx, siteId, gateway, health)
  return events
}
