/** Opens the portal to a customer, and sends an invitation where one is asked for. */
import { notFound, Refusal } from '../billing/refusal.ts'
import { lockCustomer, updateCustomerRow } from '../store/customers.ts'
import { type App, siteAndNow, write } from './app.ts'
import { invite } from './invite-to-portal.ts'

/** Gives the customer's id. Refuses one to whom the portal is open already. */
export const enablePortal = (
  app: App,
  siteId: number,
  customerId: number,
  { autoInvite }: { autoInvite: boolean },
): Promise<number> =>
  write(app, async (tx) => {
    const [{ now }, customer] = await Promise.all([siteAndNow(app, tx, siteId), lockCustomer(tx, siteId, customerId)])
    if (customer === undefined) throw notFound()
    if (customer.portalCustomerCreatedAt !== null) {
      throw new Refusal('portal_enabled', ['Portal is already enabled for this customer.'])
    }
    const enabled = { ...customer, portalCustomerCreatedAt: now, updatedAt: now }
    if (autoInvite) await invite(app, tx, enabled, now)
    else await updateCustomerRow(tx, siteId, enabled)
    return customerId
  })
