/** The wish to collect or to give back, as a decision puts it on record before a gateway is asked. */
import { assert } from './assert.ts'
import type { AttemptReason, Changes, Ids, Intent, PaymentAttempt } from './changes.ts'
import type { Cents } from './money.ts'
import { formatExpiration, paidWith } from './payment-profile.ts'
import { invalid } from './refusal.ts'
import type { CardOnFile, Subscription, SubscriptionFacts } from './subscription.ts'
import { isWhole } from './whole-units.ts'

export const underWay = 'A payment for this subscription is being processed.'
export const noCardOnFile = 'No credit card is on file for this subscription.'

/** One payment at a time: what it leads to is not known before it is in. */
export function refuseUnderWay({ collectingAttemptId }: Pick<Subscription, 'collectingAttemptId'>): void {
  if (collectingAttemptId !== null) throw invalid(underWay)
}

/** Who is asked, and for the money of which card or account. */
type Asked = Pick<PaymentAttempt, 'gateway' | 'vaultToken' | 'cardNumber' | 'cardExpiration' | 'cardType'>

/** Where no card is asked, or none is known yet. */
export const noCard = { cardNumber: null, cardExpiration: null, cardType: null } as const

export const askedCard = (card: CardOnFile): Asked => ({
  gateway: card.currentVault,
  vaultToken: card.vaultToken,
  cardNumber: card.maskedCardNumber ?? card.maskedBankAccountNumber,
  cardExpiration: formatExpiration(card),
  cardType: paidWith(card),
})

/** How an attempt stands; an unresolved one is not settled, and only a human can say what became of it. */
export const attemptStatuses = ['unresolved', 'unsettled', 'settled'] as const
export type AttemptStatus = (typeof attemptStatuses)[number]

type Wish = {
  reason: AttemptReason
  amount: Cents
  asked: Asked
  /** What the settlement needs to finish; plain JSON. */
  intent: Intent | null
  now: Temporal.Instant
}

/** Belongs to the period in which the subscription is, by the facts given. */
export function newAttempt(
  { site, subscription }: Pick<SubscriptionFacts, 'site' | 'subscription'>,
  { reason, amount, asked, intent, now }: Wish,
  ids: Ids,
): PaymentAttempt {
  assert(isWhole(amount, site.currency), `nobody can be asked for ${amount} hundredths of ${site.currency}`)
  const id = ids.attempt()
  return {
    siteId: site.id,
    id,
    subscriptionId: subscription.id,
    reason,
    periodNumber: subscription.periodNumber,
    idempotencyKey: attemptKey(site, { subscriptionId: subscription.id, id }),
    amount,
    ...asked,
    intent,
    createdAt: now,
  }
}

/** The payment alone: what it is for is written when the money is in, and the subscription waits for that. */
export function collectFirst(
  { site, subscription }: Pick<SubscriptionFacts, 'site' | 'subscription'>,
  card: CardOnFile,
  wish: Omit<Wish, 'asked'>,
  ids: Ids,
): Changes {
  const attempt = newAttempt({ site, subscription }, { ...wish, asked: askedCard(card) }, ids)
  return { subscription: { ...subscription, collectingAttemptId: attempt.id, updatedAt: wish.now }, attempt }
}

/** Unique for good: the site's birth keeps a database that is made anew from reusing the keys of the old one. */
export const attemptKey = (
  site: { id: number; createdAt: Temporal.Instant },
  attempt: { subscriptionId: number; id: number },
): string => `${site.id}-${Math.floor(site.createdAt.epochMilliseconds / 1000)}-${attempt.subscriptionId}-${attempt.id}`
