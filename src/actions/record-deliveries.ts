/** Writes down what became of webhooks, many at a time, while others are being sent. */
import type { EndpointHealth } from '../billing/endpoint-health.ts'
import type { SiteEvent } from '../billing/event.ts'
import { siteNow } from '../billing/site-clock.ts'
import type { Connection } from '../store/database.ts'
import { findSite } from '../store/sites.ts'
import { updateHealth } from '../store/webhook-endpoints.ts'
import { type Attempted, catchUp, recordAttempts } from '../store/webhook-queue.ts'
import type { App } from './app.ts'
import { tellEvents } from './tell-webhooks.ts'

/** Its moments are by the wall clock. */
export type Result = Attempted

/** How an endpoint stands after its last attempts, and what of it the merchant must be told. */
export type HealthChange = {
  health: EndpointHealth
  cameBack: boolean
  news: readonly ((at: Temporal.Instant) => SiteEvent)[]
}

/** Whose results they are: asked for changes of health at the moment of writing, told when its results are written. */
export type Reporter = {
  readonly endpointId: number
  takeHealthChange(): HealthChange | undefined
  recorded(ids: readonly number[]): void
}

type Pending = { reporter: Reporter; result: Result }

const batchMax = 1000
const retryMs = 500
/** A process that stops does not wait for its database for ever: what is not on record is sent again by the next one. */
const lastTriesMax = 10

export class DeliveryRecorder {
  readonly #app: App
  readonly #pending = new Map<number, Pending[]>()
  readonly #writing = new Map<number, Promise<void>>()
  #isStopping = false

  constructor(app: App) {
    this.#app = app
  }

  add(siteId: number, reporter: Reporter, result: Result): void {
    const waiting = this.#pending.get(siteId)
    if (waiting === undefined) this.#pending.set(siteId, [{ reporter, result }])
    else waiting.push({ reporter, result })
    if (!this.#writing.has(siteId)) this.#writing.set(siteId, this.#write(siteId))
  }

  /** Resolves when everything is written that was added until now, or could not be written in some seconds. */
  async drained(): Promise<void> {
    this.#isStopping = true
    await Promise.all(this.#writing.values())
  }

  async #write(siteId: number): Promise<void> {
    // What is answered in the same turn is written together.
    await new Promise(setImmediate)
    for (;;) {
      const waiting = this.#pending.get(siteId) ?? []
      if (waiting.length === 0) break
      const batch = waiting.splice(0, batchMax)
      await this.#writeBatch(siteId, batch)
    }
    this.#pending.delete(siteId)
    this.#writing.delete(siteId)
  }

  /** Tried until the database takes it: a webhook that stays unrecorded is sent again. */
  async #writeBatch(siteId: number, batch: readonly Pending[]): Promise<void> {
    const reporters = new Set(batch.map(({ reporter }) => reporter))
    const changes = [...reporters].flatMap((reporter) => {
      const change = reporter.takeHealthChange()
      return change === undefined ? [] : [{ endpointId: reporter.endpointId, ...change }]
    })
    // Endpoints are locked in the order of their ids, so that nobody who changes several waits for ever.
    changes.sort((one, other) => one.endpointId - other.endpointId)
    const results = batch.map(({ result }) => result)
    for (let lastTries = 0; lastTries < lastTriesMax; lastTries += Number(this.#isStopping)) {
      try {
        await record(this.#app, siteId, results, changes)
        break
      } catch (error) {
        this.#app.log.error({ err: error, siteId }, 'deliveries could not be recorded')
        await new Promise((resolve) => setTimeout(resolve, retryMs))
      }
    }
    this.#app.reach('webhooks: recorded')
    for (const reporter of reporters) {
      reporter.recorded(batch.filter((one) => one.reporter === reporter).map(({ result }) => result.id))
    }
  }
}

type Change = HealthChange & { endpointId: number }

async function record(app: App, siteId: number, results: readonly Result[], changes: readonly Change[]): Promise<void> {
  const site = await findSite(app.db, siteId)
  if (site === undefined) return
  const wall = app.clock.now()
  const moment = (at: Temporal.Instant): Temporal.Instant => siteNow(site.clock, at)
  const write = async (connection: Connection): Promise<void> => {
    await recordAttempts(
      connection,
      siteId,
      results.map((result) => ({ ...result, sentAt: moment(result.sentAt), answeredAt: moment(result.answeredAt) })),
    )
  }
  if (changes.length === 0) return write(app.db)
  await app.db.transaction(async (tx) => {
    await write(tx)
    for (const { endpointId, health, cameBack, news } of changes) {
      await updateHealth(tx, siteId, endpointId, health)
      if (cameBack) await catchUp(tx, siteId, endpointId, wall)
      if (news.length === 0) continue
      const events = news.map((told) => told(moment(wall)))
      await tellEvents(tx, siteId, events, wall)
    }
  })
}
