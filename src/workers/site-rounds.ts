/** Works for all sites at once, one set of one site at a time: a site that waits for its gateway occupies nobody but itself. */
import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../actions/app.ts'

export type SiteWork = {
  /** Names it in the log. */
  name: string
  /** Sites that may have something to do. */
  list(): Promise<number[]>
  /** Does one set and gives how much that was. `decided` is called when it waits for nothing but the world outside from then on. */
  work(siteId: number, decided: () => void): Promise<number>
  /** Sets that may be decided at once. */
  deciding: number
  /** Sets of one site that may be under way at once: while a gateway is asked for one, the next is decided. */
  perSite: number
}

/** Sets that may be under way at once, of all sites: so many may wait for their gateways. */
const underWayMax = 256

/** How long a site is left alone on which a set found nothing to do, because others have it, or failed. */
const restMs = 1000

type Site = { underWay: number; deciding: number; restsUntilMs: number }

export class SiteRounds {
  readonly #app: Pick<App, 'log'>
  readonly #work: SiteWork
  readonly #sites = new Map<number, Site>()
  readonly #underWay = new Set<Promise<void>>()
  #deciding = 0
  #lastId = 0
  #done = 0
  #changed = Promise.withResolvers<void>()

  constructor(app: Pick<App, 'log'>, work: SiteWork) {
    this.#app = app
    this.#work = work
  }

  /** Begins a set for each site that has something to do, in turn. Gives 0 when there is nothing to begin just now. */
  async begin(): Promise<number> {
    const ids = await this.#work.list()
    let begun = 0
    // Goes on behind the site that was last: with many sites, the first ones are not served more often.
    for (const id of [...ids.filter((one) => one > this.#lastId), ...ids.filter((one) => one <= this.#lastId)]) {
      while (this.#deciding >= this.#work.deciding) await this.#changed.promise
      if (this.#underWay.size >= underWayMax) break
      if (!this.#mayBegin(id)) continue
      this.#begin(id)
      this.#lastId = id
      begun += 1
    }
    if (begun > 0 || this.#underWay.size === 0) return begun
    return this.#somethingIsOver()
  }

  /** Works until nothing is left to begin and nothing is under way; gives how much was done. */
  async untilNothingIsLeft(): Promise<number> {
    const before = this.#done
    while ((await this.begin()) > 0 || this.#underWay.size > 0);
    return this.#done - before
  }

  /** Waits for what is under way, which may take as long as a gateway does. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay)
  }

  async #somethingIsOver(): Promise<number> {
    const timer = new AbortController()
    const late = pause(restMs, 0, { signal: timer.signal }).catch(() => 0)
    const over = this.#changed.promise.then(() => 1)
    return Promise.race([over, late]).finally(() => timer.abort())
  }

  #mayBegin(id: number): boolean {
    const site = this.#sites.get(id)
    return site === undefined || (site.underWay < this.#work.perSite && performance.now() >= site.restsUntilMs)
  }

  #begin(id: number): void {
    const site = this.#sites.get(id) ?? { underWay: 0, deciding: 0, restsUntilMs: 0 }
    this.#sites.set(id, site)
    site.underWay += 1
    site.deciding += 1
    this.#deciding += 1
    let isDeciding = true
    const decided = (): void => {
      if (!isDeciding) return
      isDeciding = false
      site.deciding -= 1
      this.#deciding -= 1
      // What this set held is on record: the site may have more.
      site.restsUntilMs = 0
      this.#change()
    }
    const over = this.#run(id, decided).then((done) => {
      decided()
      this.#done += done
      if (done === 0) site.restsUntilMs = performance.now() + restMs
      site.underWay -= 1
      if (site.underWay === 0 && done > 0) this.#sites.delete(id)
      this.#underWay.delete(over)
      this.#change()
    })
    this.#underWay.add(over)
  }

  async #run(siteId: number, decided: () => void): Promise<number> {
    try {
      return await this.#work.work(siteId, decided)
    } catch (error) {
      this.#app.log.error({ err: error, siteId, worker: this.#work.name }, 'the work of a site failed')
      return 0
    }
  }

  #change(): void {
    const { resolve } = this.#changed
    this.#changed = Promise.withResolvers<void>()
    resolve()
  }
}
