/** Deletes a stored card that pays nothing. */
import { invalid, notFound } from '../billing/refusal.ts'
import { listSubscriptionsPaidBy, lockPaymentProfile, markPaymentProfileDeleted } from '../store/payment-profiles.ts'
import { type App, siteAndNow, write } from './app.ts'

/** Refuses a card that any subscription has, whatever its state. */
export const deletePaymentProfile = (app: App, siteId: number, id: number): Promise<number> =>
  write(app, async (tx) => {
    const [{ now }, profile] = await Promise.all([siteAndNow(app, tx, siteId), lockPaymentProfile(tx, siteId, id)])
    if (profile === undefined) throw notFound()
    if ((await listSubscriptionsPaidBy(tx, siteId, profile)).length > 0) {
      throw invalid('The payment profile is in use by one or more subscriptions and cannot be deleted')
    }
    await markPaymentProfileDeleted(tx, siteId, id, now)
    return id
  })
