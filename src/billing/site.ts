/** One merchant's settings, as decisions see them. */

export const dunningFinalActions = ['cancel', 'unpaid'] as const

/** How often a failed payment is asked for (the failed renewal is attempt 1), how many hours apart, and what comes last. */
export type DunningSettings = {
  attempts: number
  intervalHours: number
  finalAction: (typeof dunningFinalActions)[number]
}

/** How many days ahead a renewal and the end of a trial are announced (0: never), and whether expiring cards are. */
export type NoticeSettings = { renewalDays: number; trialDays: number; expiringCards: boolean }

export type Site = {
  id: number
  subdomain: string
  name: string
  live: boolean
  currency: string
  timeZone: string
  /** Where the merchant is, in two upper-case letters. */
  country: string | null
  /** The key of webhook signatures, sealed. */
  sealedSharedKey: string
  dunning: DunningSettings
  notices: NoticeSettings
  /** Whether customers are written to when a payment fails. */
  sendsFailedPaymentLetters: boolean
  componentUpgradeScheme: string
  componentDowngradeScheme: string
  /** Whether invoices have the later form: one for every bill, under a uid, whoever collects. */
  relationshipInvoicingEnabled: boolean
  createdAt: Temporal.Instant
}

/** A site keeps its books in one of these. */
export const currencies = [
  'USD',
  'GBP',
  'EUR',
  'AUD',
  'NZD',
  'CAD',
  'SGD',
  'ZAR',
  'DKK',
  'SEK',
  'NOK',
  'HKD',
  'MYR',
  'JPY',
  'CHF',
  'INR',
  'PLN',
  'CZK',
  'RUB',
  'BRL',
] as const

/** What becomes of the rest of the period when a component grows, and when it shrinks. */
export const upgradeSchemes = [
  'prorate-delay-capture',
  'prorate-attempt-capture',
  'full-price-attempt-capture',
  'full-price-delay-capture',
  'no-prorate',
] as const
export const downgradeSchemes = ['prorate', 'no-prorate'] as const

/** How much of a test site is emptied. */
export const cleanupScopes = ['all', 'customers'] as const
export type CleanupScope = (typeof cleanupScopes)[number]
