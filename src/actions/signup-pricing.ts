/** What makes a sign-up cost more or less than its product: its components, its coupons, and the taxes where the customer is. */
import type { ProductTerms } from '../billing/catalog.ts'
import type { Changes } from '../billing/changes.ts'
import type { ComponentChoice } from '../billing/component-choice.ts'
import { asCouponCode, newlyApplied } from '../billing/coupon.ts'
import { whyNotTogether } from '../billing/coupon-change.ts'
import { nothingKnown } from '../billing/customer.ts'
import { minorUnitOf } from '../billing/money.ts'
import { invalid } from '../billing/refusal.ts'
import type { Site } from '../billing/site.ts'
import { type PricingFacts, plainPricing } from '../billing/subscription.ts'
import { type TaxAddress, taxesFor } from '../billing/tax.ts'
import type { Connection, Transaction } from '../store/database.ts'
import { listTaxes } from '../store/taxes.ts'
import { claimUses, type FoundCoupons, findRedeemables } from './redeem-coupon.ts'
import { findChosenComponents } from './signup-components.ts'
import type { Parties } from './signup-parties.ts'

const couponRefused = 'Coupon Code: is invalid'

export type PricedBy = {
  components: readonly ComponentChoice[]
  /** One code, refused in the words that clients of it know. */
  couponCode: string | null
  /** Several, each refused by its name; they may say the one again. */
  couponCodes: readonly string[]
  /** Of the request; stands in for the one that the customer has. */
  vatNumber: string | null
}

/** Components that cannot be had and a code that cannot be used are told in `problems`. */
export async function findSignupPricing(
  connection: Connection,
  { site, now }: { site: Site; now: Temporal.Instant },
  product: ProductTerms,
  parties: Parties,
  { components, vatNumber, ...codes }: PricedBy,
): Promise<{ pricing: PricingFacts; problems: string[] }> {
  const [chosen, named, siteTaxes] = await Promise.all([
    findChosenComponents(connection, site.id, product.productId, components),
    findCoupons(connection, site.id, codes, product.productId, now),
    listTaxes(connection, site.id),
  ])
  const { existing, details, storedCard, newCard } = parties
  const customer = existing ?? details ?? nothingKnown
  const card = storedCard ?? newCard
  const billing: TaxAddress | null = card && { country: card.billingCountry, state: card.billingState }
  const taxed = {
    address: customer,
    billing,
    taxExempt: customer.taxExempt,
    vatNumber: vatNumber ?? customer.vatNumber,
  }
  const taxes = taxesFor(siteTaxes, taxed, site.country)
  return {
    pricing: {
      ...plainPricing,
      minorUnit: minorUnitOf(site.currency),
      components: chosen.components,
      coupons: named.coupons.map(newlyApplied),
      taxes,
    },
    problems: [...chosen.problems, ...named.refused],
  }
}

/** The one code comes first, unless it stands among the others. */
async function findCoupons(
  connection: Connection,
  siteId: number,
  { couponCode, couponCodes }: Pick<PricedBy, 'couponCode' | 'couponCodes'>,
  productId: number,
  now: Temporal.Instant,
): Promise<FoundCoupons> {
  const several = [...new Set(couponCodes.map(asCouponCode))]
  const single = couponCode === null || several.includes(asCouponCode(couponCode)) ? [] : [couponCode]
  const [one, others] = await Promise.all([
    findRedeemables(connection, siteId, single, productId, now),
    findRedeemables(connection, siteId, several, productId, now),
  ])
  const coupons = [...one.coupons, ...others.coupons]
  const refused = [...(one.refused.length > 0 ? [couponRefused] : []), ...others.refused]
  return { coupons, refused: [...refused, ...whyNotTogether(coupons.map(newlyApplied))] }
}

/**
 * Takes one use of each of the sign-up's coupons, in the first transaction that puts anything of the sign-up on record: before money is
 * asked for, if any is. Refuses when the last use of one has gone meanwhile.
 */
export async function redeemAtSignup(
  tx: Transaction,
  siteId: number,
  { coupons }: PricingFacts,
  subscriptionId: number,
  createdAt: Temporal.Instant,
): Promise<Pick<Changes, 'redemptions'>> {
  if (coupons.length === 0) return {}
  const usedUp = await claimUses(tx, siteId, coupons)
  if (usedUp.length > 0) throw invalid(...(coupons.length === 1 ? [couponRefused] : usedUp))
  return {
    redemptions: coupons.map(({ coupon, code }) => ({ siteId, couponId: coupon.id, code, subscriptionId, createdAt })),
  }
}
