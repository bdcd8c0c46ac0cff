/** What happens after a crash: the service starts again, here in the test's own process, and works until nothing is left to do. */
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import { finishAbandonedAdvances } from '../../src/actions/advance-clock.ts'
import type { App } from '../../src/actions/app.ts'
import { assessDueSubscriptions } from '../../src/actions/assess-due-subscriptions.ts'
import { recoverPayments } from '../../src/actions/recover-payments.ts'
import { verify } from '../../src/actions/verify.ts'
import { serve } from '../../src/main.ts'
import { patienceMs } from '../support/patience.ts'
import { fingerprint, problemsOf } from './oracle.ts'
import { agentFor, ask, type Reply, sharedDataDir } from './service.ts'
import { configOf, openOn, query, type World } from './world.ts'

const lookEveryMs = 40

/** Asks the restarted service. */
export type Ask = (line: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>

type Rescue = {
  /** Done with the service once all is quiet. */
  more?: (ask: Ask) => Promise<void>
  /** The gateway was told to refuse at random. */
  faults?: boolean
  waitMs?: number
}

/** Starts the service on a world, waits until all is quiet, and holds the world to everything that must be true then. */
export async function rescue(world: World, { more, faults = false, waitMs = patienceMs }: Rescue = {}): Promise<void> {
  const dataDir = sharedDataDir()
  const opened = await openOn(world.url)
  const service = await serve(opened, configOf(world.url, dataDir), ['api', 'workers'])
  const agent = agentFor(dataDir)
  try {
    await untilQuiet(world, { waitMs })
    await assertSound(world, opened.app, faults)
    if (more === undefined) return
    await more((...request) => ask(service.port, agent, ...request))
    await untilQuiet(world, { waitMs })
    await assertSound(world, opened.app, faults)
  } finally {
    await service.stop()
  }
}

/**
 * The next look at a payment comes seconds or minutes after the last, and its gateway's silence is believed later still; tests do
 * not wait that long. First askers are left alone.
 */
export const hurryRecovery = (world: World): Promise<object[]> =>
  query(
    world,
    `update payment_attempts set next_check_at = now() - interval '1 second', last_call_at = last_call_at - interval '1 hour'
     where settled_at is null and (checks > 0 or outcome = 'unknown')`,
  )

const unfinished = `select (select count(*) from payment_attempts where settled_at is null)::int as open,
  (select count(*) from sites where clock_advancing_to is not null)::int as moving,
  (select count(*) from subscriptions s join sites i on i.id = s.site_id
    where s.state in ('trialing', 'active', 'past_due', 'soft_failure', 'unpaid') and s.parked_reason is null
      and s.next_assessment_at <= coalesce(i.clock_set_to + (now() - i.clock_set_at), now()))::int as due,
  (select count(*) from subscriptions s join sites i on i.id = s.site_id
    where s.state in ('trialing', 'active') and s.parked_reason is null and s.deleted_at is null
      and s.noticed_for is distinct from s.current_period_ends_at
      and s.current_period_ends_at <= coalesce(i.clock_set_to + (now() - i.clock_set_at), now()) + interval '24 hours'
        * case s.state when 'active' then i.upcoming_renewal_notice_days else i.trial_end_notice_days end)::int as unnoticed`

type Left = { open: number; moving: number; due: number; unnoticed: number }

/** Whether no renewal is due and no clock on its way; payments may be open. */
export async function isIdle(world: World): Promise<boolean> {
  const [left] = await query<Left>(world, unfinished)
  return left!.moving + left!.due === 0
}

/** Waits until whoever runs on the world has nothing left to do. A database that is away for a moment is asked again. */
export async function untilQuiet(world: World, { waitMs = patienceMs } = {}): Promise<void> {
  const from = performance.now()
  for (;;) {
    const left = await whatIsLeft(world)
    if (left === 'nothing') return
    if (performance.now() - from > waitMs) throw new Error(`still at work after ${waitMs} ms: ${JSON.stringify(left)}`)
    await pause(lookEveryMs)
  }
}

async function whatIsLeft(world: World): Promise<Left | string> {
  try {
    const [left] = await query<Left>(world, unfinished)
    if (left!.open > 0) await hurryRecovery(world)
    return left!.open + left!.moving + left!.due + left!.unnoticed === 0 ? 'nothing' : left!
  } catch (error) {
    return (error as Error).message
  }
}

/** Everything that must hold once all is quiet; billing again writes nothing. */
async function assertSound(world: World, app: App, faults: boolean): Promise<void> {
  assert.deepEqual(await problemsOf(world, { faults }), [])
  const { differences, text } = await verify(app)
  assert.equal(differences, 0, text)
  const before = await fingerprint(world)
  await assessDueSubscriptions(app, world.siteId, { limit: 500, asDue: false })
  await recoverPayments(app)
  await finishAbandonedAdvances(app)
  assert.equal(await fingerprint(world), before, 'billing again writes nothing')
}
