/** Takes something off the balance of a subscription by hand: an adjustment that is told by its size. */
import { type Cents, negate } from '../billing/money.ts'
import type { App } from './app.ts'
import { createAdjustment } from './create-adjustment.ts'

/** Gives the id of the adjustment, whose amount is negative. */
export const createCredit = (
  app: App,
  siteId: number,
  subscriptionId: number,
  { amount, memo }: { amount: Cents; memo: string },
): Promise<number> => createAdjustment(app, siteId, subscriptionId, { amount: negate(amount), memo, isTarget: false })
