/** Corrects the balance of a subscription by hand. */
import { type Adjustment, decideAdjustment } from '../billing/adjustment.ts'
import type { App } from './app.ts'
import { changeByHand } from './change-by-hand.ts'

/** Gives the id of the adjustment in the ledger. Refuses a subscription in an end state. */
export const createAdjustment = (
  app: App,
  siteId: number,
  subscriptionId: number,
  adjustment: Adjustment,
): Promise<number> =>
  changeByHand(app, siteId, subscriptionId, (facts, now, ids) => decideAdjustment(facts, adjustment, now, ids))
