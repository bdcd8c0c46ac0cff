/** Where stories happen: one database with the test gateway, and a site for each story whose clock moves only when the story says so. */
import type pg from 'pg'
import { beginAdvance, finishAdvance } from '../../src/actions/advance-clock.ts'
import type { App } from '../../src/actions/app.ts'
import { assessDueSubscriptions } from '../../src/actions/assess-due-subscriptions.ts'
import { createProduct } from '../../src/actions/create-product.ts'
import { createProductFamily } from '../../src/actions/create-product-family.ts'
import { createSite } from '../../src/actions/create-site.ts'
import { isBefore } from '../../src/billing/calendar.ts'
import { plainProduct } from '../../src/billing/catalog.ts'
import { stoppedClock } from '../../src/host/clock.ts'
import { registerAsker } from '../../src/store/askers.ts'
import { openDatabase } from '../../src/store/database.ts'
import { findSite, updateSiteClock, updateSiteSettings } from '../../src/store/sites.ts'
import { appOn } from './app-on.ts'
import type { Story, StoryProduct } from './story.ts'
import { createStoryComponent } from './story-components.ts'
import { makeCouponsAndTaxes } from './story-coupons.ts'
import { StoryGateway } from './story-gateway.ts'

/** Stories are of money; what is announced ahead has tests of its own. */
const noNotices = { renewalDays: 0, trialDays: 0, expiringCards: false }

export type World = { app: App; gateway: StoryGateway; sites: number; close(): Promise<void> }

/** The wall clock stands still: a story's only time is its site's. */
export async function openWorld(connection: pg.PoolConfig): Promise<World> {
  const db = openDatabase(connection, { size: 8 })
  const asker = await registerAsker(db)
  const clock = stoppedClock('2020-01-01T00:00:00Z')
  const gateway = new StoryGateway(connection, clock)
  const app = appOn(db, [gateway], { clock, asker: asker.id })
  const close = async (): Promise<void> => {
    asker.release()
    await gateway.close()
    await db.close()
  }
  return { app, gateway, sites: 0, close }
}

/** A site with the story's settings and products, at the moment of its first act. */
export async function openSite(world: World, story: Story): Promise<number> {
  const { app } = world
  const { timeZone, currency, country, dunning, products, components, acts } = story
  world.sites += 1
  const subdomain = `story-${world.sites}`
  const { siteId } = await createSite(app, { subdomain, live: false, timeZone, currency, apiKey: undefined })
  const site = await findSite(app.db, siteId)
  await updateSiteSettings(app.db, siteId, { ...site!, country, dunning, notices: noNotices })
  await setClock(app, siteId, acts[0]!.at)
  const family = { name: 'Stories', handle: null, description: null, accountingCode: null }
  const familyId = await createProductFamily(app, siteId, family)
  for (const product of products) await createProduct(app, siteId, familyId, detailsOf(product))
  for (const component of components) await createStoryComponent(app, siteId, familyId, component)
  await makeCouponsAndTaxes(app, siteId, familyId, story)
  return siteId
}

/** The test's shortcut: nothing is done on the way. */
export const setClock = (app: App, siteId: number, at: Temporal.Instant): Promise<unknown> =>
  updateSiteClock(app.db, siteId, { setTo: at, setAt: app.clock.now(), advancingTo: null, movedBy: null })

/** As `PUT /test_clock` moves it: everything due on the way is done. */
export async function moveClock(app: App, siteId: number, to: Temporal.Instant): Promise<void> {
  await beginAdvance(app, siteId, to)
  await finishAdvance(app, siteId)
}

/** As the workers do it: whatever is due by now, dated now. Gives how many subscriptions were worked on. */
export async function workUntilDone(app: App, siteId: number): Promise<number> {
  let worked = 0
  for (;;) {
    const done = await assessDueSubscriptions(app, siteId, { limit: 500, asDue: false })
    if (done === 0) return worked
    worked += done
  }
}

/** Stops on the way that lie strictly between two moments, in their order. */
export const stopsBetween = (
  stops: readonly Temporal.Instant[],
  from: Temporal.Instant,
  to: Temporal.Instant,
): Temporal.Instant[] =>
  stops
    .filter((stop) => isBefore(from, stop) && isBefore(stop, to))
    .toSorted((left, right) => Temporal.Instant.compare(left, right))

const detailsOf = ({ handle, cardOptional, ...terms }: StoryProduct) => ({
  ...plainProduct,
  ...terms,
  handle,
  name: handle.charAt(0).toUpperCase() + handle.slice(1),
  requireCreditCard: !cardOptional,
})
