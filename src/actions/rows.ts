/** How many ledger rows one decision may write at most: so many ids are drawn before it. */
import type { SubscriptionFacts } from '../billing/subscription.ts'

/**
 * Adjustments before and after, a baseline, a trial, a setup fee, a new coupon, a payment or what stands in its place, a row for each
 * coupon that is on, and for each component and each tax a charge, and a credit where a change is prorated.
 */
export const rowsPerDecisionMax = ({ pricing }: SubscriptionFacts): number =>
  8 + pricing.coupons.length + 2 * pricing.components.length + 2 * pricing.taxes.length
