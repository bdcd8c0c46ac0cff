/** Updates a subscription: its customer, card, product, coupons, dates and the way in which it ends. */
import { randomUUID } from 'node:crypto'
import type { Component, SubscribedComponent } from '../billing/component.ts'
import { type ComponentChoice, chooseComponents, isNamed } from '../billing/component-choice.ts'
import { type NextCoupon, withExactly } from '../billing/coupon-change.ts'
import type { CustomerDetails } from '../billing/customer.ts'
import type { PaymentProfile } from '../billing/payment-profile.ts'
import type { QuantityChange } from '../billing/quantity-change.ts'
import { invalid, notFound } from '../billing/refusal.ts'
import type { Subscription, SubscriptionFacts } from '../billing/subscription.ts'
import { decideUpdate, type Update } from '../billing/update.ts'
import { listComponentsOfProduct } from '../store/components.ts'
import type { Connection, Transaction } from '../store/database.ts'
import { listFacts } from '../store/facts.ts'
import { drawIds, nextIds } from '../store/ids.ts'
import { findPaymentProfile, lockPaymentProfile, updatePaymentProfileRow } from '../store/payment-profiles.ts'
import { type App, siteAndNow } from './app.ts'
import { beforeRecording } from './ask-gateway.ts'
import { askAndSettle } from './collect-on-request.ts'
import { commit } from './commit.ts'
import { lockSubscription } from './lock-subscription.ts'
import { claimUses, findRedeemables } from './redeem-coupon.ts'
import { Refusals } from './refusals.ts'
import { findReferenceProblems, refuseTaken } from './refuse-taken.ts'
import { findSoughtProducts, type SoughtProducts } from './sought-product.ts'
import { type NewPaymentProfile, refuseExpired, storeCard } from './store-card.ts'
import { changeCustomer } from './update-customer.ts'
import type { PaymentProfileChange } from './update-payment-profile.ts'

/** Another card of the customer, a new one, or the present one corrected. */
export type CardUpdate =
  | { profileId: number }
  | { profile: NewPaymentProfile }
  | { change: PaymentProfileChange['details'] }

export type UpdateSubscription = Omit<Update, 'product' | 'nextProduct' | 'card' | 'components' | 'coupons'> & {
  products: SoughtProducts
  customer: Partial<CustomerDetails>
  card: CardUpdate | null
  components?: readonly ComponentChoice[]
  /** All that are on it afterwards, in their order; those that are on already stay with their counts. */
  couponCodes?: readonly string[]
}

/**
 * Everything at once or nothing. A new card is stored before anything is written; one on a subscription that is past due is asked for
 * the balance afterwards, and stays whatever comes of it. Refuses what is unknown, taken, or forbidden by the state.
 */
export async function updateSubscription(
  app: App,
  siteId: number,
  subscriptionId: number,
  command: UpdateSubscription,
): Promise<number> {
  const stored = await storeNewCard(app, siteId, subscriptionId, command)
  const recorded = beforeRecording(app)
  const { attempt } = await app.db
    .transaction(async (tx) => {
      const { facts: owner, now } = await lockSubscription(app, tx, siteId, subscriptionId)
      const { site } = owner
      const told = await changeCustomer(tx, siteId, owner.customer.id, command.customer, now)
      const facts = told.length === 0 ? owner : (await listFacts(tx, site, [subscriptionId])).get(subscriptionId)!
      const refusals = new Refusals()
      const changed = stored
        ? undefined
        : await refusals.gather(() => cardFrom(tx, facts.subscription, command.card, now, site.timeZone))
      const card = stored ?? changed?.card
      const ids = await drawIds(tx, siteId, { transactions: 0, statements: 0, attempts: 1 })
      const update = { ...(await updateFrom(tx, facts, command, now, refusals)), ...(card && { card }), ...changed }
      const changes = decideUpdate(facts, update, now, ids)
      await claimNew(tx, siteId, update.coupons ?? [])
      if (changed) await updatePaymentProfileRow(tx, changed.card)
      const events = [...told, ...(changes.events ?? [])]
      await commit(app, tx, siteId, [{ ...changes, events, ...(stored && { newPaymentProfile: stored }) }])
      if (changes.attempt === undefined) await app.beforeCommit?.(tx, subscriptionId)
      return changes
    })
    .catch(refuseTaken)
  if (attempt !== undefined) await askAndSettle(app, siteId, { attempt }, recorded)
  return subscriptionId
}

async function updateFrom(
  connection: Connection,
  facts: SubscriptionFacts,
  { products, components = [], couponCodes, customer: _, card: __, ...update }: UpdateSubscription,
  now: Temporal.Instant,
  refusals: Refusals = new Refusals(),
): Promise<Update> {
  const sought = await refusals.gather(() => findSoughtProducts(connection, facts, products))
  await refusals.gather(async () => {
    const taken = await findReferenceProblems(connection, facts.site.id, update.details, facts.subscription.id)
    if (taken.length > 0) throw invalid(...taken)
  })
  const productId = sought?.product?.productId ?? facts.subscription.productId
  const quantities = await refusals.gather(() => quantitiesFrom(connection, facts, productId, components))
  const coupons =
    couponCodes && (await refusals.gather(() => couponsFrom(connection, facts, productId, couponCodes, now)))
  refusals.tell()
  return { ...update, ...sought, ...(quantities && { components: quantities }), ...(coupons && { coupons }) }
}

