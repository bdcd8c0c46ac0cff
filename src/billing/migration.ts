/** Decides a change of product with proration: what is left of the period is credited, the new product charged, the rest collected. */
import { Act } from './act.ts'
import { stockOf } from './allocation.ts'
import type { Changes, ComponentStock, Ids, PaymentAttempt, Settle, SettledOutcome } from './changes.ts'
import { paymentEntry } from './collection.ts'
import { componentAllocationChange } from './component-event.ts'
import { fullName } from './customer.ts'
import { paymentSuccess } from './event.ts'
import { productChange, upgradeDowngradeFailure, upgradeDowngradeSuccess } from './life-event.ts'
import { figuresOf, type MigrationPlan } from './migration-plan.ts'
import { addCents, cents } from './money.ts'
import { beginPeriod } from './new-period.ts'
import { collectFirst } from './payment-attempt.ts'
import { onProduct } from './product-change.ts'
import { recordPayment } from './reactivation.ts'
import { invalid } from './refusal.ts'
import { isTrialPeriod, may, momentOfAct, type Subscription, type SubscriptionFacts } from './subscription.ts'
import { usesOf } from './subscription-coupon.ts'

export type { AdvanceCharge, Migration } from './migration-plan.ts'

/** With the ids of the allocations that put components down which stay behind. */
export type MigrationIntent = MigrationPlan & { allocationIds: readonly number[] }

const noCardForMigration = 'A credit card is needed for this migration, and none is on file.'

/** Gives the migration itself, or the payment that must be asked for first: a decline must leave nothing but the failed payment. */
export function decideMigration(
  facts: SubscriptionFacts,
  intent: MigrationIntent,
  now: Temporal.Instant,
  ids: Ids,
): Changes {
  const { subscription, card } = facts
  const { paymentDue: amount } = figuresOf(intent, subscription.balance)
  if (amount === 0 || subscription.paymentCollectionMethod === 'invoice') return migrate(facts, intent, null, now, ids)
  if (card === null) throw invalid(noCardForMigration)
  return collectFirst(facts, card, { reason: 'migration', amount, intent, now }, ids)
}

/** Writes the migration that was paid, or nothing but the payment that failed; a payment that came too late stays as credit. */
export const decideMigrationPayment: Settle = (facts, attempt, outcome, at, ids) => {
  const now = momentOfAct(facts.subscription, at)
  const intent = attempt.intent as MigrationIntent
  if (outcome.result === 'approved' && may('migrate', facts.subscription.state)) {
    return migrate(facts, intent, { attempt, outcome }, now, ids)
  }
  const changes = recordPayment(facts, attempt, outcome, now, ids)
  const failure = upgradeDowngradeFailure(new Act(facts, now, ids).subject, intent.product)
  return { ...changes, events: [...(changes.events ?? []), failure] }
}

type Paid = { attempt: PaymentAttempt; outcome: SettledOutcome }

function migrate(
  before: SubscriptionFacts,
  intent: MigrationIntent,
  paid: Paid | null,
  now: Temporal.Instant,
  ids: Ids,
): Changes {
  const { product, prorated, proratedMemo, preservesPeriod } = intent
  const { facts, subscription } = onTarget(before, intent, now)
  const act = new Act(facts, now, ids)
  const { subject: oldSubject } = new Act(before, now, ids)
  if (prorated !== 0) {
    const { productId, periodNumber } = before.subscription
    act.ledger.write({
      type: 'adjustment',
      kind: 'prorated',
      amount: prorated,
      memo: proratedMemo,
      productId,
      periodNumber,
    })
  }
  const begun = preservesPeriod ? goOn(act, subscription, intent) : begin(act, subscription, intent)
  const { periodNumber } = begun.subscription
  const payment = paid && act.ledger.write({ ...entryOf(facts, paid), periodNumber })
  if (begun.subscription.state !== before.subscription.state) act.tellStates([begun.subscription.state])
  act.events.push(upgradeDowngradeSuccess(oldSubject, product), productChange(oldSubject, product))
  const dropped = drop(act, intent)
  if (payment) act.events.push(paymentSuccess(act.subject, payment.amount, payment.id))
  act.settleOlderStatements()
  const revenue = addCents(subscription.totalRevenue, payment?.amount ?? cents(0))
  const after: Subscription = { ...begun.subscription, totalRevenue: revenue }
  const turned = preservesPeriod ? { ...after, openStatementTotal: act.openTotal() } : act.turnStatement(after)
  return {
    ...act.changes(turned),
    ...begun.rest,
    ...(intent.dropped.length > 0 && {
      newAllocations: dropped.allocations,
      subscribedComponents: [...(begun.rest.subscribedComponents ?? []), ...dropped.stock],
    }),
  }
}

