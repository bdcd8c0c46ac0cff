/** Decides a change of how much of a component is allocated: what it costs for the rest of the period, now or at the renewal. */
import { Act } from './act.ts'
import { revive } from './adjustment.ts'
import {
  allocationsOf,
  chargesLater,
  chargesNow,
  credited,
  heldAfter,
  type Step,
  stepsOf,
  type WantedAllocation,
} from './allocation-steps.ts'
import { type Assessment, assess } from './assessment.ts'
import { restOfPrices } from './calendar-billing.ts'
import type { Changes, ComponentStock, Ids, PaymentAttempt, Settle } from './changes.ts'
import { paymentEntry, writePayment } from './collection.ts'
import type { SubscribedComponent } from './component.ts'
import { componentAllocationChange } from './component-event.ts'
import { ownPriceOf } from './component-prices.ts'
import type { AppliedCoupon } from './coupon.ts'
import { paymentFailure, paymentSuccess } from './event.ts'
import type { LineItem } from './line-item.ts'
import { addCents, type Cents, cents, type DecimalText, negate } from './money.ts'
import { askedCard, newAttempt } from './payment-attempt.ts'
import {
  after,
  couponsOfCharges,
  itemsOf,
  type PeriodCoupon,
  standingIn,
  whatGoesBack,
  whatIsLeft,
} from './period-coupon.ts'
import { invalid } from './refusal.ts'
import type { downgradeSchemes, upgradeSchemes } from './site.ts'
import { allowedStates, may, momentOfAct, type Subscription, type SubscriptionFacts } from './subscription.ts'

export type UpgradeScheme = (typeof upgradeSchemes)[number]
export type DowngradeScheme = (typeof downgradeSchemes)[number]

/** A change on record. Those of one request carry the id of its first. */
export type Allocation = {
  siteId: number
  id: number
  requestId: number
  subscriptionId: number
  componentId: number
  quantity: DecimalText
  previousQuantity: DecimalText
  memo: string | null
  prorationUpgradeScheme: UpgradeScheme
  prorationDowngradeScheme: DowngradeScheme
  paymentAttemptId: number | null
  /** Whether it is at a price of the subscription's own; null where that was not written down. */
  hasCustomPrice: boolean | null
  createdAt: Temporal.Instant
}

const paymentMemo = 'Payment for: Prorated component allocation changes.'

/** Changes that are asked for together. */
export type AllocationRequest = {
  wanted: readonly WantedAllocation[]
  /** One for each. */
  ids: readonly number[]
  /** The coupons that took part in what the current period cost; of a period that cost nothing yet, those that are there. */
  periodCoupons: readonly PeriodCoupon[]
}

/** What changes come to: what is given back, what waits for the renewal, and what is captured at once. */
export type PricedAllocation = { steps: Step[]; back: Assessment; later: Assessment; atOnce: Assessment }

/**
 * Prices changes for a moment, for the preview and for the allocation itself. Refuses states in which no period goes on, metered
 * components, and quantities without a price.
 */
export function priceAllocation(
  facts: SubscriptionFacts,
  request: Omit<AllocationRequest, 'ids'>,
  now: Temporal.Instant,
): PricedAllocation {
  const { subscription, pricing } = facts
  refuseUnlessAllocatable(subscription)
  const isBilled = subscription.state !== 'trialing' && subscription.state !== 'awaiting_signup'
  const rest = isBilled ? restOfPrices(facts, now) : null
  const steps = stepsOf(pricing.components, request.wanted, rest, pricing.minorUnit)
  const { periodCoupons } = request
  const assessed = (lines: readonly LineItem[], coupons: readonly AppliedCoupon[]): Assessment =>
    assess(lines, { ...pricing, coupons }, subscription.productId)
  const coupons = couponsOfCharges(pricing.coupons, periodCoupons)
  const before = standingIn(pricing.coupons, periodCoupons)
  const later = assessed(chargesLater(steps), whatIsLeft(coupons, before))
  const meanwhile = after(before, later, subscription, now)
  const atOnce = assessed(chargesNow(steps), whatIsLeft(coupons, meanwhile))
  const standing = after(meanwhile, atOnce, subscription, now)
  const used = new Set([...later.usedCouponIds, ...atOnce.usedCouponIds])
  const paidWith =
    periodCoupons.length > 0
      ? periodCoupons.map((one) => standing.find(({ coupon }) => coupon.id === one.coupon.id) ?? one)
      : standing.filter(({ coupon }) => used.has(coupon.id))
  const lines = credited(steps)
  const back = assessed(
    lines,
    whatGoesBack(paidWith, itemsOf(lines, subscription), {
      unit: pricing.minorUnit,
      now,
      endsAt: subscription.currentPeriodEndsAt,
    }),
  )
  return { steps, back, later, atOnce }
}

export function refuseUnlessAllocatable({ state }: Subscription): void {
  if (!may('allocate', state)) throw invalid(`Components of a subscription that is ${state} cannot be changed.`)
}

