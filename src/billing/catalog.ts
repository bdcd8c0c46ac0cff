/** What is for sale: product families, products, and the versions of a product's terms. */
import type { Interval } from './calendar.ts'
import { type Cents, zeroCents } from './money.ts'

export const trialTypes = ['no_obligation', 'payment_expected'] as const
export type TrialType = (typeof trialTypes)[number]

export type Trial = { price: Cents; interval: Interval; type: TrialType }

/** What a price of one subscription alone is called. */
export type CustomNames = { name: string | null; handle: string | null }

/** What a subscription is held to: the terms of one version of a product, under the product's present name. */
export type ProductTerms = {
  productId: number
  versionNumber: number
  name: string
  handle: string | null
  price: Cents
  interval: Interval
  /** Null where there is none, which is not shown as the 0 that somebody gave. */
  initialCharge: Cents | null
  initialChargeAfterTrial: boolean
  trial: Trial | null
  /** Null means that subscriptions never expire. */
  expiration: Interval | null
  requireCreditCard: boolean
  taxable: boolean
  /** Null for what is sold to everybody. */
  custom: CustomNames | null
}

export type ProductFamily = {
  siteId: number
  id: number
  name: string
  handle: string
  description: string | null
  accountingCode: string | null
  createdAt: Temporal.Instant
  updatedAt: Temporal.Instant
}

/** What one version of a product fixes for good; everything else about a product may be corrected in place. */
export type PricingTerms = Pick<
  ProductTerms,
  'price' | 'interval' | 'initialCharge' | 'initialChargeAfterTrial' | 'trial' | 'expiration'
>

export type ProductDetails = {
  name: string
  handle: string | null
  description: string | null
  accountingCode: string | null
  requestCreditCard: boolean
  requireCreditCard: boolean
  taxable: boolean
  taxCode: string | null
  requireBillingAddress: boolean
  requestBillingAddress: boolean
  requireShippingAddress: boolean
  requestShippingAddress: boolean
  returnUrl: string | null
  returnParams: string | null
  updateReturnUrl: string | null
  updateReturnParams: string | null
}

/** A product that says no more than its name, price and interval. */
export const plainProduct: ProductDetails & PricingTerms = {
  name: '',
  handle: null,
  description: null,
  accountingCode: null,
  requestCreditCard: true,
  requireCreditCard: true,
  taxable: false,
  taxCode: null,
  requireBillingAddress: false,
  requestBillingAddress: false,
  requireShippingAddress: false,
  requestShippingAddress: false,
  returnUrl: null,
  returnParams: null,
  updateReturnUrl: null,
  updateReturnParams: null,
  price: zeroCents,
  interval: { count: 1, unit: 'month' },
  initialCharge: null,
  initialChargeAfterTrial: false,
  trial: null,
  expiration: null,
}

/** A product with the terms on which it is sold now. */
export type Product = ProductDetails &
  PricingTerms & {
    siteId: number
    id: number
    productFamilyId: number
    versionNumber: number
    createdAt: Temporal.Instant
    updatedAt: Temporal.Instant
    archivedAt: Temporal.Instant | null
  }
