/** Verifies a stored bank account by two small deposits that its customer found on it. */
import { randomUUID } from 'node:crypto'
import { subjectOf } from '../billing/act.ts'
import { profileUpdate } from '../billing/life-event.ts'
import type { Cents } from '../billing/money.ts'
import { invalid, notFound } from '../billing/refusal.ts'
import { listFacts } from '../store/facts.ts'
import {
  findPaymentProfile,
  listSubscriptionsPaidBy,
  lockPaymentProfile,
  updatePaymentProfileRow,
} from '../store/payment-profiles.ts'
import { type App, gatewayOf, siteAndNow, write } from './app.ts'
import { commit } from './commit.ts'
import { approved } from './store-card.ts'

/** The gateway compares the amounts; what it refuses, in its words, changes nothing. Gives the account's id. */
export async function verifyBankAccount(
  app: App,
  siteId: number,
  id: number,
  deposits: readonly [Cents, Cents],
): Promise<number> {
  const [{ site, now }, account] = await Promise.all([
    siteAndNow(app, app.db, siteId),
    findPaymentProfile(app.db, siteId, id),
  ])
  if (account?.paymentType !== 'bank_account') throw notFound()
  const { vaultToken, verified, currentVault } = account
  if (verified) throw invalid('Bank account: is verified already.')
  const gateway = gatewayOf(app, currentVault)
  if (gateway?.verifyBankAccount === undefined) throw invalid('Bank account: its gateway verifies none by deposits.')
  const idempotencyKey = `verification-${randomUUID()}`
  const answer = await approved(gateway.verifyBankAccount({ siteId, idempotencyKey, vaultToken, deposits }))
  return write(app, async (tx) => {
    const current = await lockPaymentProfile(tx, siteId, id)
    if (current === undefined) throw notFound()
    if (current.vaultToken !== vaultToken) throw invalid('Bank account: was changed meanwhile.')
    const changed = { ...current, vaultToken: answer.vaultToken, verified: true, updatedAt: now }
    await updatePaymentProfileRow(tx, changed)
    const facts = await listFacts(tx, site, await listSubscriptionsPaidBy(tx, siteId, current))
    const events = [...facts.values()].map((known) =>
      profileUpdate(subjectOf(known, now), current.paymentType, { previousProfile: current }),
    )
    await commit(app, tx, siteId, [{ events }])
    return id
  })
}
