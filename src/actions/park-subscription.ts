/** Holds back a subscription that cannot be assessed, and tells the merchant: one bug never stops a site, and never goes unheard. */
import { fullName } from '../billing/customer.ts'
import { subscriptionParked } from '../billing/life-event.ts'
import { findSubscriptionRecord } from '../store/subscription-records.ts'
import { setParkedReason } from '../store/subscriptions.ts'
import { type App, siteAndNow } from './app.ts'
import { tellEvents } from './tell-webhooks.ts'

/** In a transaction of its own, so that nothing can undo it together with the others. */
export async function parkSubscription(
  app: App,
  siteId: number,
  subscriptionId: number,
  error: unknown,
): Promise<void> {
  const reason = error instanceof Error ? error.message : String(error)
  app.log.error({ err: error, siteId, subscriptionId }, 'a subscription could not be assessed and is parked')
  await parkAndTell(app, siteId, subscriptionId, reason).catch(async (trouble: unknown) => {
    // What keeps it from being assessed may keep it from being shown as well.
    app.log.error({ err: trouble, siteId, subscriptionId }, 'nobody could be told of a subscription that is parked')
    await setParkedReason(app.db, siteId, subscriptionId, reason)
  })
}

/** The reason stays with the operator: it is about Kalends, not about the subscription. */
const parkAndTell = (app: App, siteId: number, subscriptionId: number, reason: string): Promise<void> =>
  app.db.transaction(async (tx) => {
    const { site, now } = await siteAndNow(app, tx, siteId)
    await setParkedReason(tx, siteId, subscriptionId, reason)
    const record = await findSubscriptionRecord(tx, siteId, subscriptionId)
    if (record === undefined) return
    const { customer, product } = record
    const event = subscriptionParked({
      siteId,
      subscriptionId,
      customerId: customer.id,
      customerName: fullName(customer),
      productId: product.id,
      productName: product.name,
      currency: site.currency,
      at: now,
    })
    await tellEvents(tx, siteId, [event], app.clock.now())
  })
