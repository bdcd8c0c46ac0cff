/** Decides what a request to update a subscription changes: what is named and differs, and nothing else. */
import { Act } from './act.ts'
import { moveBillingDate, moveExpiration } from './billing-date.ts'
import { moveSnap } from './calendar-billing.ts'
import { callOffCancellation, scheduleCancellation } from './cancellation.ts'
import type { ProductTerms } from './catalog.ts'
import type { Changes, Ids, PeriodMove } from './changes.ts'
import { changeCoupons, type NextCoupon } from './coupon-change.ts'
import { customPriceOf } from './custom-price.ts'
import { moveInitialBilling } from './delayed-signup.ts'
import { collectionMethodChange, profileUpdate } from './life-event.ts'
import { askedCard, newAttempt, refuseUnderWay } from './payment-attempt.ts'
import type { PaymentProfile } from './payment-profile.ts'
import { changePrice, changeProduct } from './product-change.ts'
import { changeQuantities, type QuantityChange } from './quantity-change.ts'
import { invalid } from './refusal.ts'
import {
  type CardOnFile,
  type CollectionMethod,
  may,
  momentOfAct,
  type Subscription,
  type SubscriptionDetails,
  type SubscriptionFacts,
} from './subscription.ts'

/** What is absent stays as it is. */
export type Update = {
  product?: ProductTerms
  /** The product of the next period; null calls a delayed change off. */
  nextProduct?: ProductTerms | null
  nextBillingAt?: Temporal.Instant
  /** Of a sign-up that waits; null puts it off until somebody says when. */
  initialBillingAt?: Temporal.Instant | null
  /** Of calendar billing. */
  snapDay?: string
  expiresAt?: Temporal.Instant | null
  expirationFollows?: boolean
  cancelAtEndOfPeriod?: boolean
  cancellationMessage?: string | null
  reasonCode?: string | null
  collectionMethod?: CollectionMethod
  details?: Partial<SubscriptionDetails>
  /** How much it has of components from now on, without a charge. */
  components?: QuantityChange
  /** All that are on it from now on. */
  coupons?: readonly NextCoupon[]
  /** The card that pays from now on: another one, or the same one changed. */
  card?: CardOnFile
  /** As it was, where the same one is changed. */
  cardBefore?: PaymentProfile
}

/**
 * Gives the changes, with a payment attempt where a new card has a balance to pay that is past due. Without anything to change it
 * gives none at all. Refuses what the state forbids, and to touch dates or product while a payment is under way.
 */
export function decideUpdate(facts: SubscriptionFacts, update: Update, now: Temporal.Instant, ids: Ids): Changes {
  const act = new Act(facts, momentOfAct(facts.subscription, now), ids)
  const { subscription: before } = facts
  const onProduct = withProducts(act, before, update)
  const { waiting, ...dates } = withInitialBilling(act, onProduct, unlessSame(before, update))
  const dated = withDates(act, waiting, dates)
  const quantities = update.components && changeQuantities(act, onProduct, update.components)
  const subscription = withCard(act, withTerms(act, dated.subscription, update), update)
  const couponed = update.coupons && changeCoupons(facts, update.coupons, act.now)
  const isSame = subscription === before && act.events.length === 0
  if (isSame && couponed === undefined && quantities?.subscribedComponents === undefined) return {}
  const { movedPeriods } = dated
  const newCustomPrice = customPriceOf(subscription, update.product, act.now)
  const collected = collectWithCard(act, subscription, update, ids)
  return {
    ...collected,
    ...(newCustomPrice && { newCustomPrice }),
    ...(movedPeriods && { movedPeriods }),
    ...quantities,
    ...couponed,
  }
}

/** A change now takes the place of one that was to come. */
function withProducts(act: Act, before: Subscription, { product, nextProduct }: Update): Subscription {
  let subscription = before
  const isRepriced = product?.custom && product.versionNumber !== subscription.productVersionNumber
  if (product !== undefined && (isRepriced || product.productId !== subscription.productId)) {
    if (!may('changeProduct', subscription.state)) {
      throw invalid(`Product: cannot be changed on a subscription that is ${subscription.state}.`)
    }
    refuseUnderWay(subscription)
    const change = product.productId === subscription.productId ? changePrice : changeProduct
    subscription = change(act, subscription, product)
  }
  if (nextProduct === undefined) return subscription
  const nextProductId = nextProduct?.productId === subscription.productId ? null : (nextProduct?.productId ?? null)
  if (nextProductId === subscription.nextProductId) return subscription
  if (nextProductId !== null && !may('changeProductLater', subscription.state)) {
    throw invalid(`Product: cannot be changed at the renewal of a subscription that is ${subscription.state}.`)
  }
  refuseUnderWay(subscription)
  return { ...subscription, nextProductId }
}

