/** Takes a reason off the list for good; subscriptions that were canceled for it keep its code. */
import { notFound } from '../billing/refusal.ts'
import { deleteReasonCodeRow } from '../store/reason-codes.ts'
import { type App, write } from './app.ts'

export const deleteReasonCode = (app: App, siteId: number, id: number): Promise<number> =>
  write(app, async (tx) => {
    if ((await deleteReasonCodeRow(tx, siteId, id)) === 0) throw notFound()
    return id
  })
