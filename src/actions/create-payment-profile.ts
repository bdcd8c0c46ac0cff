/** Stores a card of a customer. */
import { randomUUID } from 'node:crypto'
import { notFound } from '../billing/refusal.ts'
import { lockCustomerShared } from '../store/customers.ts'
import { nextIds } from '../store/ids.ts'
import { type App, siteAndNow, write } from './app.ts'
import { commit } from './commit.ts'
import { type NewPaymentProfile, refuseExpired, storeCard } from './store-card.ts'

/** The gateway is asked first; what it refuses, in its words, leaves nothing behind. */
export async function createPaymentProfile(
  app: App,
  siteId: number,
  customerId: number,
  card: NewPaymentProfile,
): Promise<number> {
  const [{ site, now }, [newId]] = await Promise.all([
    siteAndNow(app, app.db, siteId),
    nextIds(app.db, 'payment_profiles'),
  ])
  const id = newId!
  if (card.number) refuseExpired(card.number, now, site.timeZone)
  const profile = await storeCard(app, card, { siteId, id, customerId, now }, `card-${randomUUID()}`)
  return write(app, async (tx) => {
    if ((await lockCustomerShared(tx, siteId, customerId)) === undefined) throw notFound()
    await commit(app, tx, siteId, [{ newPaymentProfile: profile }])
    return id
  })
}
