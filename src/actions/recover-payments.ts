/** Finishes what a crash or a broken conversation left open: asks gateways by our keys until they know. */
import type { SettledOutcome } from '../billing/changes.ts'
import {
  claimOpenAttempts,
  listSitesWithOpenAttempts,
  markVoiding,
  type OpenAttempt,
  postponeCheck,
  settleVoided,
} from '../store/payment-attempts.ts'
import { type App, gatewayOf } from './app.ts'
import { askAll, orUnknown, settlePayments } from './collect-payments.ts'

/** Waits between checks of one attempt; the last one repeats for as long as it takes. */
const checkDelaysSeconds = [5, 15, 60, 300, 900, 3600] as const

/** A gateway that does not know a sign-up's key may still be working on it; it is believed after this many checks, in 20 minutes. */
const unknownToGatewayMin = 5

const claimMax = 500

/** How long a claimed attempt is left to the process that claimed it while that is alive: longer than any gateway takes. */
const leaseSeconds = 120

/** Gives the number of attempts that it looked at. Safe to run anywhere, at any time, by any number of processes. */
export async function recoverPayments(app: App): Promise<number> {
  const sites = await listSitesWithOpenAttempts(app.db)
  let looked = 0
  for (const siteId of sites) looked += await recoverPaymentsOf(app, siteId)
  return looked
}

/** The same for one site. */
export async function recoverPaymentsOf(app: App, siteId: number): Promise<number> {
  const wall = app.clock.now()
  const attempts = await claimOpenAttempts(app.db, siteId, {
    asker: app.asker,
    wall,
    leaseUntil: wall.add({ seconds: leaseSeconds }),
    limit: claimMax,
  })
  if (attempts.length > 0) app.reach('recovery: claimed')
  const due = attempts.filter(({ reason }) => reason !== 'signup')
  const abandoned = attempts.filter(({ reason }) => reason === 'signup')
  await Promise.all([
    askAgain(app, siteId, due),
    ...abandoned.map((attempt) => orLater(app, attempt, () => undo(app, attempt))),
  ])
  return attempts.length
}

/** What goes wrong with one attempt is logged and tried again later; it never keeps the others waiting. */
async function orLater(app: App, attempt: OpenAttempt, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    app.log.error({ err: error, siteId: attempt.siteId, attempt: attempt.id }, 'a payment could not be recovered')
    await postpone(app, attempt)
  }
}

/** Renewals and retries: the same keys ask again, and the gateway answers as the first time. */
async function askAgain(app: App, siteId: number, attempts: readonly OpenAttempt[]): Promise<void> {
  if (attempts.length === 0) return
  const answered = await askAll(app, attempts)
  app.reach('recovery: gateway answered')
  const settle = (some: typeof answered) => settlePayments(app, siteId, some, { asDue: false })
  // One that cannot be settled undoes the whole set; then each has a transaction of its own.
  await settle(answered).catch(() => Promise.all(answered.map((one) => orLater(app, one.attempt, () => settle([one])))))
  app.reach('recovery: settled')
  const unknown = answered.filter(({ outcome }) => outcome.result === 'unknown')
  await Promise.all(unknown.map(({ attempt }) => postpone(app, attempt)))
}

/** A sign-up whose request is gone: nobody was told that it succeeded, so what was captured is given back. */
async function undo(app: App, attempt: OpenAttempt): Promise<void> {
  const marked = await markVoiding(app.db, attempt.siteId, attempt.id)
  if (marked === undefined) return
  app.reach('recovery: marked for giving back')
  await voidAttempt(app, { ...attempt, ...marked })
}

/** Gives back what an attempt captured, if anything. The attempt must be marked as voiding, so that nobody completes it meanwhile. */
export async function voidAttempt(
  app: App,
  attempt: Pick<OpenAttempt, 'siteId' | 'id' | 'gateway' | 'idempotencyKey' | 'vaultToken' | 'checks'>,
): Promise<void> {
  const gateway = gatewayOf(app, attempt.gateway)
  // The card is on record before a gateway is asked for money, so without one nothing was ever asked.
  const wasAsked = gateway !== undefined && attempt.vaultToken !== null
  const found = wasAsked ? await gateway.find(attempt).catch(() => undefined) : ({ result: 'not_found' } as const)
  if (found === undefined || found.result === 'unknown') return postpone(app, attempt)
  if (found.result === 'not_found' && wasAsked && attempt.checks < unknownToGatewayMin) return postpone(app, attempt)
  if (found.result === 'approved') {
    app.reach('recovery: before void')
    const undone = await orUnknown(gateway!.void(attempt))
    if (undone.result !== 'approved') return postpone(app, attempt)
    app.reach('recovery: voided')
  }
  await settleVoided(app.db, attempt.siteId, attempt.id, endOf(found.result), app.clock.now())
  app.reach('recovery: given back')
  app.log.info({ siteId: attempt.siteId, attempt: attempt.id, found: found.result }, 'undid an unfinished sign-up')
}

const endOf = (found: SettledOutcome['result'] | 'not_found'): string =>
  found === 'approved' ? 'The payment was captured and has been voided.' : 'Nothing was captured.'

async function postpone(
  app: App,
  { siteId, id, checks }: Pick<OpenAttempt, 'siteId' | 'id' | 'checks'>,
): Promise<void> {
  const seconds = checkDelaysSeconds[Math.min(checks, checkDelaysSeconds.length - 1)]!
  await postponeCheck(app.db, siteId, id, app.clock.now().add({ seconds }))
  app.reach('recovery: postponed')
}
