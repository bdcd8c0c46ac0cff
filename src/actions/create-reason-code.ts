/** Adds a reason to those that are offered on cancellation. */
import type { ReasonCodeTerms } from '../billing/reason-code.ts'
import { nextIds } from '../store/ids.ts'
import { findLastPosition, reasonCodes } from '../store/reason-codes.ts'
import { type App, siteAndNow, write } from './app.ts'
import { refuseTaken } from './refuse-taken.ts'

/** Without a position it comes last. */
export type NewReasonCode = Omit<ReasonCodeTerms, 'position'> & { position: number | null }

/** Refuses a code that the site has already. */
export const createReasonCode = (app: App, siteId: number, terms: NewReasonCode): Promise<number> =>
  write(app, async (tx) => {
    const [{ now }, [newId]] = await Promise.all([siteAndNow(app, tx, siteId), nextIds(tx, 'reason_codes')])
    const id = newId!
    const position = terms.position ?? (await findLastPosition(tx, siteId)) + 1
    await reasonCodes.insert(tx, siteId, [{ ...terms, position, siteId, id, createdAt: now, updatedAt: now }])
    return id
  }).catch(refuseTaken)
