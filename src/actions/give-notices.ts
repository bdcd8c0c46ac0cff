/** Gives notice of what is coming: of renewals and ends of trials some days ahead, of cards that expire on certain days. */

import { addHours, isAtOrBefore, minOf } from '../billing/calendar.ts'
import {
  type CardMoment,
  cardsNoticedThrough,
  decideCardNotice,
  decideNotice,
  firstCardMoment,
  monthNumber,
  type NoticedState,
  newestCardMoment,
  nextCardMoment,
  noticeDays,
  noticeDueAt,
} from '../billing/notice.ts'
import { isOfOneRow } from '../host/database-trouble.ts'
import type { Connection, Transaction } from '../store/database.ts'
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

/** Of subscriptions in one state at a time, so that a set of one is one subscription. */
type OfState = Round & { state: NoticedState; skips?: boolean }

/** Gives the number of periods that it worked on; 0 means that no notice is due that nobody else is giving. */
export async function giveNoticesOfPeriods(app: App, siteId: number, round: Round): Promise<number> {
  const { site } = await siteAndNow(app, app.db, siteId)
  let done = 0
  for (const state of noticedStates(site.notices)) done += await giveNoticesOfState(app, siteId, { ...round, state })
  return done
}

/** Half of a set is tried where one of it undoes them all; one that fails by itself goes without its notice, and says so in the log. */
async function giveNoticesOfState(app: App, siteId: number, round: OfState): Promise<number> {
  const claimed: number[] = []
  try {
    return await app.db.transaction((tx) => giveInState(app, tx, siteId, round, claimed))
  } catch (error) {
    if (claimed.length === 0 || round.skips || !isOfOneRow(error)) throw error
    const isAlone = claimed.length === 1
    if (isAlone) logUngiven(app, siteId, claimed, error)
    const limit = Math.max(1, Math.floor(claimed.length / 2))
    return giveNoticesOfState(app, siteId, { ...round, limit, skips: isAlone })
  }
}

async function giveInState(
  app: App,
  tx: Transaction,
  siteId: number,
  { dueBy, limit, asDue, state, skips = false }: OfState,
  claimed: number[],
): Promise<number> {
  const { site, now } = await siteAndNow(app, tx, siteId)
  const endsBy = addHours(dueBy ?? now, 24 * noticeDays(site.notices)[state])
  // The transaction may be run again, with other claims.
  claimed.splice(0, claimed.length, ...(await claimUnnoticed(tx, siteId, state, { endsBy, limit })))
  if (claimed.length === 0) return 0
  await markNoticed(tx, siteId, claimed)
  if (skips) return claimed.length
  const facts = await listFacts(tx, site, claimed)
  const changes = [...facts.values()].map((known) => decideNotice(known, asDue ? null : now))
  await commit(app, tx, siteId, changes, facts)
  return claimed.length
}

const logUngiven = (app: App, siteId: number, [subscriptionId]: readonly number[], error: unknown): void =>
  app.log.error({ err: error, siteId, subscriptionId }, 'a notice of a subscription could not be given')

/** One set of cards, isolated as those of periods are; 0 means that none is due. */
export async function giveNoticesOfCards(
  app: App,
  siteId: number,
  round: Round & { skips?: boolean },
): Promise<number> {
  const ids: number[] = []
  try {
    return await app.db.transaction((tx) => giveOfCards(app, tx, siteId, round, ids))
  } catch (error) {
    if (ids.length === 0 || round.skips || !isOfOneRow(error)) throw error
    const isAlone = ids.length === 1
    if (isAlone) logUngiven(app, siteId, ids, error)
    const limit = Math.max(1, Math.floor(ids.length / 2))
    return giveNoticesOfCards(app, siteId, { ...round, limit, skips: isAlone })
  }
}

async function giveOfCards(
  app: App,
  tx: Transaction,
  siteId: number,
  { dueBy, limit, asDue, skips = false }: Round & { skips?: boolean },
  ids: number[],
): Promise<number> {
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
  const paid = await listPaidByExpiring(tx, siteId, { expiring: moment.expiring, afterId, limit })
  ids.splice(0, ids.length, ...paid)
  if (!skips) {
    const facts = await listFacts(tx, site, ids)
    const changes = [...facts.values()].map((one) => decideCardNotice(one, asDue ? moment.at : now))
    await commit(app, tx, siteId, changes, facts)
  }
  const isDone = ids.length < limit
  await saveCardRun(
    tx,
    siteId,
    isDone
      ? { through: moment.at, runningAt: null, afterId: 0 }
      : { through: run.through, runningAt: moment.at, afterId: ids.at(-1)! },
  )
  return Math.max(ids.length, 1)
}

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
