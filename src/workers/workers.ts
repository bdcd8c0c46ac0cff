/** The loops of a service: due subscriptions, unfinished payments, abandoned clocks, webhooks, and what may be forgotten. */
import { finishAbandonedAdvances } from '../actions/advance-clock.ts'
import type { App } from '../actions/app.ts'
import { assessDueSubscriptions } from '../actions/assess-due-subscriptions.ts'
import { forgetExpired } from '../actions/forget-expired.ts'
import { forgettingWebhooks } from '../actions/forget-webhooks.ts'
import { giveNoticesOfCards, giveNoticesOfPeriods } from '../actions/give-notices.ts'
import { recoverPaymentsOf } from '../actions/recover-payments.ts'
import { type PostOffice, sendLettersOf } from '../actions/send-letters.ts'
import { listSitesWithDueLetters } from '../store/letters.ts'
import { listSitesWithDueNotices } from '../store/notices.ts'
import { listSitesWithOpenAttempts } from '../store/payment-calls.ts'
import { listSites, listSitesWithDueWork } from '../store/sites.ts'
import { startDeliveries } from './deliveries.ts'
import { startLoop } from './loop.ts'
import { SiteRounds } from './site-rounds.ts'

/** A set small enough that a site waits its turn for a moment only, large enough that a round trip costs next to nothing each. */
const setSize = 500

/** Sets that one process decides at the same time: while one waits for the database, another one is decided. */
export const lanes = 2

/** Sets of one site that are under way at once. With two a slow gateway always has as much to do as it bears. */
const setsPerSite = 2

/** Sites whose open payments are looked into at the same time: each may wait for a gateway that hangs. */
const recoveriesMax = 64

/** Sites whose letters are sent at the same time. */
const lettersMax = 8

const everyMs = 1000
/** Cards are noticed on certain days only. */
const cardsEveryMs = 600_000
const forgetEveryMs = 3_600_000

export function startWorkers(app: App, office: PostOffice, webhookKeepDays: number): { stop(): Promise<void> } {
  const pace = { everyMs, app }
  const deliveries = startDeliveries(app)
  const assessments = assessmentsOf(app)
  const recoveries = recoveriesOf(app)
  const letters = lettersOf(app, office)
  const loops = [
    startLoop('assessments', pace, () => assessments.begin()),
    startLoop('payment recovery', pace, () => recoveries.begin()),
    startLoop('notices', pace, () => giveNoticesInTurn(app)),
    startLoop('card notices', { ...pace, everyMs: cardsEveryMs }, () => giveCardNoticesInTurn(app)),
    startLoop('letters', pace, () => letters.begin()),
    startLoop('abandoned clocks', pace, async () => {
      await finishAbandonedAdvances(app)
      return 0
    }),
    startLoop('forgetting', { ...pace, everyMs: forgetEveryMs }, async () => {
      await forgetExpired(app)
      return 0
    }),
    startLoop('forgetting webhooks', { ...pace, everyMs: forgetEveryMs }, forgettingWebhooks(app, webhookKeepDays)),
  ]
  return {
    stop: async () => {
      await Promise.all([...loops.map((loop) => loop.stop()), deliveries.stop()])
      await Promise.all([assessments.settled(), recoveries.settled(), letters.settled()])
    },
  }
}

/** One set for each site that has work due, site after site: a busy site never delays the others by more than a set each. */
export const assessmentsOf = (app: App, deciding = lanes): SiteRounds =>
  new SiteRounds(app, {
    name: 'assessments',
    list: async () => (await listSitesWithDueWork(app.db, app.clock.now())).map(({ id }) => id),
    work: (siteId, decided) => assessDueSubscriptions(app, siteId, { limit: setSize, asDue: false, decided }),
    deciding,
    perSite: setsPerSite,
  })

const recoveriesOf = (app: App): SiteRounds =>
  new SiteRounds(app, {
    name: 'payment recovery',
    list: () => listSitesWithOpenAttempts(app.db),
    work: (siteId) => recoverPaymentsOf(app, siteId),
    deciding: recoveriesMax,
    perSite: 1,
  })

const lettersOf = (app: App, office: PostOffice): SiteRounds =>
  new SiteRounds(app, {
    name: 'letters',
    list: () => listSitesWithDueLetters(app.db, app.clock.now()),
    work: (siteId) => sendLettersOf(app, office, siteId),
    deciding: lettersMax,
    perSite: 1,
  })

/** One set for each site in turn. */
async function giveNoticesInTurn(app: App): Promise<number> {
  const sites = await listSitesWithDueNotices(app.db, app.clock.now())
  return giveInTurn(app, sites, giveNoticesOfPeriods)
}

async function giveCardNoticesInTurn(app: App): Promise<number> {
  const sites = (await listSites(app.db)).filter(({ clock }) => clock.advancingTo === null)
  return giveInTurn(
    app,
    sites.map(({ id }) => id),
    giveNoticesOfCards,
  )
}

async function giveInTurn(app: App, siteIds: readonly number[], give: typeof giveNoticesOfCards): Promise<number> {
  let done = 0
  for (const siteId of siteIds) {
    done += await give(app, siteId, { limit: setSize, asDue: false }).catch((error: unknown) => {
      app.log.error({ err: error, siteId }, 'notices of a site could not be given')
      return 0
    })
  }
  return done
}