/** Codes that are on the subscription are not judged again. */
async function couponsFrom(
  connection: Connection,
  { site, pricing: { coupons: on } }: SubscriptionFacts,
  productId: number,
  codes: readonly string[],
  now: Temporal.Instant,
): Promise<NextCoupon[]> {
  const wanted = codes.filter((code) => on.every((one) => one.code !== code))
  const { coupons, refused } = await findRedeemables(connection, site.id, wanted, productId, now)
  if (refused.length > 0) throw invalid(...refused)
  return withExactly(on, coupons, codes)
}

async function claimNew(tx: Transaction, siteId: number, next: readonly NextCoupon[]): Promise<void> {
  const fresh = next.filter(({ isNew }) => isNew).map(({ applied }) => applied)
  const usedUp = await claimUses(tx, siteId, fresh)
  if (usedUp.length > 0) throw invalid(...usedUp)
}

/** Of what is sold with the product that the subscription will have, and of what it has already. */
async function quantitiesFrom(
  connection: Connection,
  { subscription, pricing }: SubscriptionFacts,
  productId: number,
  choices: readonly ComponentChoice[],
): Promise<QuantityChange | undefined> {
  if (choices.length === 0) return undefined
  const held = new Map(pricing.components.map((one) => [one.component.id, one]))
  const ofProduct = await listComponentsOfProduct(connection, subscription.siteId, productId)
  const sold = ofProduct.map((one) => held.get(one.id)?.component ?? one)
  const isNew = (id: number): boolean => sold.every((one) => one.id !== id)
  const kept = pricing.components.filter(({ component, quantity }) => quantity !== '0' && isNew(component.id))
  const offered = [...sold, ...kept.map(({ component }) => component)]
  const chosen = chooseComponents(offered, pricedAlone(offered, pricing.components, choices))
  if (chosen.problems.length > 0) throw invalid(...chosen.problems)
  const ids = await nextIds(connection, ...chosen.components.map(() => 'allocations' as const))
  const counted = choices.filter(({ allocatedQuantity, enabled }) => allocatedQuantity !== null || enabled !== null)
  const isMetered = ({ component }: SubscribedComponent): boolean =>
    component.kind === 'metered_component' && !counted.some(({ by }) => isNamed(component, by))
  const wanted = chosen.components
    .filter((one) => !isMetered(one))
    .map(({ component, quantity }) => ({ component, quantity, ...uncharged }))
  return { wanted, ids, repriced: chosen.components.filter(isMetered) }
}

/** What is given a price and no quantity keeps the one that it has. */
const pricedAlone = (
  offered: readonly Component[],
  held: readonly SubscribedComponent[],
  choices: readonly ComponentChoice[],
): ComponentChoice[] =>
  choices.map((choice) => {
    if (!choice.customPrice || choice.allocatedQuantity !== null || choice.enabled !== null) return choice
    const id = offered.find((one) => isNamed(one, choice.by))?.id
    const has = held.find(({ component }) => component.id === id)
    return { ...choice, allocatedQuantity: has?.quantity ?? '0', unitBalance: has?.unitBalance ?? '0' }
  })

const uncharged = { memo: null, upgradeScheme: 'no-prorate', downgradeScheme: 'no-prorate' } as const

/** The row of a new card, which only the gateway knows yet; null when the update brings none. Everything else is judged before. */
async function storeNewCard(
  app: App,
  siteId: number,
  subscriptionId: number,
  command: UpdateSubscription,
): Promise<PaymentProfile | null> {
  const { card } = command
  if (card === null || !('profile' in card)) return null
  const { site, now } = await siteAndNow(app, app.db, siteId)
  const facts = (await listFacts(app.db, site, [subscriptionId])).get(subscriptionId)
  if (facts === undefined) throw notFound()
  if (card.profile.number) refuseExpired(card.profile.number, now, site.timeZone)
  const none = { transaction: () => 0, statement: () => 0, attempt: () => 0 }
  decideUpdate(facts, await updateFrom(app.db, facts, command, now), now, none)
  const [id] = await nextIds(app.db, 'payment_profiles')
  const owner = { siteId, id: id!, customerId: facts.customer.id, now }
  return storeCard(app, card.profile, owner, `card-${randomUUID()}`)
}

/** The card that pays from now on, locked; undefined when it is the one that pays already and nothing about it changes. */
async function cardFrom(
  tx: Transaction,
  { siteId, customerId, paymentProfileId }: Subscription,
  card: CardUpdate | null,
  now: Temporal.Instant,
  timeZone: string,
): Promise<{ card: PaymentProfile; cardBefore?: PaymentProfile } | undefined> {
  if (card === null || 'profile' in card) return undefined
  if ('profileId' in card) {
    if (card.profileId === paymentProfileId) return undefined
    const other = await findPaymentProfile(tx, siteId, card.profileId)
    if (other?.customerId !== customerId) throw invalid('Payment profile: must belong to the customer.')
    const locked = await lockPaymentProfile(tx, siteId, card.profileId)
    return locked && { card: locked }
  }
  const before = paymentProfileId === null ? undefined : await lockPaymentProfile(tx, siteId, paymentProfileId)
  if (before === undefined) throw invalid('Credit card number: cannot be blank.')
  const after = { ...before, ...card.change, updatedAt: now }
  const fields = Object.keys(card.change) as (keyof PaymentProfileChange['details'])[]
  if (fields.every((field) => before[field] === after[field])) return undefined
  const isNewExpiry = before.expirationMonth !== after.expirationMonth || before.expirationYear !== after.expirationYear
  if (isNewExpiry) refuseExpired(after, now, timeZone)
  return { card: after, cardBefore: before }
}
