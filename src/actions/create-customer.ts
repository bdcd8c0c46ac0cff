/** Makes a customer. */
import { type CustomerDetails, fullName } from '../billing/customer.ts'
import { customerEvent } from '../billing/event.ts'
import type { MetadatumChange } from '../billing/metafield.ts'
import { invalid } from '../billing/refusal.ts'
import { nextIds } from '../store/ids.ts'
import { type App, siteAndNow, write } from './app.ts'
import { commit } from './commit.ts'
import { findMetafieldProblems, prepareMetadata, saveGivenMetadata } from './give-metadata.ts'
import { refuseTaken } from './refuse-taken.ts'
import { newCustomer } from './signup-parties.ts'

/** Refuses a reference that another customer of the site has, and values that a field of the site does not offer. */
export async function createCustomer(
  app: App,
  siteId: number,
  details: CustomerDetails,
  metafields: readonly MetadatumChange[] = [],
): Promise<number> {
  const [{ now }, [id], problems] = await Promise.all([
    siteAndNow(app, app.db, siteId),
    nextIds(app.db, 'customers'),
    findMetafieldProblems(app.db, siteId, 'customer', metafields),
  ])
  if (problems.length > 0) throw invalid(...problems)
  const customer = newCustomer(siteId, id!, details, now)
  const subject = { siteId, customerId: customer.id, customerName: fullName(customer), at: now }
  const owner = { siteId, customerId: customer.id, resourceType: 'customer', resourceId: customer.id, at: now } as const
  return write(app, async (tx) => {
    const given = await prepareMetadata(tx, owner, metafields)
    const told = given.flatMap(({ changes }) => changes.events)
    await commit(app, tx, siteId, [{ newCustomer: customer, events: [customerEvent(subject, 'create'), ...told] }])
    await saveGivenMetadata(tx, given)
    return customer.id
  }).catch(refuseTaken)
}
