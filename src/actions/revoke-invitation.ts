/** Closes the portal to a customer: links and sessions end with it. */
import { invalid, notFound } from '../billing/refusal.ts'
import { lockCustomer, updateCustomerRow } from '../store/customers.ts'
import { deleteManagementLink } from '../store/management-links.ts'
import { deletePortalSessionsOf, saveRevocation } from '../store/portal-sessions.ts'
import { type App, siteAndNow, write } from './app.ts'
import { portalNotEnabled } from './invite-to-portal.ts'

/** Gives the customer's id. Refuses a customer to whom the portal is closed already. */
export const revokeInvitation = (app: App, siteId: number, customerId: number): Promise<number> =>
  write(app, async (tx) => {
    const [{ now }, customer] = await Promise.all([siteAndNow(app, tx, siteId), lockCustomer(tx, siteId, customerId)])
    if (customer === undefined) throw notFound()
    if (customer.portalCustomerCreatedAt === null) throw invalid(portalNotEnabled)
    const closed = { portalCustomerCreatedAt: null, portalInviteLastSentAt: null, portalInviteLastAcceptedAt: null }
    await Promise.all([
      updateCustomerRow(tx, siteId, { ...customer, ...closed, updatedAt: now }),
      deleteManagementLink(tx, siteId, customerId),
      deletePortalSessionsOf(tx, siteId, customerId),
      saveRevocation(tx, siteId, customerId, now),
    ])
    return customerId
  })
