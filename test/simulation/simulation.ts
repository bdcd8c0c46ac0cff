/** Runs a plan: strangers do their worst on a simulated clock, then all is well for a day, and the money must be right to the cent. */
import { assessDueSubscriptions } from '../../src/actions/assess-due-subscriptions.ts'
import { createCharge } from '../../src/actions/create-charge.ts'
import { createSubscription } from '../../src/actions/create-subscription.ts'
import { recoverPayments } from '../../src/actions/recover-payments.ts'
import { refundPayment } from '../../src/actions/refund-payment.ts'
import { resolvePayment } from '../../src/actions/resolve-payment.ts'
import { retrySubscription } from '../../src/actions/retry-subscription.ts'
import { cents } from '../../src/billing/money.ts'
import { wrongsAfterStep, wrongsAtTheEnd } from './invariants.ts'
import { type Plan, type Step, sayStep } from './plan.ts'
import type { SimulatedDatabase } from './simulated-database.ts'
import { SimulatedProcess, type Surroundings } from './simulated-process.ts'
import { SimulatedTime } from './simulated-time.ts'
import { calm, StrangeGateway } from './strange-gateway.ts'
import { fillSite } from './subscribers.ts'

export type Verdict = { wrongs: string[]; story: string[]; steps: number }

const lanes = 2
/** First as often as recovery looks, then often enough for retries and renewals: more than a day in all. */
const calmMs = [...Array(10).fill(70_000), ...Array(6).fill(1200_000), ...Array(26).fill(3660_000)] as number[]

/** Gives everything that is wrong; empty when the money is right. Runs on a site of its own. */
export async function simulate(database: SimulatedDatabase, plan: Plan): Promise<Verdict> {
  const run = new Simulation(database, plan)
  try {
    return await run.play()
  } catch (error) {
    return { wrongs: [`the simulation fails: ${(error as Error).stack}`], story: run.story, steps: plan.steps.length }
  }
}

class Simulation {
  readonly story: string[] = []
  readonly #plan: Plan
  readonly #time = new SimulatedTime()
  readonly #gateway: StrangeGateway
  readonly #around: Surroundings
  readonly #database: SimulatedDatabase
  readonly #processes: SimulatedProcess[] = []
  #siteId = 0
  #names = 0
  #clockMs = 0

  constructor(database: SimulatedDatabase, plan: Plan) {
    this.#plan = plan
    this.#database = database
    const say = (line: string): void => {
      const seconds = Math.floor(this.#time.nowMs / 1000)
      this.story.push(`${String(seconds).padStart(7)} s  ${line}`)
    }
    this.#gateway = new StrangeGateway(this.#time, plan.seed, say)
    this.#around = {
      time: this.#time,
      database,
      gateway: this.#gateway,
      startedAt: Temporal.Instant.from('2026-01-01T00:00:00Z'),
      awayUntilMs: 0,
      say,
    }
  }

  async play(): Promise<Verdict> {
    const { skews, subscriptions, steps } = this.#plan
    this.#around.startedAt = await this.#clock()
    const first = await this.#start(0)
    this.#siteId = await fillSite(first.app, this.#database, subscriptions, this.#around.startedAt)
    await this.#processes.pop()!.kill()
    for (const skew of skews) await this.#start(skew)
    this.#gateway.temper = this.#plan.temper
    for (const [place, step] of steps.entries()) {
      this.#around.say(sayStep(step))
      await this.#do(step)
      await this.#untilStill()
      const wrongs = this.#plan.lies ? [] : await wrongsAfterStep(this.#database, this.#siteId, this.#gateway)
      if (wrongs.length > 0) return { wrongs, story: this.story, steps: place + 1 }
    }
    await this.#calmDown()
    const wrongs = await wrongsAtTheEnd(this.#database, this.#siteId, this.#gateway, this.#plan)
    for (const process of this.#processes) await process.kill()
    return { wrongs, story: this.story, steps: steps.length }
  }

  /** Simulations on one database follow each other in time, so that what one left there is never ahead of the next. */
  async #clock(): Promise<Temporal.Instant> {
    const [row] = await this.#database.query<{ at: Date }>(
      `update sim.clock set at = date_trunc('day', at) + interval '10 days' returning at`,
    )
    return Temporal.Instant.fromEpochMilliseconds(row!.at.getTime())
  }

  async #start(skew: number): Promise<SimulatedProcess> {
    this.#names += 1
    const process = new SimulatedProcess(`P${this.#names}`, this.#around, skew)
    await process.takeLease()
    this.#processes.push(process)
    return process
  }

