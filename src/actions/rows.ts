/** How many ledger rows one decision may write at most: so many ids are drawn before it. */
import type { SubscriptionFacts } from '../billing/subscription.ts'

/**
 * Adjustments before and after, a baseline, a trial, a setup fee, a coupon, a payment or what stands in its place, and for each
 * component and each tax a charge, and a credit where a change is prorated.
 */
export const rowsPerDecisionMax = ({ pricing }: SubscriptionFacts): number =>
  8 + 2 * pricing.components.length + 2 * pricing.taxes.length
