/** The wish to collect or to give back, as a decision puts it on record before a gateway is asked. */
import type { AttemptReason, Changes, Ids, Intent, PaymentAttempt } from './changes.ts'
import type { Cents } from './money.ts'
import { invalid } from './refusal.ts'
import type { CardOnFile, Subscription, SubscriptionFacts } from './subscription.ts'

export const underWay = 'A payment for this subscription is being processed.'
export const noCardOnFile = 'No credit card is on file for this subscription.'

/** One payment at a time: what it leads to is not known before it is in. */
export function refuseUnderWay({ collectingAttemptId }: Pick<Subscription, 'collectingAttemptId'>): void {
  if (collectingAttemptId !== null) throw invalid(underWay)
}

type Wish = {
  reason: AttemptReason
  amount: Cents
  gateway: string
  vaultToken: string | null
  /** What the settlement needs to finish; plain JSON. */
  intent: Intent | null
  now: Temporal.Instant
}

/** Belongs to the period in which the subscription is, by the facts given. */
export function newAttempt(
  { site, subscription }: Pick<SubscriptionFacts, 'site' | 'subscription'>,
  { reason, amount, gateway, vaultToken, intent, now }: Wish,
  ids: Ids,
): PaymentAttempt {
  const id = ids.attempt()
  return {
    siteId: site.id,
    id,
    subscriptionId: subscription.id,
    reason,
    periodNumber: subscription.periodNumber,
    idempotencyKey: attemptKey(site, { subscriptionId: subscription.id, id }),
    amount,
    gateway,
    vaultToken,
    intent,
    createdAt: now,
  }
}

/** The payment alone: what it is for is written when the money is in, and the subscription waits for that. */
export function collectFirst(
  { site, subscription }: Pick<SubscriptionFacts, 'site' | 'subscription'>,
  { currentVault: gateway, vaultToken }: CardOnFile,
  wish: Omit<Wish, 'gateway' | 'vaultToken'>,
  ids: Ids,
): Changes {
  const attempt = newAttempt({ site, subscription }, { ...wish, gateway, vaultToken }, ids)
  return { subscription: { ...subscription, collectingAttemptId: attempt.id, updatedAt: wish.now }, attempt }
}

/** Unique for good: the site's birth keeps a database that is made anew from reusing the keys of the old one. */
export const attemptKey = (
  site: { id: number; createdAt: Temporal.Instant },
  attempt: { subscriptionId: number; id: number },
): string => `${site.id}-${Math.floor(site.createdAt.epochMilliseconds / 1000)}-${attempt.subscriptionId}-${attempt.id}`
