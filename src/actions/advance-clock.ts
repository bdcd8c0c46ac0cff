/** Moves a test site's clock forward and does everything that falls due on the way, in time order, at its own moment. */
import { setTimeout as pause } from 'node:timers/promises'
import { addHours, isAtOrBefore, minOf, secondsBetween } from '../billing/calendar.ts'
import { invalid, Refusal } from '../billing/refusal.ts'
import { type SiteClock, siteNow } from '../billing/site-clock.ts'
import { listLivingAskers } from '../store/askers.ts'
import { listAdvancingSites, lockSite, showSiteClock, takeOverSiteClock, updateSiteClock } from '../store/sites.ts'
import { findWorkAhead } from '../store/subscriptions.ts'
import { type App, siteAndNow } from './app.ts'
import { assessDueSubscriptions } from './assess-due-subscriptions.ts'
import { findNoticeAhead, giveNoticesOfCards, giveNoticesOfPeriods } from './give-notices.ts'
import { recoverPaymentsOf } from './recover-payments.ts'

/** Work within one window goes out in sets; nothing that we schedule follows itself in less time than this. */
const windowHours = 1

const setSize = 500

/** Between two looks at work that others are doing. */
const pauseMs = 5

/** How far the clock runs ahead of what it shows while it is on its way. */
const shownEverySeconds = 24 * 3600

/** Puts the move on record. Refuses live sites, moves backwards, and a second move while one is under way. */
export async function beginAdvance(app: App, siteId: number, target: Temporal.Instant): Promise<void> {
  await app.db.transaction(async (tx) => {
    const site = await lockSite(tx, siteId)
    if (site === undefined || site.live) throw invalid('Test clock: the clock of a live site cannot be moved.')
    const wall = app.clock.now()
    const now = siteNow(site.clock, wall)
    if (site.clock.advancingTo !== null)
      throw new Refusal('conflict', ['Test clock: the clock is being moved already.'])
    if (!isAtOrBefore(now, target)) throw invalid('Test clock: cannot be moved backwards.')
    await updateSiteClock(tx, siteId, { setTo: now, setAt: wall, advancingTo: target, movedBy: app.asker })
  })
  app.reach('clock: move on record')
}

/**
 * Goes on with this process's move until it has arrived. A crash or an error on the way loses nothing: the move is left to
 * whoever looks for abandoned ones.
 */
export async function finishAdvance(app: App, siteId: number): Promise<void> {
  const mover = app.asker
  try {
    await advance(app, siteId, mover)
  } catch (error) {
    // Nobody would take it from a process that is alive. Without the database this fails too; then the process counts as gone.
    await takeOverSiteClock(app.db, siteId, mover, null).catch(() => {})
    throw error
  }
}

async function advance(app: App, siteId: number, mover: number): Promise<void> {
  const { row } = await siteAndNow(app, app.db, siteId)
  const target = row.clock.advancingTo
  if (target === null || row.clock.movedBy !== mover) return
  const show = (setTo: Temporal.Instant, rest: Pick<SiteClock, 'advancingTo' | 'movedBy'>): Promise<boolean> =>
    showSiteClock(app.db, siteId, mover, { setTo, setAt: app.clock.now(), ...rest })
  let shown = row.clock.setTo
  for (;;) {
    const [work, noticeAt] = await Promise.all([
      findWorkAhead(app.db, siteId),
      findNoticeAhead(app, row, shown ?? row.createdAt),
    ])
    const { isCollecting } = work
    const dueAt = earlierOf(work.dueAt, noticeAt)
    if (dueAt === null || !isAtOrBefore(dueAt, target)) {
      const recovered = await recoverPaymentsOf(app, siteId)
      // Waits for payments that others ask for, so that what they make due is not dated later. An outcome that stays unknown
      // holds back its own subscription only; that is assessed when the gateway knows.
      if (recovered === 0 && !isCollecting) break
      if (recovered === 0) await pause(pauseMs)
      continue
    }
    const dueBy = minOf(target, addHours(dueAt, windowHours))
    if (shown === null || secondsBetween(shown, dueBy) >= shownEverySeconds) {
      if (!(await show(dueBy, { advancingTo: target, movedBy: mover }))) return
      app.reach('clock: on its way')
      shown = dueBy
    }
    if (noticeAt !== null && isAtOrBefore(noticeAt, dueBy)) {
      const round = { dueBy, limit: setSize, asDue: true }
      await giveNoticesOfPeriods(app, siteId, round)
      await giveNoticesOfCards(app, siteId, round)
    }
    if (work.dueAt !== null && isAtOrBefore(work.dueAt, dueBy)) await assessWindow(app, siteId, dueBy)
  }
  app.reach('clock: nothing left')
  await show(target, { advancingTo: null, movedBy: null })
  app.reach('clock: arrived')
}

const earlierOf = (left: Temporal.Instant | null, right: Temporal.Instant | null): Temporal.Instant | null =>
  left === null || right === null ? (left ?? right) : minOf(left, right)

/** Everything that is due by then. What another process holds is left to it and waited for. */
async function assessWindow(app: App, siteId: number, dueBy: Temporal.Instant): Promise<void> {
  let done: number
  do {
    done = await assessDueSubscriptions(app, siteId, { dueBy, limit: setSize, asDue: true })
    if (done > 0) app.reach('clock: set done')
  } while (done === setSize)
  if (done === 0) await pause(pauseMs)
}

/** Finishes the moves of processes that are gone. What goes wrong with one is logged and never keeps the others waiting. */
export async function finishAbandonedAdvances(app: App): Promise<void> {
  const advancing = await listAdvancingSites(app.db)
  if (advancing.length === 0) return
  const living = new Set(await listLivingAskers(app.db))
  for (const { id, clock } of advancing) {
    if (clock.movedBy !== null && living.has(clock.movedBy)) continue
    if (!(await takeOverSiteClock(app.db, id, clock.movedBy, app.asker))) continue
    app.reach('clock: taken over')
    await finishAdvance(app, id).catch((error: unknown) => {
      app.log.error({ err: error, siteId: id }, 'the clock of a site could not be moved on')
    })
  }
}
