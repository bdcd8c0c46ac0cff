/** Finishes what a crash or a broken conversation left open: looks payments up by our keys, and asks again only where that is safe. */
import { decideRecovery } from '../billing/recovery.ts'
import {
  claimAttempt,
  claimOpenAttempts,
  listSitesWithOpenAttempts,
  type OpenAttempt,
  postponeCheck,
} from '../store/payment-calls.ts'
import { type App, gatewayOf } from './app.ts'
import { callInTurn } from './ask-gateway.ts'
import { askAndSettleAll } from './collect-payments.ts'
import { type Answered, keySecondsOf, lookUp, quietMarginSeconds } from './gateway-answers.ts'
import { resolveLateApprovals } from './resolve-late-approvals.ts'
import { tellUnresolved } from './resolve-payment.ts'
import { undoSignup } from './undo-signup.ts'

/** Waits between checks of one attempt; the last one repeats for as long as it takes. */
const checkDelaysSeconds = [5, 15, 60, 300, 900, 3600] as const

const claimMax = 500

/** Gives the number of attempts that it looked at. Safe to run anywhere, at any time, by any number of processes. */
export async function recoverPayments(app: App): Promise<number> {
  const sites = await listSitesWithOpenAttempts(app.db)
  let looked = 0
  for (const siteId of sites) looked += await recoverPaymentsOf(app, siteId)
  return looked
}

/** The same for one site. */
export async function recoverPaymentsOf(app: App, siteId: number): Promise<number> {
  const { asker } = app
  if (!app.isAlive(asker)) return 0
  const atMs = app.timers.monotonicMs()
  const attempts = await claimOpenAttempts(app.db, siteId, { asker, limit: claimMax })
  if (attempts.length > 0) app.reach('recovery: claimed')
  const hold = { asker, atMs }
  const due = attempts.filter(({ reason }) => reason !== 'signup')
  const abandoned = attempts.filter(({ reason }) => reason === 'signup')
  await Promise.all([
    recoverAll(app, siteId, due, hold),
    ...abandoned.map((attempt) => orLater(app, attempt, () => undoSignup(app, attempt, postpone))),
  ])
  await resolveLateApprovals(app, siteId)
  return attempts.length
}

type Held = { asker: number; atMs: number }

/**
 * Goes on with one attempt, whoever held it, as somebody wishes who repeats a request. Gives what is known of it afterwards;
 * undefined when it is settled already.
 */
export async function recoverPayment(app: App, siteId: number, id: number): Promise<Answered | undefined> {
  const { asker } = app
  const atMs = app.timers.monotonicMs()
  const attempt = await claimAttempt(app.db, siteId, id, asker)
  if (attempt === undefined) return undefined
  const [answered] = await recoverAll(app, siteId, [attempt], { asker, atMs })
  return answered
}

async function recoverAll(app: App, siteId: number, attempts: readonly OpenAttempt[], held: Held): Promise<Answered[]> {
  const open = new Map(attempts.map((attempt) => [attempt.id, attempt]))
  const calls = attempts.map((attempt) => ({ attempt }))
  const answered = await askAndSettleAll(app, siteId, calls, ({ attempt }) => recover(app, attempt, held), {
    asDue: false,
  })
  if (answered.length > 0) app.reach('recovery: settled')
  const unknown = answered.filter(({ outcome, isLeft }) => outcome.result === 'unknown' && !isLeft)
  await Promise.all(unknown.map(({ attempt }) => postpone(app, open.get(attempt.id)!)))
  return answered
}

/** Looks first, and asks again only while nothing that was sent before can come to more than the gateway will say now. */
async function recover(app: App, attempt: OpenAttempt, { asker, atMs }: Held): Promise<Answered> {
  const gateway = gatewayOf(app, attempt.gateway)
  if (gateway === undefined) return { attempt, outcome: noGateway(attempt.gateway), heard: 0 }
  const found = await lookUp(gateway, attempt)
  app.reach('recovery: gateway answered')
  const next = decideRecovery(attempt, found, {
    quietSeconds: gateway.callSecondsMax + quietMarginSeconds,
    keySeconds: keySecondsOf(gateway),
    heldSeconds: (app.timers.monotonicMs() - atMs) / 1000,
  })
  if (next.does === 'settle') return { attempt, outcome: next.outcome, heard: 0, isQuiet: next.isQuiet }
  if (next.does === 'ask') {
    const hold = { asker, token: attempt.checks }
    return callInTurn(app, { attempt, hold, recordedMs: Number.NEGATIVE_INFINITY, isCounted: false })
  }
  if (next.does === 'tell') await tellUnresolved(app, attempt)
  return { attempt, outcome: { result: 'unknown', message: attempt.outcomeMessage ?? next.message }, heard: 0 }
}

const noGateway = (vault: string) =>
  ({ result: 'unknown', message: `No gateway keeps cards of the vault ${vault}.` }) as const

/** What goes wrong with one attempt is logged and tried again later; it never keeps the others waiting. */
async function orLater(app: App, attempt: OpenAttempt, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    app.log.error({ err: error, siteId: attempt.siteId, attempt: attempt.id }, 'a payment could not be recovered')
    await postpone(app, attempt)
  }
}

async function postpone(
  app: App,
  { siteId, id, checks }: Pick<OpenAttempt, 'siteId' | 'id' | 'checks'>,
): Promise<void> {
  const seconds = checkDelaysSeconds[Math.min(checks, checkDelaysSeconds.length - 1)]!
  await postponeCheck(app.db, siteId, id, seconds)
  app.reach('recovery: postponed')
}
