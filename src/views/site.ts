/** How a site's settings and its clock are shown to the merchant. */
import type { InvoiceSeller, Logo } from '../billing/invoice.ts'
import type { Site } from '../billing/site.ts'
import type { SiteClock } from '../billing/site-clock.ts'
import type { Fields } from '../wire/shape.ts'
import { formatTimestamp, formatUtc } from '../wire/timestamp.ts'

export const siteShape: Fields = {
  fields: {
    id: 'integer',
    name: 'string',
    subdomain: 'string',
    seller_id: 'integer',
    test: 'boolean',
    currency: 'string',
    time_zone: 'string',
    country: 'string',
    address: 'string',
    address_2: 'string',
    city: 'string',
    state: 'string',
    zip: 'string',
    vat_number: 'string',
    invoice_page_size: 'string',
    logo: 'string',
    dunning_attempts: 'integer',
    dunning_interval_in_hours: 'integer',
    dunning_final_action: 'string',
    upcoming_renewal_notice_days: 'integer',
    trial_end_notice_days: 'integer',
    expiring_card_notices: 'boolean',
    component_upgrade_scheme: 'string',
    component_downgrade_scheme: 'string',
    relationship_invoicing_enabled: 'boolean',
    shared_key: 'string',
    created_at: 'datetime',
  },
}

/** Every merchant has one site here, so its id is the seller's too. */
export const presentSite = (
  site: Site,
  { seller, logo }: { seller: InvoiceSeller; logo: Logo | null },
  sharedKey: string,
) => ({
  id: site.id,
  name: site.name,
  subdomain: site.subdomain,
  seller_id: site.id,
  test: !site.live,
  currency: site.currency,
  time_zone: site.timeZone,
  country: site.country,
  address: seller.address,
  address_2: seller.address2,
  city: seller.city,
  state: seller.state,
  zip: seller.zip,
  vat_number: seller.vatNumber,
  invoice_page_size: seller.pageSize,
  logo: logo && `data:${logo.mediaType};base64,${Buffer.from(logo.data).toString('base64')}`,
  dunning_attempts: site.dunning.attempts,
  dunning_interval_in_hours: site.dunning.intervalHours,
  dunning_final_action: site.dunning.finalAction,
  upcoming_renewal_notice_days: site.notices.renewalDays,
  trial_end_notice_days: site.notices.trialDays,
  expiring_card_notices: site.notices.expiringCards,
  component_upgrade_scheme: site.componentUpgradeScheme,
  component_downgrade_scheme: site.componentDowngradeScheme,
  relationship_invoicing_enabled: site.relationshipInvoicingEnabled,
  shared_key: sharedKey,
  created_at: formatTimestamp(site.createdAt, site.timeZone),
})

export const testClockShape: Fields = { fields: { now: 'datetime', status: 'string' } }

/** In UTC. While the clock is on its way, `now` is what has been reached. */
export const presentTestClock = (clock: SiteClock, now: Temporal.Instant) => ({
  now: formatUtc(now),
  status: clock.advancingTo === null ? 'ready' : 'advancing',
})
