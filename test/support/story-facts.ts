/** Facts for decisions, made in memory: a subscription that signs up, is assessed and pays, without a database. */
import assert from 'node:assert/strict'
import type { ProductTerms } from '../../src/billing/catalog.ts'
import type { Changes, Ids, SettledOutcome } from '../../src/billing/changes.ts'
import { decideSettlement } from '../../src/billing/collection.ts'
import type { AppliedCoupon } from '../../src/billing/coupon.ts'
import { cents, sumCents } from '../../src/billing/money.ts'
import { askedCard, noCard } from '../../src/billing/payment-attempt.ts'
import { decideAssessment } from '../../src/billing/renewal.ts'
import { decideSignup, planSignup, type SignupTerms } from '../../src/billing/signup.ts'
import type { Site } from '../../src/billing/site.ts'
import { paysEarlier } from '../../src/billing/statement.ts'
import {
  type CardOnFile,
  plainPricing,
  type Subscription,
  type SubscriptionFacts,
} from '../../src/billing/subscription.ts'

export const at = (text: string): Temporal.Instant => Temporal.Instant.from(text)

export const site = (change: Partial<Site> = {}): Site => ({
  id: 1,
  subdomain: 'acme',
  name: 'Acme',
  live: false,
  currency: 'USD',
  timeZone: 'UTC',
  country: null,
  sealedSharedKey: 'sealed',
  dunning: { attempts: 3, intervalHours: 24, finalAction: 'cancel' },
  notices: { renewalDays: 3, trialDays: 3, expiringCards: true },
  sendsFailedPaymentLetters: true,
  componentUpgradeScheme: 'no-prorate',
  componentDowngradeScheme: 'no-prorate',
  relationshipInvoicingEnabled: false,
  createdAt: at('2026-01-01T00:00:00Z'),
  ...change,
})

/** `Pro`, 50.00 a month, without a trial. */
export const product = (change: Partial<ProductTerms> = {}): ProductTerms => ({
  productId: 7,
  versionNumber: 1,
  name: 'Pro',
  handle: 'pro',
  price: cents(5000),
  interval: { count: 1, unit: 'month' },
  initialCharge: null,
  initialChargeAfterTrial: false,
  trial: null,
  expiration: null,
  custom: null,
  requireCreditCard: true,
  taxable: false,
  ...change,
})

export const card: CardOnFile = {
  id: 5,
  paymentType: 'credit_card',
  currentVault: 'bogus',
  vaultToken: '1',
  maskedCardNumber: 'XXXX-XXXX-XXXX-1',
  maskedBankAccountNumber: null,
  expirationMonth: 1,
  expirationYear: 2030,
  cardType: 'bogus',
}

const customer = { id: 3, firstName: 'Ada', lastName: 'Lovelace' }

/** Ids that rise without end, of each kind for itself. */
export function risingIds(): Ids {
  const from = (first: number) => {
    let next = first
    return () => next++
  }
  return { transaction: from(101), statement: from(201), attempt: from(301) }
}

export const approved: SettledOutcome = { result: 'approved', gatewayTransactionId: '9', message: 'ok' }
export const declined: SettledOutcome = { result: 'declined', message: 'no' }
export const wrong: SettledOutcome = { result: 'error', message: 'broken' }

export type Lived = { facts: SubscriptionFacts; ids: Ids }

/** The facts after changes were written. */
export function written({ facts, ids }: Lived, changes: Changes): Lived {
  const subscription = changes.subscription ?? changes.newSubscription
  assert.ok(subscription, 'changes of a subscription carry it')
  const paid = sumCents((changes.transactions ?? []).map(paysEarlier))
  const unsettled = new Map(facts.unsettledStatements.map(({ id, owed }) => [id, cents(owed - paid)]))
  for (const { id, closedAt, settledAt, endingBalance } of changes.statements ?? []) {
    if (settledAt !== null) unsettled.delete(id)
    else if (closedAt !== null && endingBalance !== null) unsettled.set(id, endingBalance)
  }
  const pricing = { ...facts.pricing, coupons: couponsAfter(facts.pricing.coupons, changes) }
  const unsettledStatements = [...unsettled].map(([id, owed]) => ({ id, owed }))
  return { facts: { ...facts, subscription, pricing, unsettledStatements }, ids }
}

/** Of coupons that were there before: a decision names new ones by their ids alone. */
const couponsAfter = (before: readonly AppliedCoupon[], changes: Changes): AppliedCoupon[] => {
  const isOff = (id: number) => (changes.removedCoupons ?? []).some(({ couponId }) => couponId === id)
  return before
    .filter(({ coupon }) => !isOff(coupon.id))
    .map((one) => {
      const row = (changes.subscriptionCoupons ?? []).find(({ couponId }) => couponId === one.coupon.id)
      return row ? { ...one, code: row.code, useCount: row.useCount, usesAllowed: row.usesAllowed } : one
    })
}

type SignUp = Partial<SignupTerms> & { card?: CardOnFile | null; now?: string }

/** A sign-up that was paid if anything was due, with what it wrote. */
export function signedUp({ card: own = card, now = '2026-01-31T12:00:00Z', ...terms }: SignUp = {}): Lived & {
  changes: Changes
} {
  const ids = risingIds()
  const full: SignupTerms = {
    site: site(),
    product: product(),
    collectionMethod: 'automatic',
    nextBillingAt: null,
    pricing: plainPricing,
    ...terms,
  }
  const plan = planSignup(full, at(now))
  const attempt = {
    siteId: 1,
    id: ids.attempt(),
    subscriptionId: 9,
    reason: 'signup' as const,
    periodNumber: 1,
    idempotencyKey: 'k',
    amount: plan.paymentDue,
    ...(own === null ? { gateway: 'bogus', vaultToken: null, ...noCard } : askedCard(own)),
    intent: null,
    createdAt: at(now),
  }
  assert.ok(approved.result === 'approved')
  const payment = plan.paymentDue > 0 ? { attempt, outcome: approved } : null
  const changes = decideSignup(
    { plan, subscriptionId: 9, customer, card: own, payment, cancellationMessage: null },
    at(now),
    ids,
  )
  const subscription = changes.newSubscription!
  const facts = {
    site: full.site,
    subscription,
    product: full.product,
    customer,
    card: own,
    pricing: { ...full.pricing, coupons: couponsAfter(full.pricing.coupons, changes) },
    unsettledStatements: [],
  }
  return { facts, ids, changes }
}

/** Both halves of one assessment, at the moment it is due: what was decided, and what the answer led to, if a gateway was asked. */
export function assessed(
  lived: Lived,
  outcome: SettledOutcome = approved,
): Lived & { changes: Changes; settled: Changes } {
  const { facts, ids } = lived
  const due = facts.subscription.nextAssessmentAt
  const changes = decideAssessment(facts, due, ids)
  const after = written(lived, changes)
  if (changes.attempt === undefined) return { ...after, changes, settled: changes }
  const settled = decideSettlement(after.facts, changes.attempt, outcome, due, ids)
  return { ...written(after, settled), changes, settled }
}

/** The same subscription with other values in some fields. */
export const having = ({ facts, ids }: Lived, change: Partial<Subscription>): Lived => ({
  facts: { ...facts, subscription: { ...facts.subscription, ...change } },
  ids,
})

export const keysOf = (changes: Changes): string[] => (changes.events ?? []).map(({ key }) => key)
