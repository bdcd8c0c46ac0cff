/** Gives notice of what is coming: of renewals and ends of trials some days ahead, of cards that expire on certain days. */

import { addHours, isAtOrBefore, minOf } from '../billing/calendar.ts'
import {
  type CardMoment,
  cardsNoticedThrough,
  decideCardNotice,
  decideNotice,
  firstCardMoment,
  monthNumber,
  newestCardMoment,
  nextCardMoment,
  noticeDays,
  noticeDueAt,
} from '../billing/notice.ts'
import type { Connection } from '../store/database.ts'
import { listFacts } from '../store/facts.ts'
import {
  type CardRun,
  claimUnnoticed,
  findCardRun,
  findSoonestExpiry,
  findUnnoticed,
  listPaidByExpiring,
  lockCardRun,
  markNoticed,
  noticedStates,
  saveCardRun,
} from '../store/notices.ts'
import type { SiteRow } from '../store/sites.ts'
import { type App, siteAndNow } from './app.ts'
import type { Round } from './assess-due-subscriptions.ts'
import { commit } from './commit.ts'

/** Gives the number of periods that it worked on; 0 means that no notice is due that nobody else is giving. */
export const giveNoticesOfPeriods = (app: App, siteId: number, { dueBy, limit, asDue }: Round): Promise<number> =>
  app.db.transaction(async (tx) => {
    const { site, now } = await siteAndNow(app, tx, siteId)
    const days = noticeDays(site.notices)
    const claimed = await Promise.all(
      noticedStates(site.notices).map((state) =>
        claimUnnoticed(tx, siteId, state, { endsBy: addHours(dueBy ?? now, 24 * days[state]), limit }),
      ),
    )
    const ids = claimed.flat()
    if (ids.length === 0) return 0
    const facts = await listFacts(tx, site, ids)
    const changes = [...facts.values()].map((known) => decideNotice(known, asDue ? null : now))
    await markNoticed(tx, siteId, ids)
    await commit(app, tx, siteId, changes, facts)
    return ids.length
  })

/** One set of cards; 0 means that none is due. */
export const giveNoticesOfCards = (app: App, siteId: number, { dueBy, limit, asDue }: Round): Promise<number> =>
  app.db.transaction(async (tx) => {
    const { site, now, row } = await siteAndNow(app, tx, siteId)
    const by = dueBy ?? now
    const known = await findCardRun(tx, siteId)
    const ahead = await cardMomentAhead(tx, row, now, known)
    if (ahead === null || !isAtOrBefore(ahead.at, by)) return 0
    const run = await lockCardRun(tx, siteId, site.createdAt)
    // Somebody else went on with it meanwhile.
    if (known !== undefined && (!run.through.equals(known.through) || run.afterId !== known.afterId)) return 0
    const isNew = run.runningAt === null
    const moment = isNew && !asDue ? newestCardMoment(ahead, now, site.timeZone) : ahead
    const { afterId } = run
    const ids = await listPaidByExpiring(tx, siteId, { expiring: moment.expiring, afterId, limit })
    const facts = await listFacts(tx, site, ids)
    const changes = [...facts.values()].map((paid) => decideCardNotice(paid, asDue ? moment.at : now))
    await commit(app, tx, siteId, changes, facts)
    const isDone = ids.length < limit
    await saveCardRun(
      tx,
      siteId,
      isDone
        ? { through: moment.at, runningAt: null, afterId: 0 }
        : { through: run.through, runningAt: moment.at, afterId: ids.at(-1)! },
    )
    return Math.max(ids.length, 1)
  })

/** The moment of the run under way, or of the next one that has a card to notice; null when no card ever expires. */
async function cardMomentAhead(
  connection: Connection,
  { id, notices, timeZone, createdAt }: SiteRow,
  now: Temporal.Instant,
  run: CardRun | undefined,
): Promise<CardMoment | null> {
  if (!notices.expiringCards) return null
  if (run?.runningAt) {
    const { year, month } = run.runningAt.toZonedDateTimeISO(timeZone)
    return { at: run.runningAt, expiring: monthNumber({ year, month }) + 1 }
  }
  const next = nextCardMoment(cardsNoticedThrough(run?.through ?? createdAt, now), timeZone)
  const soonest = await findSoonestExpiry(connection, id, next.expiring)
  if (soonest === null) return null
  return soonest === next.expiring ? next : firstCardMoment(soonest, timeZone)
}

/** When the next notice of a site is due; null when none is in sight. */
export async function findNoticeAhead(
  app: App,
  site: SiteRow,
  now: Temporal.Instant,
): Promise<Temporal.Instant | null> {
  const [unnoticed, cards] = await Promise.all([
    findUnnoticed(app.db, site.id),
    findCardRun(app.db, site.id).then((run) => cardMomentAhead(app.db, site, now, run)),
  ])
  const days = noticeDays(site.notices)
  const [first, ...others] = noticedStates(site.notices)
    .map((state) => unnoticed[state] && noticeDueAt(unnoticed[state], days[state]))
    .concat(cards?.at ?? null)
    .filter((at) => at !== null)
  return first === undefined ? null : minOf(first, ...others)
}
