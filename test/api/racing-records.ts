/** What acts on one subscription left and answered, told so that two subscriptions of two sites can be compared. */
import type { AppliedCoupon } from '../../src/billing/coupon.ts'
import { readRecords } from '../support/story-records.ts'
import type { Reply, TestApp } from '../support/test-app.ts'
import type { Command } from './racing-commands.ts'
import type { Lived, Twin } from './twin-shops.ts'

/** Everything on record of a subscription, in its order; ids differ from site to site, so what they are is left out. */
export async function everything({ app }: TestApp, { siteId }: Twin, { id }: Lived): Promise<string[]> {
  const { subscription, coupons, periods, transactions, statements, events } = await readRecords(app.db, siteId, id)
  return [subscription, ...coupons.map(standing), ...periods, ...transactions, ...statements, ...events].map(told)
}

/**
 * What matters of it where acts come between the two halves of others: the state, the money, and what was told. Rows that came between
 * stand on the statement of their moment, so their order, dates and names are those of no serial order.
 */
export async function outcome({ app }: TestApp, { siteId }: Twin, { id }: Lived): Promise<string[]> {
  const { subscription, coupons, transactions, events } = await readRecords(app.db, siteId, id)
  const { state, balance, totalRevenue, paymentCollectionMethod, currentPeriodEndsAt, expiresAt } = subscription
  const { cancelAtEndOfPeriod, collectingAttemptId } = subscription
  const couponCodes = coupons.map(({ code }) => code)
  const dates = { currentPeriodEndsAt, expiresAt, couponCodes, cancelAtEndOfPeriod, collectingAttemptId }
  const rows = transactions.map(({ transaction: { type, kind, success, amount, discountAmount, memo } }) => ({
    ...{ type, kind, success, amount, discountAmount, memo },
  }))
  const keys = events.map(({ key }) => ({ key })).filter(({ key }) => key !== 'subscription_state_change')
  return [{ state, balance, totalRevenue, paymentCollectionMethod, ...dates }, ...rows, ...keys].map(told).toSorted()
}

const standing = ({ code, useCount, usesAllowed }: AppliedCoupon) => ({ code, useCount, usesAllowed })

const leftOut = new Set(['gatewayTransactionId', 'gateway_transaction_id'])
const told = (tree: object): string =>
  JSON.stringify(tree, (key, value) => (leftOut.has(key) ? undefined : value)).replace(/\b[5-9]\d{5}\b|ada \w+/g, '#')

/** No serial order knows of this one; it changed nothing and may be asked again. */
export const waitsForMoney = 'A payment for this subscription is being processed.'

export const said = ({ title }: Command, { status, text }: Reply): string =>
  `${title}: ${status}${status >= 400 ? ` ${told(JSON.parse(text))}` : ''}`
