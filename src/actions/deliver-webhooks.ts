/** Sends webhooks, endpoint by endpoint: takes endpoints that nobody sends to, keeps a lane for each, and lets go of idle ones. */
import { Turns } from '../gateway/turns.ts'
import { claimEndpoints, listSitesToDeliverFor, releaseLeases, renewLeases } from '../store/webhook-endpoints.ts'
import { listSitesToNumber, numberWebhooks } from '../store/webhook-queue.ts'
import type { App } from './app.ts'
import { DeliveryRecorder } from './record-deliveries.ts'
import { type LaneContext, WebhookLane } from './webhook-lane.ts'

/** Numbered in one transaction. A site with more waits until the others had their turn. */
const numberMax = 2000

/** What one process sends at the same time, to all endpoints together, beside one to each of them. */
const sendingMax = 2048

/** A process that is silent for so long has lost its endpoints, though it may still hold its number. */
const leaseSeconds = 60

const idleMs = 5000

export class Deliveries {
  readonly #context: LaneContext
  readonly #lanes = new Map<string, WebhookLane>()

  constructor(app: App, chance: () => number = Math.random, sendMax = sendingMax) {
    this.#context = { app, recorder: new DeliveryRecorder(app), turns: new Turns(sendMax), chance }
  }

  /** Numbers what acts have written and takes endpoints that have something due. Gives how many webhooks were numbered. */
  async lookForWork(): Promise<number> {
    const { app } = this.#context
    let found = 0
    for (const siteId of await listSitesToNumber(app.db)) {
      found += await this.#orNone(siteId, () => this.#number(siteId))
    }
    for (const siteId of await listSitesToDeliverFor(app.db, app.clock.now())) {
      await this.#orNone(siteId, () => this.#claim(siteId))
    }
    return found
  }

  /** What goes wrong for one site keeps no other one waiting. */
  async #orNone(siteId: number, work: () => Promise<number>): Promise<number> {
    try {
      return await work()
    } catch (error) {
      this.#context.app.log.error({ err: error, siteId }, 'webhooks of a site could not be taken up')
      return 0
    }
  }

  async #number(siteId: number): Promise<number> {
    const { app } = this.#context
    const fresh = await numberWebhooks(app.db, siteId, { now: app.clock.now(), limit: numberMax })
    app.reach('webhooks: numbered')
    for (const { endpointId } of fresh) this.#lanes.get(nameOf(siteId, endpointId))?.poke()
    return fresh.reduce((sum, { count }) => sum + count, 0)
  }

  async #claim(siteId: number): Promise<number> {
    const { app } = this.#context
    const { asker } = app
    const now = app.clock.now()
    const lease = { asker, now, until: now.add({ seconds: leaseSeconds }) }
    const claimed = await claimEndpoints(app.db, siteId, lease)
    if (claimed.length > 0) app.reach('webhooks: claimed')
    for (const endpoint of claimed) {
      const name = nameOf(siteId, endpoint.id)
      const known = this.#lanes.get(name)
      if (known?.isStopped === false) known.resume(endpoint, asker)
      else {
        const lane = new WebhookLane(this.#context, endpoint, asker)
        this.#lanes.set(name, lane)
        lane.poke()
      }
    }
    return claimed.length
  }

  /** Lets every lane look for retries that have become due, and lets go of those without work. */
  async tend(): Promise<void> {
    for (const lane of this.#lanes.values()) lane.poke()
    await this.#release([...this.#lanes.values()].filter((lane) => lane.isIdleFor(lane.isStopped ? 0 : idleMs)))
  }

  /** Keeps what it holds. Endpoints that another process has taken meanwhile are left to that one. */
  async renew(): Promise<void> {
    const { app } = this.#context
    const { asker } = app
    const until = app.clock.now().add({ seconds: leaseSeconds })
    for (const { siteId, held, lanes } of groupsOf(this.#lanes.values())) {
      const ids = lanes.map(({ endpointId }) => endpointId)
      const kept = new Set(await renewLeases(app.db, siteId, ids, { held, asker, until }))
      for (const lane of lanes) {
        if (kept.has(lane.endpointId)) lane.held = asker
        else lane.stop()
      }
    }
  }

  /** Sends nothing new; resolves when what is under way was answered, or was given up in time, and is on record. */
  async stop(): Promise<void> {
    for (const lane of this.#lanes.values()) lane.stop()
    while (this.#lanes.size > 0) {
      await this.#context.recorder.drained()
      await this.#release([...this.#lanes.values()].filter((lane) => lane.isIdle))
      if (this.#lanes.size > 0) await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }

  async #release(idle: readonly WebhookLane[]): Promise<void> {
    const { db } = this.#context.app
    for (const lane of idle) {
      lane.stop()
      this.#lanes.delete(nameOf(lane.siteId, lane.endpointId))
    }
    for (const { siteId, held, lanes } of groupsOf(idle)) {
      await releaseLeases(
        db,
        siteId,
        lanes.map(({ endpointId }) => endpointId),
        held,
      )
    }
  }
}

const nameOf = (siteId: number, endpointId: number): string => `${siteId}/${endpointId}`

type Group = { siteId: number; held: number; lanes: WebhookLane[] }

function groupsOf(lanes: Iterable<WebhookLane>): Group[] {
  const groups = new Map<string, Group>()
  for (const lane of lanes) {
    const { siteId, held } = lane
    const name = `${siteId}/${held}`
    const group = groups.get(name) ?? { siteId, held, lanes: [] }
    group.lanes.push(lane)
    groups.set(name, group)
  }
  return [...groups.values()]
}
