/** Moves a test site's clock forward and does everything that falls due on the way, in time order, at its own moment. */
import { setTimeout as pause } from 'node:timers/promises'
import { addHours, isAtOrBefore, minOf, secondsBetween } from '../billing/calendar.ts'
import { invalid, Refusal } from '../billing/refusal.ts'
import { siteNow } from '../billing/site-clock.ts'
import { listLivingAskers } from '../store/askers.ts'
import { listAdvancingSites, lockSite, updateSiteClock } from '../store/sites.ts'
import { findNextDueAt } from '../store/subscriptions.ts'
import { type App, siteAndNow } from './app.ts'
import { assessDueSubscriptions } from './assess-due-subscriptions.ts'
import { recoverPayments } from './recover-payments.ts'

/** Work within one window goes out in sets; nothing that we schedule follows itself in less time than this. */
const windowHours = 1

const setSize = 500

const contendedPauseMs = 5

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
}

/**
 * Goes on with a move that is on record until it is done. A crash or an error on the way loses nothing: the move is left to
 * whoever looks for abandoned ones.
 */
export async function finishAdvance(app: App, siteId: number): Promise<void> {
  const { row } = await siteAndNow(app, app.db, siteId)
  const { setTo, advancingTo: target } = row.clock
  if (target === null) return
  const show = (at: Temporal.Instant | null, movedBy: number | null): Promise<number> =>
    updateSiteClock(app.db, siteId, { setTo: at, setAt: app.clock.now(), advancingTo: target, movedBy })
  let shown = setTo
  try {
    for (;;) {
      const dueBy = await nextWindow(app, siteId, target)
      if (dueBy === undefined) break
      if (shown === null || secondsBetween(shown, dueBy) >= shownEverySeconds) {
        await show(dueBy, app.asker)
        shown = dueBy
      }
      await assessWindow(app, siteId, dueBy)
    }
  } catch (error) {
    await show(shown, null)
    throw error
  }
  await updateSiteClock(app.db, siteId, { setTo: target, setAt: app.clock.now(), advancingTo: null, movedBy: null })
}

/** Up to when to work next; undefined when nothing is due on the rest of the way. */
async function nextWindow(app: App, siteId: number, target: Temporal.Instant): Promise<Temporal.Instant | undefined> {
  const dueAt = await findNextDueAt(app.db, siteId)
  if (dueAt !== undefined && isAtOrBefore(dueAt, target)) return minOf(target, addHours(dueAt, windowHours))
  // An outcome that stays unknown holds back its own subscription only; it is assessed when the gateway knows.
  return (await recoverPayments(app)) > 0 ? nextWindow(app, siteId, target) : undefined
}

async function assessWindow(app: App, siteId: number, dueBy: Temporal.Instant): Promise<void> {
  const round = { dueBy, limit: setSize, asDue: true }
  let done = await assessDueSubscriptions(app, siteId, round)
  // What is due and cannot be claimed is in somebody else's hands for a moment.
  if (done === 0) await pause(contendedPauseMs)
  while (done === setSize) done = await assessDueSubscriptions(app, siteId, round)
}

/** Finishes the moves of processes that are gone. */
export async function finishAbandonedAdvances(app: App): Promise<void> {
  const advancing = await listAdvancingSites(app.db)
  if (advancing.length === 0) return
  const living = new Set(await listLivingAskers(app.db))
  for (const site of advancing) {
    if (site.clock.movedBy !== null && living.has(site.clock.movedBy)) continue
    await updateSiteClock(app.db, site.id, { ...site.clock, movedBy: app.asker })
    await finishAdvance(app, site.id)
  }
}
