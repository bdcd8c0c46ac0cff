/** Processes whose gateways answer as a test wants, on a world in which three payments are due; and what became of the first of them. */
import type { TestContext } from 'node:test'
import type { App } from '../../src/actions/app.ts'
import { assessDueSubscriptions } from '../../src/actions/assess-due-subscriptions.ts'
import { type Gateway, gatewayTerms } from '../../src/gateway/gateway.ts'
import { copyWorld, jumpTo, makeSeed, openOn, query, type World } from './world.ts'

const plan = {
  now: '2026-01-10T12:00:00Z',
  products: [{ handle: 'monthly', interval: { count: 1, unit: 'month' } }],
  subscribers: [{ product: 'monthly', count: 3 }],
} as const
const dueDay = '2026-02-10T12:30:00Z'
export const first = 500_001

export async function aWorld(t: TestContext): Promise<World> {
  const world = await copyWorld(t, await makeSeed(t, plan))
  await jumpTo(world, dueDay)
  return world
}

type Replaced = Partial<
  Pick<Gateway, 'purchase' | 'refund' | 'find' | 'findRefund' | 'concurrencyMax' | 'keySecondsMax'>
>

/** A process whose gateway differs in what is given; the rest is the test gateway. */
export async function aProcess(
  t: TestContext,
  world: World,
  given: (bogus: Gateway) => Replaced = () => ({}),
  rest: (app: App) => Partial<App> = () => ({}),
): Promise<App> {
  const opened = await openOn(world.url)
  t.after(() => opened.close())
  const [name, bogus] = [...opened.app.gateways].at(0)!
  const gateway: Gateway = {
    ...gatewayTerms(bogus),
    store: (card, reference) => bogus.store(card, reference),
    purchase: (request) => bogus.purchase(request),
    refund: (request) => bogus.refund(request),
    find: (reference) => bogus.find(reference),
    findRefund: (reference) => bogus.findRefund(reference),
    void: (reference) => bogus.void(reference),
    close: async () => {},
    ...given(bogus),
  }
  const { app } = opened
  return Object.defineProperty(
    { ...app, gateways: new Map([[name, gateway]]), ...rest(app) },
    'asker',
    Object.getOwnPropertyDescriptor(app, 'asker')!,
  )
}

/** Where calls stand still until they are let go on. */
export function aGate() {
  const reached = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  const through = async <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
    reached.resolve()
    await opened.promise
    return call()
  }
  return { reached: reached.promise, open: () => opened.resolve(), through }
}

export const couldNot = async () => ({ result: 'error', message: 'The gateway could not try.' }) as const

export const assess = (app: App, { siteId }: World) => assessDueSubscriptions(app, siteId, { limit: 500, asDue: false })

export const leaseIsOver = (world: World) =>
  query(world, `update payment_attempts set next_check_at = now() - interval '1 second' where settled_at is null`)
export const nothingIsOnItsWay = (world: World) =>
  query(world, `update payment_attempts set last_call_at = last_call_at - interval '1 hour' where settled_at is null`)

export const attempts = (world: World) =>
  query<{ outcome: string | null; open: boolean; begun: number; heard: number }>(
    world,
    `select outcome, settled_at is null as open, calls_begun as begun, calls_heard as heard from payment_attempts
     where subscription_id = $1 and reason <> 'signup' order by id`,
    [first],
  )
export const payments = (world: World) =>
  query<{ success: boolean; amount: number }>(
    world,
    `select success, amount_in_cents::int as amount from transactions
     where subscription_id = $1 and type = 'payment' and created_at > '2026-02-01' order by id`,
    [first],
  )
export const captured = async (world: World): Promise<number> =>
  (
    await query(
      world,
      `select from bogus_gateway.calls
       where subscription_id = $1 and kind = 'purchase' and outcome = 'approved' and idempotency_key not in (
         select idempotency_key from payment_attempts where reason = 'signup')`,
      [first],
    )
  ).length
export const told = async (world: World): Promise<string[]> =>
  (
    await query<{ key: string }>(
      world,
      `select e.key from events e where e.key like 'late_payment%' or e.key = 'payment_unresolved' order by e.id`,
    )
  ).map(({ key }) => key)
export const letters = async (world: World): Promise<string[]> =>
  (await query<{ kind: string }>(world, `select kind from letters where customer_id is null order by id`)).map(
    ({ kind }) => kind,
  )

export const paidOnce = [{ success: true, amount: 1000 }]
