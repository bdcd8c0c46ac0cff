/** What a site lets its customers do in the portal, and how the portal looks. */

export const productChangeTimes = ['at_renewal', 'now'] as const

export type PortalSettings = {
  mayChangeCard: boolean
  mayChangeProduct: boolean
  /** A change takes effect with the next period, or at once with proration. */
  productChange: (typeof productChangeTimes)[number]
  mayCancelAtOnce: boolean
  mayCancelAtPeriodEnd: boolean
  mayReactivate: boolean
  mayPay: boolean
  mayEditAddress: boolean
  /** `#` and six hexadecimal digits, in lower case. */
  accentColor: string
  /** Stands at the top of every page; the site's name where there is none. */
  logoText: string | null
  supportEmail: string | null
  /** Shown at the foot of every page, as plain text. */
  terms: string | null
  /** Where customers reach this service: `https://billing.example.com`, without a slash at the end. */
  baseUrl: string | null
}

/** What holds until a site says otherwise: customers may do what cannot surprise the merchant. */
export const defaultPortalSettings: PortalSettings = {
  mayChangeCard: true,
  mayChangeProduct: false,
  productChange: 'at_renewal',
  mayCancelAtOnce: false,
  mayCancelAtPeriodEnd: true,
  mayReactivate: true,
  mayPay: true,
  mayEditAddress: true,
  accentColor: '#1f4fbf',
  logoText: null,
  supportEmail: null,
  terms: null,
  baseUrl: null,
}
