/**
 * What clients of this API know and Kalends does not have, by input: fields that would change money, dates or access are refused by
 * name and never taken in silence. Those that say nothing (null, blank, 0, false, nothing but such inside) pass.
 */
import type { Site } from '../billing/site.ts'
import { InputErrors, unsupported } from '../wire/input.ts'

const onePriceOfComponent = 'a component has one set of prices'
const siteProrates = 'what changes of quantities cost is said by the site, or with each of them'
const noProvider = 'no provider of such tokens is connected'

const subscription = {
  group: unsupported('Group', 'subscriptions are not grouped'),
  offer_id: unsupported('Offer', 'there are no offers'),
  prepaid_configuration: unsupported('Prepaid configuration', 'there are no prepaid subscriptions'),
  stored_credential_transaction_id: unsupported('Stored credential transaction id', 'no gateway here takes it'),
  dunning_communication_delay_enabled: unsupported(
    'Dunning communication delay enabled',
    'letters of a dunning are sent when it takes a step',
  ),
}

const quantity = {
  billing_schedule: unsupported('Billing schedule', 'components are billed with the period of the subscription'),
}

export const refusedFields = {
  signup: {
    ...subscription,
    expiration_tracks_next_billing_change: unsupported(
      'Expiration tracks next billing change',
      'a sign-up says when it expires; an update may move it with the next billing',
    ),
    skip_billing_manifest_taxes: unsupported('Skip billing manifest taxes', 'a rehearsal tells what will be charged'),
    canceled_at: unsupported('Canceled at', 'a subscription that has ended is not signed up'),
  },
  update: subscription,
  migration: {
    proration_date: unsupported(
      'Proration date',
      'a change of product is prorated from the moment on which it is made',
    ),
  },
  reactivation: {
    calendar_billing: unsupported('Calendar billing', 'a period that begins anew is charged whole'),
    use_credits_and_prepayments: unsupported(
      'Use credits and prepayments',
      'there is one balance; see preserve_balance',
    ),
  },
  customer: {
    parent_id: unsupported('Parent id', 'no customer pays for another'),
    default_auto_renewal_profile_id: unsupported('Default auto renewal profile id', 'there are no such profiles'),
  },
  allocation: {
    ...quantity,
    custom_price: unsupported('Custom price', 'it is given at the sign-up or by an update'),
  },
  /** Beside the list of several allocations. */
  allocations: {
    payment_collection_method: unsupported('Payment collection method', 'a subscription is paid in one way'),
    initiate_dunning: unsupported('Initiate dunning', 'an allocation that cannot be paid for is not made'),
    effective_proration_date: unsupported('Effective proration date', 'quantities change at the moment of the request'),
  },
  usage: quantity,
  component: {
    price_points: unsupported('Price points', onePriceOfComponent),
    interval: unsupported('Interval', 'a component is billed with the period of its product'),
    upgrade_charge: unsupported('Upgrade charge', siteProrates),
    downgrade_credit: unsupported('Downgrade credit', siteProrates),
  },
  coupon: {
    duration_interval: unsupported('Duration interval', 'a coupon lasts for periods; see duration_period_count'),
    currency_prices: unsupported('Currency prices', 'a site has one currency'),
  },
  card: {
    gateway_handle: unsupported('Gateway handle', 'a site has one gateway'),
    chargify_token: unsupported('Chargify token', noProvider),
    payment_method_nonce: unsupported('Payment method nonce', noProvider),
  },
} as const

/** Throws `InputErrors` for a currency that is not the site's. */
export function refuseOtherCurrency(sent: string | null | undefined, { currency }: Site): void {
  const asked = sent?.trim().toUpperCase() ?? ''
  if (asked !== '' && asked !== currency) {
    throw new InputErrors([`Currency: must be ${currency}, the currency of the site.`])
  }
}
