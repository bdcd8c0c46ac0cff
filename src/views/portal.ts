/** How merchants are shown the links into the portal, its invitations and its settings. */
import type { Customer } from '../billing/customer.ts'
import { expiresAt, type ManagementLink, newLinkAvailableAt } from '../billing/management-link.ts'
import type { PortalSettings } from '../billing/portal-settings.ts'
import type { Fields } from '../wire/shape.ts'
import { formatUtc } from '../wire/timestamp.ts'

export const managementLinkShape: Fields = {
  fields: {
    url: 'string',
    fetch_count: 'integer',
    created_at: 'datetime',
    new_link_available_at: 'datetime',
    expires_at: 'datetime',
  },
}

/** Times are in UTC. */
export const presentManagementLink = (link: ManagementLink, url: string) => ({
  url,
  fetch_count: link.fetchCount,
  created_at: formatUtc(link.createdAt),
  new_link_available_at: formatUtc(newLinkAvailableAt(link)),
  expires_at: formatUtc(expiresAt(link)),
})

export const invitationShape: Fields = {
  fields: {
    last_sent_at: 'string',
    last_accepted_at: 'string',
    send_invite_link_text: 'string',
    uninvited_count: 'integer',
  },
}

/** Words where there is no time to tell. */
export const presentInvitation = (customer: Customer, uninvitedCount: number) => {
  const { portalInviteLastSentAt: sentAt, portalInviteLastAcceptedAt: acceptedAt } = customer
  return {
    last_sent_at: sentAt ? formatUtc(sentAt) : 'Not Invited',
    last_accepted_at: acceptedAt ? formatUtc(acceptedAt) : 'Not Accepted',
    send_invite_link_text: 'Resend Invite',
    uninvited_count: uninvitedCount,
  }
}

export const presentRevocation = (uninvitedCount: number) => ({
  last_sent_at: 'Not Invited',
  last_accepted_at: 'Invite Revoked',
  uninvited_count: uninvitedCount,
})

export const portalSettingsShape: Fields = {
  fields: {
    may_change_card: 'boolean',
    may_change_product: 'boolean',
    product_change: 'string',
    may_cancel_at_once: 'boolean',
    may_cancel_at_period_end: 'boolean',
    may_reactivate: 'boolean',
    may_pay: 'boolean',
    may_edit_address: 'boolean',
    accent_color: 'string',
    logo_text: 'string',
    support_email: 'string',
    terms: 'string',
    base_url: 'string',
  },
}

export const presentPortalSettings = (settings: PortalSettings) => ({
  may_change_card: settings.mayChangeCard,
  may_change_product: settings.mayChangeProduct,
  product_change: settings.productChange,
  may_cancel_at_once: settings.mayCancelAtOnce,
  may_cancel_at_period_end: settings.mayCancelAtPeriodEnd,
  may_reactivate: settings.mayReactivate,
  may_pay: settings.mayPay,
  may_edit_address: settings.mayEditAddress,
  accent_color: settings.accentColor,
  logo_text: settings.logoText,
  support_email: settings.supportEmail,
  terms: settings.terms,
  base_url: settings.baseUrl,
})
