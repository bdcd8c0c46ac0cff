/** Makes a customer. */
import { type CustomerDetails, fullName } from '../billing/customer.ts'
import { customerEvent } from '../billing/event.ts'
import { nextIds } from '../store/ids.ts'
import { type App, siteAndNow, write } from './app.ts'
import { commit } from './commit.ts'
import { refuseTaken } from './refuse-taken.ts'
import { newCustomer } from './signup-parties.ts'

/** Refuses a reference that another customer of the site has. */
export async function createCustomer(app: App, siteId: number, details: CustomerDetails): Promise<number> {
  const [{ now }, [id]] = await Promise.all([siteAndNow(app, app.db, siteId), nextIds(app.db, 'customers')])
  const customer = newCustomer(siteId, id!, details, now)
  const subject = { siteId, customerId: customer.id, customerName: fullName(customer), at: now }
  return write(app, async (tx) => {
    await commit(app, tx, siteId, [{ newCustomer: customer, events: [customerEvent(subject, 'create')] }])
    return customer.id
  }).catch(refuseTaken)
}