/**
 * All charges and credits are on record whatever becomes of their payment; what is not captured now is collected with the next
 * renewal. Coupons discount them without being used.
 */
export function decideAllocation(
  facts: SubscriptionFacts,
  request: AllocationRequest,
  now: Temporal.Instant,
  ids: Ids,
): Changes {
  const { subscription } = facts
  const act = new Act(facts, momentOfAct(subscription, now), ids)
  const { steps, back, later, atOnce } = priceAllocation(facts, request, act.now)
  const { periodNumber, collectingAttemptId } = subscription
  act.wishInvoice({ bills: 'event' })
  for (const line of linesBack(back)) act.ledger.write({ ...line, periodNumber })
  const laterFrom = act.ledger.rows.length
  act.writeLines(later.lines, periodNumber)
  act.leaveToNextInvoice(laterFrom)
  act.writeLines(atOnce.lines, periodNumber)
  const attempt = attemptOf(act, atOnce.total, ids)
  const common = { siteId: subscription.siteId, subscriptionId: subscription.id, createdAt: act.now }
  const newAllocations = allocationsOf(steps, { ...common, paymentAttemptId: attempt?.id ?? null }, request.ids)
  for (const [place, step] of steps.entries()) tellAllocation(act, step, newAllocations[place]!.id)
  return {
    ...act.changes({
      ...subscription,
      openStatementTotal: act.openTotal(),
      collectingAttemptId: attempt?.id ?? collectingAttemptId,
    }),
    ...(attempt && { attempt }),
    newAllocations,
    subscribedComponents: heldAfter(steps).map((held) => stockOf(subscription, held)),
  }
}

export const stockOf = (
  { siteId, id: subscriptionId }: Pick<Subscription, 'siteId' | 'id'>,
  { component, quantity, unitBalance }: SubscribedComponent,
): ComponentStock => ({ siteId, subscriptionId, componentId: component.id, quantity, unitBalance })

/** With the price that is the subscription's own, where it has one. */
export function pricedStockOf(
  subscription: Pick<Subscription, 'siteId' | 'id'>,
  held: SubscribedComponent,
): ComponentStock {
  const customPrice = ownPriceOf(held.component)
  return { ...stockOf(subscription, held), ...(customPrice && { customPrice }) }
}

/** The mirror of the charges that are given back, discount and taxes included: as the ledger gets them. */
export const linesBack = ({ lines }: Assessment) =>
  lines.map(({ isTaxable: _, taxShares: __, type, amount, discountAmount, taxableAmount, ...line }) => ({
    ...line,
    type: type === 'charge' ? ('credit' as const) : type,
    amount: negate(amount),
    discountAmount: negate(discountAmount),
    taxableAmount: negate(taxableAmount),
  }))

/** Credit that is there is used first. Without a card, on invoices, and for those who are no longer asked, all of it waits. */
function attemptOf(act: Act, captured: Cents, ids: Ids): PaymentAttempt | undefined {
  const { subscription, card } = act.facts
  const amount = cents(Math.min(captured, act.ledger.balance))
  const isAsked = subscription.paymentCollectionMethod === 'automatic' && subscription.state !== 'unpaid'
  if (amount <= 0 || !isAsked || card === null) return undefined
  const wish = { reason: 'allocation', amount, asked: askedCard(card), intent: null, now: act.now } as const
  return newAttempt(act.facts, wish, ids)
}

export const tellAllocation = (
  act: Act,
  { component, previousQuantity, quantity, memo }: Step,
  allocationId: number,
): void => {
  const change = { component, previousQuantity, quantity, memo, id: allocationId }
  act.events.push(componentAllocationChange(act.subject, change))
}

/** A payment that fails leaves the charges on the balance; the next renewal collects them. */
export const settleAllocation: Settle = (facts, attempt, outcome, now, ids) => {
  const { subscription } = facts
  const act = new Act(facts, momentOfAct(subscription, now), ids)
  const freed: Subscription = { ...subscription, collectingAttemptId: null }
  if (outcome.result !== 'approved') {
    const failed = writePayment(act, attempt, outcome)
    if (failed !== null) act.events.push(paymentFailure(act.subject, failed.amount, failed.id))
    return act.changes({ ...freed, openStatementTotal: act.openTotal() })
  }
  // It is for what the change costs, and pays no older invoice.
  act.wishInvoice({ bills: 'never' })
  const entry = paymentEntry(facts, attempt, outcome)
  const paid = act.ledger.write({ ...entry, kind: 'component_proration', memo: paymentMemo })
  const totalRevenue = addCents(subscription.totalRevenue, paid.amount)
  const after = revive(act, { ...freed, totalRevenue }, allowedStates.retry)
  act.events.push(paymentSuccess(act.subject, paid.amount, paid.id))
  act.settleOlderStatements()
  return act.changes({ ...after, openStatementTotal: act.openTotal() })
}
