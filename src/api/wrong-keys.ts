/** Holds back who tries wrong API keys over and over, before the database is asked; keys that are right pass wherever they come from. */
import type { App } from '../actions/app.ts'
import { AttemptCounts, networkOf } from '../host/attempt-counts.ts'
import { listKeyHashes } from '../store/sites.ts'

const stretchMs = 60_000
/** A client that goes on with a key that was revoked or mistyped: others of its address are not affected. */
const ofOneKey = { most: 60, stretchMs }
const ofOneAddress = { most: 240, stretchMs }
const prefixLength = 6

/** How old the list of all keys may be that is looked into where too many were wrong. */
const listKeptMs = 1000

export class TooManyWrongKeys extends Error {
  readonly seconds: number
  constructor(seconds: number) {
    super('Too many wrong API keys.')
    this.seconds = seconds
  }
}

export class WrongKeys {
  readonly #app: Pick<App, 'db'>
  readonly #byKey = new AttemptCounts(ofOneKey)
  readonly #byAddress = new AttemptCounts(ofOneAddress)
  #list: { hashes: Promise<ReadonlySet<string>>; readAt: number } | undefined

  constructor(app: Pick<App, 'db'>) {
    this.#app = app
  }

  /** Rejects with `TooManyWrongKeys` a key that is wrong, where too many wrong ones came from. Behind a proxy that is everybody's address. */
  async refuse(remoteAddress: string, key: string, keyHash: string): Promise<void> {
    const now = performance.now()
    const address = networkOf(remoteAddress)
    const seconds = Math.max(
      this.#byKey.secondsToWait(subjectOf(address, key), now),
      this.#byAddress.secondsToWait(address, now),
    )
    if (seconds > 0 && !(await this.#hashes(now)).has(keyHash)) throw new TooManyWrongKeys(seconds)
  }

  count(remoteAddress: string, key: string): void {
    const now = performance.now()
    const address = networkOf(remoteAddress)
    this.#byKey.add(subjectOf(address, key), now)
    this.#byAddress.add(address, now)
  }

  /** One list at a time and at most one a second, however many keys are tried. */
  #hashes(now: number): Promise<ReadonlySet<string>> {
    if (this.#list !== undefined && now - this.#list.readAt < listKeptMs) return this.#list.hashes
    const hashes = listKeyHashes(this.#app.db).then((all) => new Set(all))
    const list = { hashes, readAt: now }
    this.#list = list
    hashes.catch(() => {
      if (this.#list === list) this.#list = undefined
    })
    return hashes
  }
}

const subjectOf = (address: string, key: string): string => `${address} ${key.slice(0, prefixLength)}`