  /** The dead are replaced by a process on the same machine, whose clock is off as far. */
  async #processOf(place: number): Promise<SimulatedProcess> {
    const known = this.#processes[place]!
    if (!known.isDead) return known
    const process = await this.#start(known.skewSeconds)
    this.#processes[place] = this.#processes.pop()!
    return process
  }

  async #do(step: Step): Promise<void> {
    if (step.does === 'pass') return this.#pass(step.seconds * 1000)
    if (step.does === 'away') {
      this.#around.awayUntilMs = this.#time.nowMs + step.seconds * 1000
      return
    }
    if (step.does === 'temper') {
      this.#gateway.temper = step.temper
      return
    }
    const process = await this.#processOf(step.process)
    switch (step.does) {
      case 'kill':
        return process.kill()
      case 'stop':
        return process.stop()
      case 'go on':
        return process.goOn()
      case 'cut':
        return process.cutLease(step.noticedAfterSeconds * 1000)
      case 'assess':
      case 'recover':
        return this.#work(process, step.does)
      default:
        return this.#act(process, step)
    }
  }

  #work(process: SimulatedProcess, kind: 'assess' | 'recover'): void {
    const { app } = process
    const round = { limit: 500, asDue: false }
    if (kind === 'assess') process.begin(kind, lanes, () => assessDueSubscriptions(app, this.#siteId, round))
    else process.begin(kind, 1, () => recoverPayments(app))
  }

  async #act(process: SimulatedProcess, { does, which }: Extract<Step, { which: number }>): Promise<void> {
    const { app } = process
    const site = this.#siteId
    const subscriptions = await this.#ids(`select id from subscriptions where site_id = $1 order by id`)
    const subscription = subscriptions[which % subscriptions.length]!
    if (does === 'retry') return process.begin(does, 4, () => retrySubscription(app, site, subscription))
    if (does === 'charge') return process.begin(does, 4, () => createCharge(app, site, subscription, chargeOf(which)))
    if (does === 'sign up') {
      const customers = await this.#ids(`select customer_id as id from subscriptions where site_id = $1 order by id`)
      const cards = await this.#ids(`select payment_profile_id as id from subscriptions where site_id = $1 order by id`)
      const place = which % customers.length
      return process.begin(does, 4, () => createSubscription(app, site, signupOf(customers[place]!, cards[place]!)))
    }
    const payments = await this.#ids(
      `select id from transactions where site_id = $1 and subscription_id = ${subscription} and type = 'payment' and success order by id`,
    )
    const paymentId = payments[which % Math.max(1, payments.length)]
    if (paymentId === undefined) return
    const refund = { paymentId, amount: cents(100), memo: 'Sorry', isExternal: false }
    process.begin(does, 4, () => refundPayment(app, site, subscription, refund))
  }

  #ids = async (text: string): Promise<number[]> =>
    (await this.#database.query<{ id: string }>(text, [this.#siteId])).map(({ id }) => Number(id))

  /** Time goes on from one thing that happens to the next, and everything that follows from it is done at its moment. */
  async #pass(ms: number): Promise<void> {
    const untilMs = this.#time.nowMs + ms
    while (this.#time.step(untilMs)) await this.#untilStill()
    await this.#untilStill()
  }

  /** Waits until PostgreSQL has nothing to do and nothing goes on by itself. */
  async #untilStill(): Promise<void> {
    if (this.#clockMs !== Math.floor(this.#time.nowMs)) {
      this.#clockMs = Math.floor(this.#time.nowMs)
      const at = this.#around.startedAt.add({ milliseconds: this.#clockMs }).toString()
      await this.#database.alone(() => this.#database.query('update sim.clock set at = $1', [at]))
    }
    for (let still = 0; still < 3; still++) {
      await new Promise((next) => setImmediate(next))
      if (this.#database.working > 0) still = -1
    }
  }

  /** Everybody lives, the gateway answers at once and approves, and whoever looks after the site says what nobody else knows. */
  async #calmDown(): Promise<void> {
    this.#around.say('all is well from here on')
    this.#gateway.temper = calm
    this.#around.awayUntilMs = 0
    for (const process of this.#processes) process.goOn()
    const process = await this.#processOf(0)
    for (const ms of calmMs) {
      this.#work(process, 'assess')
      this.#work(process, 'recover')
      await this.#untilStill()
      await this.#pass(ms)
      await this.#resolveUnresolved(process)
    }
  }

  async #resolveUnresolved(process: SimulatedProcess): Promise<void> {
    const { app } = process
    const open = await this.#database.query<{ id: string; idempotency_key: string; reason: string }>(
      `select id, idempotency_key, reason from payment_attempts
       where site_id = $1 and unresolved_since is not null and settled_at is null`,
      [this.#siteId],
    )
    for (const { id, idempotency_key: key, reason } of open) {
      const kind = reason === 'refund' ? 'refund' : 'purchase'
      const capture = this.#gateway.captures.find((one) => one.key === key && one.kind === kind)
      if (capture) capture.isHeard = true
      this.#around.say(`somebody resolves ${id}: ${capture?.id ?? 'nothing'}`)
      const finding = capture ? { gatewayTransactionId: capture.id } : 'nothing'
      process.begin('resolve', 100, () => resolvePayment(app, this.#siteId, Number(id), finding))
    }
    if (open.length > 0) await this.#pass(2000)
  }
}

const signupOf = (customer: number, card: number) => ({
  product: { handle: 'daily' },
  customer: { id: customer },
  card: { profileId: card },
  collectionMethod: 'automatic' as const,
  nextBillingAt: null,
  cancellationMessage: null,
  problems: [],
})

const chargeOf = (which: number) => ({
  amount: cents(250),
  memo: 'Extra',
  useNegativeBalance: false,
  delayCapture: which % 4 === 0,
  accrueOnFailure: which % 2 === 0,
  taxable: false,
  collectionMethod: null,
})
