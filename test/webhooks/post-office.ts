/** A site with webhooks: endpoints, rows written as acts write them, deliveries whose time and chance the test decides. */
import type { TestContext } from 'node:test'
import { Deliveries } from '../../src/actions/deliver-webhooks.ts'
import { type Courier, type CourierOptions, createCourier } from '../../src/delivery/courier.ts'
import type { Clock } from '../../src/host/clock.ts'
import { drawWebhookIds, insertWebhooks } from '../../src/store/webhooks.ts'
import { patienceMs } from '../support/patience.ts'
import { type Reply, type TestApp, testApp } from '../support/test-app.ts'

/** The wall clock of these tests; it moves when it is told to. */
export class HandClock implements Clock {
  #now: Temporal.Instant

  constructor(at: string) {
    this.#now = Temporal.Instant.from(at)
  }

  now(): Temporal.Instant {
    return this.#now
  }

  pass(seconds: number): void {
    this.#now = this.#now.add({ seconds })
  }
}

export const openedAt = '2027-01-15T12:00:00Z'

export type PostOffice = TestApp & {
  clock: HandClock
  deliveries: Deliveries
  endpoint(url: string, terms?: object): Promise<number>
  /** Writes webhooks of one endpoint; gives their ids. */
  write(endpointId: number, count?: number, subscriptionId?: number | null): Promise<number[]>
  /** Looks for work until `condition` holds; throws when patience is at its end. */
  until(condition: () => boolean | Promise<boolean>): Promise<void>
  webhook(id: number): Promise<Reply['json']>
  /** Looks for work until the webhook has so many attempts on record, and gives it. */
  attempted(id: number, attempts: number): Promise<Reply['json']>
  /** Receivers may take so long from now on; null is as long as they like. */
  hurry(limitMs: number | null): void
}

export async function openPostOffice(
  t: TestContext,
  courierOptions: Partial<CourierOptions> = {},
  sendMax?: number,
): Promise<PostOffice> {
  const clock = new HandClock(openedAt)
  const { courier, hurry } = changingCourier({ allowPrivate: true, limitMs: patienceMs, ...courierOptions })
  const shop = await testApp(t, { clock, courier })
  const { app, siteId } = shop
  const deliveries = new Deliveries(app, () => 0.5, sendMax)
  // Before the database closes: hooks run in the order in which they were set.
  const closing = async (): Promise<void> => {
    await deliveries.stop()
    await courier.close()
  }
  beforeClosing(t, shop, closing)
  const endpoint = async (url: string, terms: object = {}): Promise<number> => {
    const body = { endpoint: { url, webhook_subscriptions: ['payment_success'], ...terms } }
    const reply = await shop.ask('POST /endpoints.json', { body })
    if (reply.status !== 201) throw new Error(`${reply.status} ${reply.text}`)
    return reply.json.endpoint.id
  }
  const write = (endpointId: number, count = 1, subscriptionId: number | null = null): Promise<number[]> =>
    app.db.transaction(async (tx) => {
      const ids = await drawWebhookIds(tx, count)
      const row = {
        siteId,
        endpointId,
        eventId: null,
        event: 'payment_success',
        subscriptionId,
        createdAt: clock.now(),
      }
      await insertWebhooks(
        tx,
        siteId,
        ids.map((id) => ({ ...row, id, body: `id=${id}&event=payment_success&payload[note]=caf%C3%A9` })),
      )
      return ids
    })
  const until: PostOffice['until'] = async (condition) => {
    const from = performance.now()
    while (performance.now() - from < patienceMs) {
      await deliveries.lookForWork()
      await deliveries.tend()
      if (await condition()) return
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    throw new Error('what was waited for did not come')
  }
  const webhook = async (id: number): Promise<Reply['json']> =>
    (await shop.ask(`GET /webhooks/${id}.json`)).json.webhook
  const attempted = async (id: number, attempts: number): Promise<Reply['json']> => {
    await until(async () => (await webhook(id)).attempts >= attempts)
    return webhook(id)
  }
  return { ...shop, clock, deliveries, endpoint, write, until, webhook, attempted, hurry }
}

/** What `testApp` closes is closed by a hook that was set before ours. */
function beforeClosing(_: TestContext, { app }: TestApp, closing: () => Promise<void>): void {
  const { db } = app
  const close = db.close.bind(db)
  db.close = async () => {
    await closing()
    await close()
  }
}

/** A courier whose patience with receivers can be changed. */
function changingCourier(options: CourierOptions): { courier: Courier; hurry: PostOffice['hurry'] } {
  const usual = createCourier(options)
  const all = [usual]
  let current = usual
  return {
    courier: {
      refusalOf: (url) => usual.refusalOf(url),
      post: (letter) => current.post(letter),
      close: async () => void (await Promise.all(all.map((one) => one.close()))),
    },
    hurry: (limitMs) => {
      current = limitMs === null ? usual : createCourier({ ...options, limitMs })
      if (current !== usual) all.push(current)
    },
  }
}