/** A snap day that is sent back as it is asks for nothing, also where a new product ends calendar billing. */
function unlessSame({ snapDay }: Subscription, update: Update): Update {
  if (update.snapDay !== snapDay) return update
  const { snapDay: _, ...rest } = update
  return rest
}

/** The next billing of a sign-up that waits is its first one. */
function withInitialBilling(
  act: Act,
  subscription: Subscription,
  { nextBillingAt, initialBillingAt, ...update }: Update,
): Update & { waiting: Subscription } {
  if (nextBillingAt !== undefined && initialBillingAt !== undefined) {
    throw invalid('Next billing: does not go with initial_billing_at or defer_signup.')
  }
  const moved = initialBillingAt === undefined && may('activate', subscription.state) ? nextBillingAt : initialBillingAt
  if (moved !== undefined) return { ...update, waiting: moveInitialBilling(act, subscription, moved) }
  return { ...update, ...(nextBillingAt && { nextBillingAt }), waiting: subscription }
}

function withDates(
  act: Act,
  before: Subscription,
  { nextBillingAt, snapDay, expiresAt, expirationFollows = false }: Update,
): { subscription: Subscription; movedPeriods?: PeriodMove[] } {
  let subscription = before
  let movedPeriods: PeriodMove[] | undefined
  if (nextBillingAt !== undefined && !nextBillingAt.equals(subscription.currentPeriodEndsAt)) {
    refuseUnderWay(subscription)
    const follows = expirationFollows && expiresAt === undefined
    const moved = moveBillingDate(act, subscription, nextBillingAt, { expirationFollows: follows })
    subscription = moved.subscription
    movedPeriods = [moved.period]
  }
  if (snapDay !== undefined) {
    if (movedPeriods !== undefined) throw invalid('Snap day: does not go with next_billing_at.')
    refuseUnderWay(subscription)
    const moved = moveSnap(act, subscription, snapDay)
    subscription = moved.subscription
    movedPeriods = [moved.period]
  }
  const isSame = expiresAt === undefined || isSameInstant(expiresAt, subscription.expiresAt)
  return {
    subscription: isSame ? subscription : moveExpiration(act, subscription, expiresAt),
    ...(movedPeriods && { movedPeriods }),
  }
}

const isSameInstant = (left: Temporal.Instant | null, right: Temporal.Instant | null): boolean =>
  left === null || right === null ? left === right : left.equals(right)

function withTerms(
  act: Act,
  before: Subscription,
  { cancelAtEndOfPeriod, cancellationMessage, reasonCode, collectionMethod, details = {} }: Update,
): Subscription {
  let subscription = before
  if (cancelAtEndOfPeriod === true) subscription = scheduleCancellation(act, subscription)
  if (cancelAtEndOfPeriod === false) subscription = callOffCancellation(act, subscription)
  if (cancellationMessage !== undefined && cancellationMessage !== subscription.cancellationMessage) {
    subscription = { ...subscription, cancellationMessage }
  }
  if (reasonCode !== undefined && reasonCode !== subscription.reasonCode) subscription = { ...subscription, reasonCode }
  const known = Object.entries(details) as [keyof SubscriptionDetails, SubscriptionDetails[keyof SubscriptionDetails]][]
  if (known.some(([name, value]) => subscription[name] !== value)) subscription = { ...subscription, ...details }
  const { paymentCollectionMethod } = subscription
  if (collectionMethod !== undefined && collectionMethod !== paymentCollectionMethod) {
    act.events.push(collectionMethodChange(act.subject, paymentCollectionMethod, collectionMethod))
    subscription = { ...subscription, paymentCollectionMethod: collectionMethod }
  }
  return subscription
}

function withCard(act: Act, subscription: Subscription, { card, cardBefore }: Update): Subscription {
  if (card === undefined) return subscription
  const { paymentProfileId: previousProfileId } = subscription
  const before = cardBefore ? { previousProfile: cardBefore } : { previousProfileId }
  act.events.push(profileUpdate(act.subject, card.paymentType, before))
  return card.id === subscription.paymentProfileId ? subscription : { ...subscription, paymentProfileId: card.id }
}

/** What is past due is asked for with the new card at once; the schedule of the dunning goes on whatever comes of it. */
function collectWithCard(act: Act, subscription: Subscription, { card }: Update, ids: Ids): Changes {
  const { state, balance, paymentCollectionMethod } = subscription
  const owes = balance > 0 && paymentCollectionMethod === 'automatic' && may('collectWithNewCard', state)
  if (card === undefined || !owes) return act.changes(subscription)
  refuseUnderWay(subscription)
  const asked = askedCard(card)
  const wish = { reason: 'card_update', amount: balance, asked, intent: null, now: act.now } as const
  const attempt = newAttempt({ ...act.facts, subscription }, wish, ids)
  return { ...act.changes({ ...subscription, collectingAttemptId: attempt.id }), attempt }
}
