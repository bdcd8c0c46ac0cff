/** Deletes a customer with cards and subscriptions: they vanish from every answer and are billed no more; the ledger keeps its rows. */
import { subjectOf } from '../billing/act.ts'
import { type Customer, fullName } from '../billing/customer.ts'
import { refuseCustomerDeletion } from '../billing/customer-deletion.ts'
import { customerEvent, type SiteEvent, subscriptionDeletion } from '../billing/event.ts'
import { notFound } from '../billing/refusal.ts'
import type { SubscriptionFacts } from '../billing/subscription.ts'
import { lockCustomer, markCustomerDeleted } from '../store/customers.ts'
import { listFacts } from '../store/facts.ts'
import { lockSubscriptionsOfCustomer } from '../store/subscriptions.ts'
import { type App, siteAndNow, write } from './app.ts'
import { commit } from './commit.ts'

/** With `cascade` also live subscriptions and what is owed go; a payment that is under way is never lost. */
export const deleteCustomer = (
  app: App,
  siteId: number,
  customerId: number,
  options: { cascade: boolean },
): Promise<number> =>
  write(app, async (tx) => {
    const subscriptionIds = await lockSubscriptionsOfCustomer(tx, siteId, customerId)
    const [{ site, now }, customer] = await Promise.all([
      siteAndNow(app, tx, siteId),
      lockCustomer(tx, siteId, customerId),
    ])
    if (customer === undefined) throw notFound()
    const facts = await listFacts(tx, site, subscriptionIds)
    const subscriptions = [...facts.values()]
    refuseCustomerDeletion(
      subscriptions.map(({ subscription }) => subscription),
      options,
    )
    const deletions = subscriptions.map((known) => deletionOf(known, customer, now))
    const subject = { siteId, customerId, customerName: fullName(customer), at: now }
    await Promise.all([
      markCustomerDeleted(tx, siteId, customerId, now),
      commit(app, tx, siteId, [{ events: [...deletions, customerEvent(subject, 'delete')] }]),
    ])
    return customerId
  })

const deletionOf = (facts: SubscriptionFacts, customer: Customer, at: Temporal.Instant): SiteEvent =>
  subscriptionDeletion(subjectOf(facts, at), customer.email)