/** The facts of the new product, and the subscription on it; its state is still the old one, for the telling. */
function onTarget(
  before: SubscriptionFacts,
  { product, preservesPeriod, snapDay, includeInitialCharge }: MigrationPlan,
  now: Temporal.Instant,
): { facts: SubscriptionFacts; subscription: Subscription } {
  const changed: Subscription = preservesPeriod
    ? onProduct(before.subscription, before.product, product, now)
    : {
        ...before.subscription,
        productId: product.productId,
        productVersionNumber: product.versionNumber,
        nextProductId: null,
      }
  const subscription: Subscription = {
    ...changed,
    snapDay,
    collectingAttemptId: null,
    initialChargeDue: changed.initialChargeDue && !includeInitialCharge,
  }
  const facts = {
    ...before,
    product,
    subscription: { ...subscription, state: before.subscription.state },
    pricing: { ...before.pricing, nextProduct: null },
  }
  return { facts, subscription }
}

type Begun = {
  subscription: Subscription
  rest: Pick<Changes, 'periods' | 'movedPeriods' | 'billedUsage' | 'subscribedComponents' | 'subscriptionCoupons'>
}

function goOn(act: Act, subscription: Subscription, { period: { lines, usedCouponIds } }: MigrationPlan): Begun {
  act.writeLines(lines, subscription.periodNumber)
  return { subscription, rest: usesOf(subscription, act.facts.pricing.coupons, usedCouponIds) }
}

/** The old period ends now; a trial that is left ends with it. */
function begin(act: Act, before: Subscription, { period, product, usage, includeInitialCharge }: MigrationPlan): Begun {
  const { subscription, rest } = beginPeriod(act, before, period, 'migration')
  const { state, currentPeriodEndsAt, cancelAtEndOfPeriod, delayedCancelAt } = subscription
  const isPaid = state === 'active'
  const { id: subscriptionId, periodNumber: number } = before
  // When it was priced; the gateway may have taken its time.
  const startsAt = Temporal.Instant.from(period.startsAt)
  return {
    subscription: {
      ...subscription,
      activatedAt: isPaid ? (before.activatedAt ?? startsAt) : before.activatedAt,
      trialEndedAt: isPaid && isTrialPeriod(before) ? startsAt : subscription.trialEndedAt,
      delayedCancelAt: cancelAtEndOfPeriod ? currentPeriodEndsAt : delayedCancelAt,
      initialChargeDue: period.isTrial && includeInitialCharge && product.initialChargeAfterTrial,
    },
    rest: {
      ...rest,
      movedPeriods: [{ subscriptionId, number, endsAt: startsAt }],
      // What was recorded while the gateway was asked is not billed yet.
      billedUsage: usage.map(({ componentId, unitBalance: quantity }) => ({ subscriptionId, componentId, quantity })),
    },
  }
}

/** Puts down what stays behind: from now on there is none of it. */
function drop(
  act: Act,
  { dropped, allocationIds }: MigrationIntent,
): { allocations: NonNullable<Changes['newAllocations']>; stock: ComponentStock[] } {
  const { subscription, pricing } = act.facts
  const held = pricing.components.filter(({ component }) => dropped.includes(component.id))
  const allocations = held.map(({ component, quantity: previousQuantity }, place) => ({
    siteId: subscription.siteId,
    id: allocationIds[place]!,
    requestId: allocationIds[0]!,
    subscriptionId: subscription.id,
    componentId: component.id,
    quantity: '0',
    previousQuantity,
    memo: `Not sold with ${act.facts.product.name}`,
    prorationUpgradeScheme: 'no-prorate' as const,
    prorationDowngradeScheme: 'no-prorate' as const,
    paymentAttemptId: null,
    hasCustomPrice: false,
    createdAt: act.now,
  }))
  for (const [place, { component }] of held.entries()) {
    const { id, previousQuantity, quantity, memo } = allocations[place]!
    act.events.push(componentAllocationChange(act.subject, { component, previousQuantity, quantity, memo, id }))
  }
  return {
    allocations,
    stock: held.map((one) => ({ ...stockOf(subscription, { ...one, quantity: '0' }), customPrice: null })),
  }
}

const entryOf = (facts: SubscriptionFacts, { attempt, outcome }: Paid) => ({
  ...paymentEntry(facts, attempt, outcome),
  memo: `${fullName(facts.customer)} - ${facts.product.name}: Migration payment`,
})
