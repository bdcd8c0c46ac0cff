/** Sends the webhooks of one endpoint, several at a time, and slows down when they are not accepted; the lanes know nothing of one another. */
import { afterFailure, type EndpointHealth, healthy, isSlowed } from '../billing/endpoint-health.ts'
import type { WebhookEndpoint } from '../billing/webhook.ts'
import { endpointFailing, endpointRecovered } from '../billing/webhook-event.ts'
import { errorOfTry, nextAttempt, readRetryAfter } from '../billing/webhook-retry.ts'
import type { Letter, Receipt } from '../delivery/courier.ts'
import { signatureHeaders, signedUrl } from '../delivery/signatures.ts'
import type { Turns } from '../gateway/turns.ts'
import { findSite } from '../store/sites.ts'
import { findLeasedEndpoint } from '../store/webhook-endpoints.ts'
import { type DueWebhook, listDueWebhooks } from '../store/webhook-queue.ts'
import type { App } from './app.ts'
import type { DeliveryRecorder, HealthChange, Reporter, Result } from './record-deliveries.ts'

/** How many are sent to one endpoint at the same time: a few at first, one more for each that is accepted, half for each that is not. */
const widthAtFirst = 4
const widthMax = 32

/** What is being sent or recorded; reading waits while there is more. */
const busyMax = 1000
const readMin = 32

type Keys = { sharedKey: string; secret: string; previousSecret: string | null }

export type LaneContext = {
  app: App
  recorder: DeliveryRecorder
  /** Bounds what one process sends at the same time, beside one to each endpoint. */
  turns: Turns
  chance: () => number
}

export class WebhookLane implements Reporter {
  readonly siteId: number
  readonly endpointId: number
  /** The number under which this process holds the endpoint. */
  held: number
  readonly #context: LaneContext
  #endpoint: WebhookEndpoint
  #keys: Keys | undefined
  #health: EndpointHealth
  #isHealthChanged = false
  #cameBack = false
  #news: HealthChange['news'][number][] = []
  #queue: DueWebhook[] = []
  readonly #busy = new Set<number>()
  #underWay = 0
  #width = widthAtFirst
  #isReading = false
  #mayHaveMore = true
  #isStopped = false
  #idleSinceMs: number | undefined

  constructor(context: LaneContext, endpoint: WebhookEndpoint, held: number) {
    this.#context = context
    this.siteId = endpoint.siteId
    this.endpointId = endpoint.id
    this.held = held
    this.#endpoint = endpoint
    this.#health = endpoint
  }

  /** There may be something new to send. */
  poke(): void {
    this.#mayHaveMore = true
    this.#pump()
  }

  /** The lease ran out, as it does while a machine sleeps, and is ours again: what is under way goes on, the rest is read anew. */
  resume(endpoint: WebhookEndpoint, held: number): void {
    this.held = held
    this.#endpoint = endpoint
    this.#queue = []
    this.poke()
  }

