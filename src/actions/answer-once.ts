/** Carries a request out once: under one key the first answer is kept for a day, in the transaction that made it true. */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isCardNumber } from '../billing/payment-profile.ts'
import { invalid, Refusal } from '../billing/refusal.ts'
import { listLivingAskers } from '../store/askers.ts'
import type { Connection } from '../store/database.ts'
import { deleteKey, findKey, insertKey, keepAnswer, takeOverKey, useToken } from '../store/idempotency.ts'
import type { App } from './app.ts'

const keyLengthMax = 255
export const keepHours = 24
export const tokenMinutes = 60

/** How long a repeated request waits for the first one, and how often it looks. */
const waitMsMax = 30_000
const lookEveryMs = 25

export type Once<Answer> = {
  siteId: number
  key: string
  /** Everything that makes two requests the same one; only its hash is kept, since it may hold a card number. */
  request: string
  act: (app: App) => Promise<number>
  /** Reads the answer back; must give plain data. */
  show: (connection: Connection, id: number) => Promise<Answer>
}

/**
 * Refuses a key that was used for another request (422) and one whose first request does not come to an end (409). A request
 * that is refused wrote nothing, so it frees its key. A crash frees it too: whoever repeats the request carries it out.
 */
export async function answerOnce<Answer>(app: App, once: Once<Answer>): Promise<Answer> {
  const { siteId, key } = once
  const { asker } = app
  refuseName('Idempotency-Key', key)
  const startedAt = app.clock.now()
  const requestHash = hashOf(once.request)
  const began = { requestHash, startedAt, startedBy: asker }
  if (await insertKey(app.db, siteId, key, began, startedAt.subtract({ hours: keepHours }))) {
    app.reach('request: key on record')
    return carryOut(app, once, asker)
  }
  for (let waitedMs = 0; waitedMs < waitMsMax; waitedMs += lookEveryMs) {
    const kept = await findKey(app.db, siteId, key)
    if (kept === undefined) return answerOnce(app, once)
    if (kept.requestHash !== requestHash) throw invalid('Idempotency-Key: was used for another request.')
    if (kept.answer !== null) return JSON.parse(kept.answer) as Answer
    const abandoned = kept.startedBy !== asker && !(await listLivingAskers(app.db)).includes(kept.startedBy)
    if (abandoned && (await takeOverKey(app.db, siteId, key, kept.startedBy, asker))) {
      return carryOut(app, once, asker)
    }
    await sleep(lookEveryMs)
  }
  throw new Refusal('conflict', ['Idempotency-Key: the first request with this key is still being worked on.'])
}

async function carryOut<Answer>(app: App, once: Once<Answer>, asker: number): Promise<Answer> {
  const { siteId, key, request, act, show } = once
  let answer: Answer | undefined
  try {
    const id = await act({
      ...app,
      requestHash: hashOf(`${key}\n${request}`),
      beforeCommit: async (tx, made) => {
        answer = await show(tx, made)
        // Without the database for a moment, this process was taken for gone: then whoever repeated the request carries it out.
        if ((await keepAnswer(tx, siteId, key, asker, JSON.stringify(answer))) === 0)
          throw new Refusal('conflict', [takenOver])
        app.reach('request: answer written')
      },
    })
    if (answer !== undefined) return answer
    // An act that asked a gateway commits in steps of its own; its answer is kept as soon as it is done.
    const told = await show(app.db, id)
    await keepAnswer(app.db, siteId, key, asker, JSON.stringify(told))
    return told
  } catch (error) {
    await deleteKey(app.db, siteId, key, asker)
    throw error
  }
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

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
