/** Carries a request out once: under one key the first answer is kept for a day, in the transaction that made it true. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isCardNumber } from '../billing/payment-profile.ts'
import { invalid, Refusal, type RefusalKind } from '../billing/refusal.ts'
import { listLivingAskers } from '../store/askers.ts'
import type { Connection } from '../store/database.ts'
import {
  deleteKey,
  findKey,
  insertKey,
  type KeptKey,
  keepAnswer,
  releaseKey,
  takeOverKey,
  useToken,
} from '../store/idempotency.ts'
import type { App } from './app.ts'

const keyLengthMax = 255
export const keepHours = 24
export const tokenMinutes = 60

/** How long a repeated request waits for the first one, and how often it looks. */
const waitMsMax = 30_000
const lookEveryMs = 25

/** What says that the request had no turn, rather than how it ended. */
const passing: ReadonlySet<RefusalKind> = new Set(['conflict', 'too_many_requests', 'unavailable', 'unauthorized'])

export type Once<Answer> = {
  siteId: number
  key: string
  /** Everything that makes two requests the same one, without card numbers; only its hash is kept. */
  request: string
  /** The answer is kept sealed, since it shows what is shown only once. */
  isSecret?: boolean
  act: (app: App) => Promise<number>
  /** Reads the answer back; must give plain data. */
  show: (connection: Connection, id: number) => Promise<Answer>
}

/**
 * Refuses a key that was used for another request (422) and one whose first request does not come to an end (409). A refusal is the
 * first answer too, once a gateway was asked; before that it frees its key, so that a corrected request may use it. Where the gateway
 * has not said what became of it, whoever repeats the request later is told how it stands then; so is who repeats it after a crash.
 */
export async function answerOnce<Answer>(app: App, once: Once<Answer>): Promise<Answer> {
  const { siteId, key } = once
  const { asker } = app
  refuseName('Idempotency-Key', key)
  const startedAt = app.clock.now()
  const hashes = app.seals.hash(once.request)
  const began = { requestHash: hashes[0], startedAt, startedBy: asker }
  if (await insertKey(app.db, siteId, key, began, startedAt.subtract({ hours: keepHours }))) {
    app.reach('request: key on record')
    return carryOut(app, once, asker)
  }
  for (let waitedMs = 0; waitedMs < waitMsMax; waitedMs += lookEveryMs) {
    const kept = await findKey(app.db, siteId, key)
    if (kept === undefined) return answerOnce(app, once)
    if (!hashes.includes(kept.requestHash)) throw invalid('Idempotency-Key: was used for another request.')
    // Who waited for the first request gets what it got; who comes later looks again.
    if (kept.outcome !== null && (kept.outcome !== 'pending' || waitedMs > 0)) return answerAgain(app, once, kept)
    if ((await mayTakeOver(app, kept)) && (await takeOverKey(app.db, { siteId, key, startedBy: asker }, kept))) {
      return carryOut(app, once, asker)
    }
    await sleep(lookEveryMs)
  }
  throw new Refusal('conflict', ['Idempotency-Key: the first request with this key is still being worked on.'])
}

const mayTakeOver = async (app: App, { outcome, startedBy }: KeptKey): Promise<boolean> =>
  outcome === 'pending' || (startedBy !== app.asker && !(await listLivingAskers(app.db)).includes(startedBy))

function answerAgain<Answer>({ seals }: App, { isSecret }: Once<Answer>, { outcome, answer }: KeptKey): Answer {
  const text = answer ?? 'null'
  if (outcome === 'answered') return JSON.parse(isSecret ? seals.open(text) : text) as Answer
  const kept = JSON.parse(text)
  throw new Refusal(kept.kind, kept.messages, { isPending: outcome === 'pending' })
}

async function carryOut<Answer>(app: App, once: Once<Answer>, startedBy: number): Promise<Answer> {
  const { siteId, key, request, isSecret, act, show } = once
  const keep = (connection: Connection, given: Answer): Promise<number> => {
    const text = JSON.stringify(given)
    return keepAnswer(connection, held, { outcome: 'answered', answer: isSecret ? app.seals.seal(text) : text })
  }
  const held = { siteId, key, startedBy }
  let answer: Answer | undefined
  let hasBegun = false
  try {
    const id = await act({
      ...app,
      requestHashes: app.seals.hash(`${key}\n${request}`),
      began: () => {
        hasBegun = true
      },
      beforeCommit: async (tx, made) => {
        answer = await show(tx, made)
        // Without the database for a moment, this process was taken for gone: then whoever repeated the request carries it out.
        if ((await keep(tx, answer)) === 0) throw new Refusal('conflict', [takenOver])
        app.reach('request: answer written')
      },
    })
    if (answer !== undefined) return answer
    // An act that asked a gateway commits in steps of its own; its answer is kept as soon as it is done.
    const told = await show(app.db, id)
    await keep(app.db, told)
    return told
  } catch (error) {
    if (!hasBegun) await deleteKey(app.db, held)
    else if (error instanceof Refusal && !passing.has(error.kind)) await keepAnswer(app.db, held, refused(error))
    else await releaseKey(app.db, held)
    throw error
  }
}

const refused = ({ kind, messages, isPending }: Refusal) =>
  ({ outcome: isPending ? 'pending' : 'refused', answer: JSON.stringify({ kind, messages }) }) as const

/** Names of requests are kept as they were sent, so a card number must not be one. */
function refuseName(label: string, name: string): void {
  if (name.length > keyLengthMax) throw invalid(`${label}: is too long (maximum is ${keyLengthMax} characters).`)
  const digits = name.replace(/[ -]/g, '')
  if (digits.length >= 12 && isCardNumber(digits)) throw invalid(`${label}: must not be a card number.`)
}

const takenOver = 'Idempotency-Key: a repeated request with this key has taken the place of this one.'

/** The older way to prevent duplicates: a token counts once in 60 minutes, whatever became of the request that brought it. */
export async function claimUniquenessToken(app: App, siteId: number, token: string): Promise<void> {
  refuseName('Uniqueness token', token)
  const now = app.clock.now()
  if (!(await useToken(app.db, siteId, token, now, now.subtract({ minutes: tokenMinutes })))) {
    throw new Refusal('conflict', ['DuplicatePrevention::DuplicateSubmissionError'])
  }
}
