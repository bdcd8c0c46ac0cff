/** Rewords a reason, or moves it in the list; subscriptions that were canceled for it keep the code that they have. */
import type { ReasonCodeTerms } from '../billing/reason-code.ts'
import { notFound } from '../billing/refusal.ts'
import { lockReasonCode, reasonCodes } from '../store/reason-codes.ts'
import { type App, siteAndNow, write } from './app.ts'
import { refuseTaken } from './refuse-taken.ts'

/** Refuses a code that another reason of the site has. */
export const updateReasonCode = (
  app: App,
  siteId: number,
  id: number,
  change: Partial<ReasonCodeTerms>,
): Promise<number> =>
  write(app, async (tx) => {
    const [{ now }, before] = await Promise.all([siteAndNow(app, tx, siteId), lockReasonCode(tx, siteId, id)])
    if (before === undefined) throw notFound()
    const fields = ['code', 'description', 'position', 'updatedAt'] as const
    await reasonCodes.update(tx, siteId, fields, [{ ...before, ...change, updatedAt: now }])
    return id
  }).catch(refuseTaken)
