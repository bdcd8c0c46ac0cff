/** Whether a gateway fails itself, by what it answered lately; the merchant is told when that begins and when it ends. */
import { addHours, isAtOrBefore } from './calendar.ts'
import type { SettledOutcome } from './changes.ts'
import type { SiteEvent } from './event.ts'

export type GatewayHealth = {
  /** By the wall clock; null while it is not failing. */
  failingSince: Temporal.Instant | null
  /** The first error since it last decided on a payment, by the site's clock. */
  errorsSince: Temporal.Instant | null
  /** Subscriptions that met an error since then. */
  suspectIds: readonly number[]
  /** Subscriptions that met an error while others were decided on: a card that the gateway cannot use says nothing of the gateway. */
  oddIds: readonly number[]
}

export const unsuspected: GatewayHealth = { failingSince: null, errorsSince: null, suspectIds: [], oddIds: [] }

export const isUnsuspected = ({ failingSince, errorsSince, oddIds }: GatewayHealth): boolean =>
  failingSince === null && errorsSince === null && oddIds.length === 0

/** What a gateway said of a payment of one subscription; `at` is by the site's clock. */
export type GatewayAnswer = { subscriptionId: number; outcome: SettledOutcome; at: Temporal.Instant }

/** Errors of so many subscriptions, without another answer between them, are the gateway's ... */
const suspectsMin = 10
/** ... and so are those that no other answer has interrupted for so long. */
export const silenceHours = 1
const oddMax = 100

type Told = 'failing' | 'recovered' | null

/**
 * The health after one more answer, and what is to be told of it. An approval or a decline shows that the gateway works.
 * `isSilent` says whether it has decided on nothing for an hour before the first error.
 */
export function afterAnswer(
  health: GatewayHealth,
  { subscriptionId, outcome, at }: GatewayAnswer,
  { isSilent, wall }: { isSilent: boolean; wall: Temporal.Instant },
): { health: GatewayHealth; told: Told } {
  const { failingSince, errorsSince, suspectIds, oddIds } = health
  if (outcome.result !== 'error') {
    const odd = [...new Set([...suspectIds, ...oddIds])].filter((id) => id !== subscriptionId).slice(0, oddMax)
    return { health: { ...unsuspected, oddIds: odd }, told: failingSince === null ? null : 'recovered' }
  }
  if (failingSince !== null || oddIds.includes(subscriptionId)) return { health, told: null }
  const suspects = new Set([...suspectIds, subscriptionId])
  const since = errorsSince ?? at
  const isFailing = isSilent || suspects.size >= suspectsMin || isAtOrBefore(addHours(since, silenceHours), at)
  return {
    health: { failingSince: isFailing ? wall : null, errorsSince: since, suspectIds: [...suspects], oddIds },
    told: isFailing ? 'failing' : null,
  }
}

type Subject = { siteId: number; gateway: string; at: Temporal.Instant }

const gatewayEvent = (key: SiteEvent['key'], { siteId, gateway, at }: Subject, happened: string): SiteEvent => ({
  siteId,
  key,
  message: `Payments through ${gateway} ${happened}`,
  subscriptionId: null,
  customerId: null,
  createdAt: at,
  eventSpecificData: { gateway },
})

/** `words` are the gateway's. */
export const gatewayFailing = (subject: Subject, words: string): SiteEvent =>
  gatewayEvent('gateway_failing', subject, `fail: ${words}`)

export const gatewayRecovered = (subject: Subject): SiteEvent =>
  gatewayEvent('gateway_recovered', subject, 'go through again')
