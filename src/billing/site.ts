/** One merchant's settings, as decisions see them. */

export const dunningFinalActions = ['cancel', 'unpaid'] as const

/** How often a failed payment is asked for (the failed renewal is attempt 1), how many hours apart, and what comes last. */
export type DunningSettings = {
  attempts: number
  intervalHours: number
  finalAction: (typeof dunningFinalActions)[number]
}

export type Site = {
  id: number
  subdomain: string
  name: string
  live: boolean
  currency: string
  timeZone: string
  sharedKey: string
  dunning: DunningSettings
  componentUpgradeScheme: string
  componentDowngradeScheme: string
  createdAt: Temporal.Instant
}
