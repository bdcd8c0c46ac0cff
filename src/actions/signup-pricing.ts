/** What makes a sign-up cost more or less than its product: its components, its coupon, and the taxes where the customer is. */
import type { ProductTerms } from '../billing/catalog.ts'
import type { Changes } from '../billing/changes.ts'
import type { ComponentChoice } from '../billing/component-choice.ts'
import { newlyApplied } from '../billing/coupon.ts'
import { minorUnitOf } from '../billing/money.ts'
import { invalid } from '../billing/refusal.ts'
import type { Site } from '../billing/site.ts'
import { type PricingFacts, plainPricing } from '../billing/subscription.ts'
import { type TaxAddress, taxesFor } from '../billing/tax.ts'
import type { Connection, Transaction } from '../store/database.ts'
import { listTaxes } from '../store/taxes.ts'
import { claimUse, findRedeemable } from './redeem-coupon.ts'
import { findChosenComponents } from './signup-components.ts'
import type { Parties } from './signup-parties.ts'

export const couponRefused = 'Coupon Code: is invalid'

export type PricedBy = {
  components: readonly ComponentChoice[]
  couponCode: string | null
  /** Of the request; stands in for the one that the customer has. */
  vatNumber: string | null
}

/** Components that cannot be had and a code that cannot be used are told in `problems`. */
export async function findSignupPricing(
  connection: Connection,
  { site, now }: { site: Site; now: Temporal.Instant },
  product: ProductTerms,
  parties: Parties,
  { components, couponCode, vatNumber }: PricedBy,
): Promise<{ pricing: PricingFacts; problems: string[] }> {
  const [chosen, coupon, siteTaxes] = await Promise.all([
    findChosenComponents(connection, site.id, product.productId, components),
    couponCode === null ? undefined : findRedeemable(connection, site.id, couponCode, product.productId, now),
    listTaxes(connection, site.id),
  ])
  const { existing, details, storedCard, newCard } = parties
  const customer = existing ?? details
  const card = storedCard ?? newCard
  const billing: TaxAddress | null = card && { country: card.billingCountry, state: card.billingState }
  const taxes =
    customer === null
      ? []
      : taxesFor(
          siteTaxes,
          {
            address: customer,
            billing,
            taxExempt: customer.taxExempt,
            vatNumber: vatNumber ?? customer.vatNumber,
          },
          site.country,
        )
  return {
    pricing: {
      ...plainPricing,
      minorUnit: minorUnitOf(site.currency),
      components: chosen.components,
      coupon: coupon ? newlyApplied(coupon) : null,
      taxes,
    },
    problems: [...chosen.problems, ...(couponCode !== null && coupon === undefined ? [couponRefused] : [])],
  }
}

/**
 * Takes one use of the sign-up's coupon, in the first transaction that puts anything of the sign-up on record: before money is asked
 * for, if any is. Refuses when the last use has gone meanwhile.
 */
export async function redeemAtSignup(
  tx: Transaction,
  siteId: number,
  { coupon }: PricingFacts,
  subscriptionId: number,
  now: Temporal.Instant,
): Promise<Pick<Changes, 'redemption'>> {
  if (coupon === null) return {}
  if (!(await claimUse(tx, siteId, coupon))) throw invalid(couponRefused)
  return { redemption: { siteId, couponId: coupon.coupon.id, code: coupon.code, subscriptionId, createdAt: now } }
}
