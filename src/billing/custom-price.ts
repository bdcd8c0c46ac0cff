/** The price of one subscription alone: a version of its product that the catalog does not sell. */
import type { CustomNames, PricingTerms, ProductTerms } from './catalog.ts'
import type { NewCustomPrice } from './changes.ts'
import { invalid } from './refusal.ts'
import type { Site } from './site.ts'
import type { Subscription } from './subscription.ts'
import { refuseCents } from './whole-units.ts'

export type CustomPrice = PricingTerms & CustomNames

/** The product on these terms. Whether its trial obliges to payment stays with the product, which alone can say so. */
export function customTerms(
  product: ProductTerms,
  { name, handle, ...terms }: CustomPrice,
  versionNumber: number,
): ProductTerms {
  const trial = terms.trial && { ...terms.trial, type: product.trial?.type ?? terms.trial.type }
  return { ...product, ...terms, trial, versionNumber, custom: { name, handle } }
}

/**
 * The terms of a price that a subscription gets by an update. Once it has begun, a trial that none takes the place of stays, and what
 * only a beginning would make use of is refused: an expiration, and a setup fee that nothing is left to charge.
 */
export function laterTerms(
  { state, initialChargeDue }: Subscription,
  present: ProductTerms,
  product: ProductTerms,
  price: CustomPrice,
  versionNumber: number,
): ProductTerms {
  const terms = customTerms(product, price, versionNumber)
  if (state === 'awaiting_signup') return terms
  if (price.expiration !== null) {
    throw invalid('Custom price expiration interval: counts from the sign-up; give expires_at instead.')
  }
  if (price.initialCharge !== null && price.initialCharge > 0 && !initialChargeDue) {
    throw invalid('Custom price initial charge: is charged at the sign-up only.')
  }
  return product.productId === present.productId ? { ...terms, trial: terms.trial ?? present.trial } : terms
}

export const refuseCentsOfPrice = (
  { currency }: Pick<Site, 'currency'>,
  { price, initialCharge, trial }: Pick<PricingTerms, 'price' | 'initialCharge' | 'trial'>,
): void =>
  refuseCents(currency, {
    'Custom price': price,
    'Custom price initial charge': initialCharge,
    'Custom price trial price': trial?.price ?? null,
  })

/** What is to be written of terms that are a price of its own; undefined for those of the catalog. */
export const customPriceOf = (
  { id }: Subscription,
  terms: ProductTerms | undefined,
  createdAt: Temporal.Instant,
): NewCustomPrice | undefined => (terms?.custom ? { subscriptionId: id, terms, createdAt } : undefined)

/** Whether a price that is sent again is the one that the subscription has. */
export const isSamePrice = (present: ProductTerms, wanted: ProductTerms): boolean =>
  JSON.stringify(saidOf(present)) === JSON.stringify(saidOf(wanted))

const saidOf = ({ productId, price, initialCharge, initialChargeAfterTrial, custom, ...terms }: ProductTerms) => [
  [productId, price, initialCharge, initialChargeAfterTrial, custom && [custom.name, custom.handle]],
  [terms.interval, terms.trial?.interval, terms.expiration].map((length) => length && [length.count, length.unit]),
  [terms.trial?.price, terms.trial?.type],
]