  /** Begins nothing more; what is under way is finished and recorded. */
  stop(): void {
    this.#isStopped = true
    this.#queue = []
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  /** Nothing is being read, sent or recorded. */
  get isIdle(): boolean {
    return !this.#isReading && this.#underWay === 0 && this.#busy.size === 0 && this.#queue.length === 0
  }

  /** Whether it has had nothing to do for so long, or may do nothing for now. */
  isIdleFor(ms: number): boolean {
    if (!this.isIdle) return false
    if (isSlowed(this.#health)) return true
    return this.#idleSinceMs !== undefined && performance.now() - this.#idleSinceMs >= ms
  }

  takeHealthChange(): HealthChange | undefined {
    if (!this.#isHealthChanged) return undefined
    const change = { health: this.#health, cameBack: this.#cameBack, news: this.#news }
    this.#isHealthChanged = false
    this.#cameBack = false
    this.#news = []
    return change
  }

  recorded(ids: readonly number[]): void {
    for (const id of ids) this.#busy.delete(id)
    // What waited for one of these, or was put off until the endpoint is back, may be due now.
    if (this.#endpoint.ordered) this.#mayHaveMore = true
    this.#pump()
  }

  #pump(): void {
    const width = isSlowed(this.#health) ? 1 : this.#width
    while (this.#underWay < width && !this.#mustWait()) {
      const next = this.#queue[0]
      if (next === undefined || !this.#begin(next)) break
      this.#queue.shift()
    }
    const wantsMore = this.#mayHaveMore && this.#queue.length < width && this.#busy.size < busyMax
    if (wantsMore && !this.#isReading && !this.#mustWait()) void this.#read()
    this.#idleSinceMs = this.isIdle ? (this.#idleSinceMs ?? performance.now()) : undefined
  }

  #mustWait(): boolean {
    const { slowedUntil } = this.#health
    if (this.#isStopped) return true
    return slowedUntil !== null && Temporal.Instant.compare(this.#context.app.clock.now(), slowedUntil) < 0
  }

  async #read(): Promise<void> {
    const { app } = this.#context
    this.#isReading = true
    this.#mayHaveMore = false
    try {
      const limit = isSlowed(this.#health) ? 1 : Math.max(readMin, 4 * this.#width)
      const busy = [...this.#busy, ...this.#queue.map(({ id }) => id)]
      const found = await listDueWebhooks(app.db, this.#endpoint, { now: app.clock.now(), busy, limit })
      // Read after the webhooks: what was changed before one of them was written holds for it.
      if (found.length > 0) await this.#refresh()
      if (!this.#isStopped) this.#queue.push(...found)
      if (found.length === limit) this.#mayHaveMore = true
    } catch (error) {
      app.log.error({ err: error, siteId: this.siteId, endpoint: this.endpointId }, 'webhooks could not be read')
    }
    this.#isReading = false
    this.#pump()
  }

  async #refresh(): Promise<void> {
    const { app } = this.#context
    const [endpoint, site] = await Promise.all([
      findLeasedEndpoint(app.db, this.siteId, this.endpointId, this.held),
      findSite(app.db, this.siteId),
    ])
    if (endpoint === undefined || site === undefined) return this.stop()
    if (endpoint.url !== this.#endpoint.url) this.#health = endpoint
    this.#endpoint = endpoint
    this.#keys = {
      sharedKey: app.seals.open(site.sealedSharedKey),
      secret: app.seals.open(endpoint.sealedSecret),
      previousSecret: endpoint.sealedPreviousSecret && app.seals.open(endpoint.sealedPreviousSecret),
    }
  }

  /**
   * The only one of its endpoint is sent whatever others are sent, so that however many endpoints hang, none waits for them. A further
   * one needs a turn: false when there is none, and those under way look again as they end.
   */
  #begin(webhook: DueWebhook): boolean {
    const { app, turns } = this.#context
    const sent = { url: '', sentAt: app.clock.now() }
    const post = (): Promise<Receipt> => {
      const letter = this.#letterOf(webhook, sent.sentAt)
      sent.url = letter.url
      return app.courier.post(letter)
    }
    const receipt = this.#underWay === 0 ? post() : turns.tryTake(post)
    if (receipt === undefined) return false
    this.#underWay += 1
    this.#busy.add(webhook.id)
    void this.#end(webhook, sent, receipt)
    return true
  }

  async #end(webhook: DueWebhook, sent: Pick<Result, 'url' | 'sentAt'>, answer: Promise<Receipt>): Promise<void> {
    const { app, recorder } = this.#context
    const receipt = await answer
    app.reach('webhooks: sent')
    this.#underWay -= 1
    recorder.add(this.siteId, this, this.#resultOf(webhook, sent, receipt))
    this.#pump()
  }

  #letterOf({ id, body, sequence, endpointSequence }: DueWebhook, now: Temporal.Instant): Letter {
    const { sharedKey, secret, previousSecret } = this.#keys!
    const { previousSecretUntil: until, url } = this.#endpoint
    const isPreviousLive = until !== null && Temporal.Instant.compare(now, until) < 0
    const secrets = isPreviousLive && previousSecret !== null ? [secret, previousSecret] : [secret]
    const timestamp = Math.floor(now.epochMilliseconds / 1000)
    return {
      url: signedUrl(url, sharedKey, body),
      body,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'user-agent': 'Kalends',
        ...signatureHeaders({ id, body, sharedKey, secrets, timestamp }),
        'x-kalends-webhook-sequence': String(sequence),
        'x-kalends-webhook-endpoint-sequence': String(endpointSequence),
      },
    }
  }

  #resultOf(
    { id, replays, tries, triedSince }: DueWebhook,
    sent: Pick<Result, 'url' | 'sentAt'>,
    receipt: Receipt,
  ): Result {
    const now = this.#context.app.clock.now()
    const since = triedSince ?? now
    const { accepted, statusCode, error, retryAfter, durationMs } = receipt
    const outcome = accepted ? 'accepted' : statusCode === null ? 'failed' : 'refused'
    this.#context.app.metrics.delivered({ outcome, seconds: durationMs / 1000 })
    const tried = {
      ...sent,
      id,
      replays,
      answeredAt: now,
      accepted,
      statusCode,
      durationMs,
      tries: tries + 1,
      triedSince: since,
    }
    if (accepted) {
      this.#turnOut(healthy)
      this.#width = Math.min(widthMax, this.#width + 1)
      return { ...tried, error: null, nextAttemptAt: null }
    }
    const words = error ?? 'Not accepted'
    this.#turnOut(afterFailure(this.#health, now), words)
    this.#width = Math.max(1, Math.floor(this.#width / 2))
    const retry = { tries: tries + 1, triedSince: since, now, chance: this.#context.chance() }
    const nextAttemptAt = nextAttempt({ ...retry, retryAfterSeconds: readRetryAfter(retryAfter, now) })
    return { ...tried, error: errorOfTry(words, tries + 1), nextAttemptAt }
  }

  #turnOut(health: EndpointHealth, error?: string): void {
    const before = this.#health
    if (before.failuresInARow === 0 && health.failuresInARow === 0) return
    this.#health = health
    this.#isHealthChanged = true
    if (isSlowed(health) && !isSlowed(before)) {
      this.#news.push((at) => endpointFailing(health.failuresInARow, error ?? '')(this.#endpoint, at))
      this.#queue = []
      this.#mayHaveMore = true
    }
    if (isSlowed(before) && !isSlowed(health)) {
      this.#news.push((at) => endpointRecovered(this.#endpoint, at))
      this.#cameBack = true
      this.#mayHaveMore = true
    }
  }
}
