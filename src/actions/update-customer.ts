/** Corrects what is known of a customer. */
import { type Customer, type CustomerDetails, fullName } from '../billing/customer.ts'
import { customerEvent, type SiteEvent } from '../billing/event.ts'
import { notFound } from '../billing/refusal.ts'
import { lockCustomer, updateCustomerRow } from '../store/customers.ts'
import type { Transaction } from '../store/database.ts'
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
    const { now } = await siteAndNow(app, tx, siteId)
    const events = await changeCustomer(tx, siteId, customerId, change, now)
    await commit(app, tx, siteId, [{ events }])
    return customerId
  }).catch(refuseTaken)

/** Writes the change and gives the event that tells of it, if there is one. A reference that is taken violates a constraint. */
export async function changeCustomer(
  tx: Transaction,
  siteId: number,
  customerId: number,
  change: Partial<CustomerDetails>,
  now: Temporal.Instant,
): Promise<SiteEvent[]> {
  const fields = Object.keys(change) as (keyof CustomerDetails)[]
  if (fields.length === 0) return []
  const before = await lockCustomer(tx, siteId, customerId)
  if (before === undefined) throw notFound()
  const customer: Customer = { ...before, ...change, updatedAt: now }
  if (fields.every((field) => before[field] === customer[field])) return []
  await updateCustomerRow(tx, siteId, customer)
  return [customerEvent({ siteId, customerId, customerName: fullName(customer), at: now }, 'update')]
}
