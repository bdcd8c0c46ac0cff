/** Corrects what is known of a customer. */
import { type Customer, type CustomerDetails, fullName } from '../billing/customer.ts'
import { customerEvent } from '../billing/event.ts'
import { notFound } from '../billing/refusal.ts'
import { lockCustomer, updateCustomerRow } from '../store/customers.ts'
import { type App, siteAndNow, write } from './app.ts'
import { commit } from './commit.ts'
import { refuseTaken } from './refuse-taken.ts'

/** A change that changes nothing leaves no trace. Refuses a reference that another customer of the site has. */
export const updateCustomer = (
  app: App,
  siteId: number,
  customerId: number,
  change: Partial<CustomerDetails>,
): Promise<number> =>
  write(app, async (tx) => {
    const [{ now }, before] = await Promise.all([siteAndNow(app, tx, siteId), lockCustomer(tx, siteId, customerId)])
    if (before === undefined) throw notFound()
    const customer: Customer = { ...before, ...change, updatedAt: now }
    const isSame = (Object.keys(change) as (keyof CustomerDetails)[]).every(
      (field) => before[field] === customer[field],
    )
    if (isSame) return customerId
    const subject = { siteId, customerId, customerName: fullName(customer), at: now }
    await Promise.all([
      updateCustomerRow(tx, siteId, customer),
      commit(app, tx, siteId, [{ events: [customerEvent(subject, 'update')] }]),
    ])
    return customerId
  }).catch(refuseTaken)
