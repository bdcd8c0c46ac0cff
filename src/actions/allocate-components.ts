/** Changes how much of its components a subscription has, all at once or none of them. */
import { type DowngradeScheme, decideAllocation, type UpgradeScheme } from '../billing/allocation.ts'
import { capturesNow, type WantedAllocation } from '../billing/allocation-steps.ts'
import type { Changes } from '../billing/changes.ts'
import type { Component } from '../billing/component.ts'
import type { ComponentName } from '../billing/component-choice.ts'
import { couponsMax } from '../billing/coupon.ts'
import type { DecimalText } from '../billing/money.ts'
import { underWay } from '../billing/payment-attempt.ts'
import { type PeriodCoupon, tookPart } from '../billing/period-coupon.ts'
import { whyNotAtPricePoint } from '../billing/price-point.ts'
import { invalid, notFound, type Refusal } from '../billing/refusal.ts'
import type { Site } from '../billing/site.ts'
import type { SubscriptionFacts } from '../billing/subscription.ts'
import { findRequestOfAttempt, isPeriodCharged, listCouponsInPeriod } from '../store/allocations.ts'
import type { Connection } from '../store/database.ts'
import { drawIds, nextIds } from '../store/ids.ts'
import { beginsPeriod } from '../store/payment-attempts.ts'
import { findOfferedComponent, type OfferedComponent } from '../store/subscription-components.ts'
import { type App, siteAndNow, write } from './app.ts'
import { collectOnRequest, type Decide, findRepeatedAttempt } from './collect-on-request.ts'
import { commit } from './commit.ts'
import { lockSubscription } from './lock-subscription.ts'

export type AllocateComponent = {
  component: ComponentName
  quantity: DecimalText
  memo: string | null
  /** Null is what the site does. */
  upgradeScheme: UpgradeScheme | null
  downgradeScheme: DowngradeScheme | null
  /** Its id, or `handle:` and its handle; another than the default one is refused. */
  pricePoint?: string | null
}

/** The coupons that took part in the period; where nothing was charged for it, as in an import, those that are there. */
export async function periodCouponsOf(
  connection: Connection,
  { subscription, pricing }: SubscriptionFacts,
): Promise<PeriodCoupon[]> {
  const found = tookPart(await listCouponsInPeriod(connection, subscription), pricing.coupons)
  if (found.length > 0 || pricing.coupons.length === 0 || (await isPeriodCharged(connection, subscription)))
    return found
  return pricing.coupons.map(({ coupon, code }) => ({ coupon, code, inPeriod: null }))
}

/** Gives the id of the first allocation, by which all of the request are found. */
export async function allocateComponents(
  app: App,
  siteId: number,
  subscriptionId: number,
  wanted: readonly AllocateComponent[],
): Promise<number> {
  let requestId = 0
  const decide: Decide = async (facts, now, ids, tx) => {
    const { collectingAttemptId } = facts.subscription
    // What it costs would be for the rest of a period that ends once the payment is in.
    if (collectingAttemptId !== null && (await beginsPeriod(tx, siteId, collectingAttemptId))) throw invalid(underWay)
    const allocations = await wantedOf(tx, facts, wanted)
    const allocationIds = await nextIds(tx, ...allocations.map(() => 'allocations' as const))
    requestId = allocationIds[0]!
    const request = { wanted: allocations, ids: allocationIds, periodCoupons: await periodCouponsOf(tx, facts) }
    return decideAllocation(facts, request, now, ids)
  }
  const { site } = await siteAndNow(app, app.db, siteId)
  if (wanted.some((one) => capturesNow(upgradeSchemeOf(site, one)))) {
    await collectOnRequest(app, siteId, subscriptionId, decide, { rowsMax: rowsOf(wanted), made: () => requestId })
    return requestId || findRepeatedRequest(app, siteId, subscriptionId)
  }
  return write(app, async (tx) => {
    const { facts, now } = await lockSubscription(app, tx, siteId, subscriptionId)
    const ids = await drawIds(tx, siteId, { transactions: rowsOf(wanted)(facts), statements: 0, attempts: 0 })
    const changes: Changes = await decide(facts, now, ids, tx)
    await commit(app, tx, siteId, [changes])
    return requestId
  })
}

/** What this same request made when it came before, and its process was lost. */
async function findRepeatedRequest(app: App, siteId: number, subscriptionId: number): Promise<number> {
  const attempt = await findRepeatedAttempt(app, app.db, siteId, subscriptionId)
  const id = attempt && (await findRequestOfAttempt(app.db, siteId, subscriptionId, attempt.id))
  if (id === undefined) throw notFound()
  return id
}

const upgradeSchemeOf = (site: Site, { upgradeScheme }: AllocateComponent): UpgradeScheme =>
  upgradeScheme ?? (site.componentUpgradeScheme as UpgradeScheme)

/**
 * A charge or a credit for each; the coupons and the taxes for what is credited, charged later, and charged now. The coupons by which
 * something is credited may have been taken off.
 */
const rowsOf =
  (wanted: readonly AllocateComponent[]) =>
  ({ pricing }: SubscriptionFacts): number =>
    wanted.length + 2 * pricing.coupons.length + couponsMax + 3 * pricing.taxes.length

/** Refuses, as missing where nothing else is said, components that the subscription cannot have; and those that it lost with another product. */
export const wantedOf = (
  connection: Connection,
  { site, subscription }: SubscriptionFacts,
  wanted: readonly AllocateComponent[],
  refuse: (by: ComponentName) => Refusal = notFound,
): Promise<WantedAllocation[]> =>
  Promise.all(
    wanted.map(async (one) => {
      const found = await findOfferedComponent(connection, site.id, subscription.id, one.component)
      if (found === undefined) throw refuse(one.component)
      refuseUnlessSold(found)
      const problem = whyNotAtPricePoint(found.component, one.pricePoint)
      if (problem !== null) throw invalid(problem)
      return {
        component: found.component,
        quantity: one.quantity,
        memo: one.memo,
        upgradeScheme: one.upgradeScheme ?? usualScheme(found.component, upgradeSchemeOf(site, one)),
        downgradeScheme: one.downgradeScheme ?? (site.componentDowngradeScheme as DowngradeScheme),
      }
    }),
  )

/** What is charged once is charged when it is allocated, also where a site charges for nothing before the renewal. */
const usualScheme = ({ recurring }: Component, scheme: UpgradeScheme): UpgradeScheme =>
  !recurring && scheme === 'no-prorate' ? 'full-price-delay-capture' : scheme

/** Refuses what a subscription had before it moved to a product of another family. */
export function refuseUnlessSold({ component, isSold }: OfferedComponent): void {
  if (!isSold) throw invalid(`Component: ${component.name} is not sold with the product of this subscription.`)
}
