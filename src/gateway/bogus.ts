/** The test gateway: a stranger's system in miniature, with its own memory, its own faults, and no view of our transactions. */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Outcome } from '../billing/changes.ts'
import type { Clock } from '../host/clock.ts'
import {
  type Behaviour,
  BogusRecord,
  type Call,
  type CallKind,
  type ListedCall,
  type RecordedCall,
} from './bogus-record.ts'
import {
  answerFor,
  declineMessage,
  errorMessage,
  isVerified,
  successMessage,
  vaultTokenFor,
  verifiedToken,
  wrongDepositsMessage,
} from './bogus-rules.ts'
import type {
  CallReference,
  Gateway,
  Gateways,
  NewBankAccount,
  NewCard,
  PurchaseRequest,
  RefundRequest,
  StoreOutcome,
  VerificationRequest,
} from './gateway.ts'

export const bogusGatewayName = 'bogus'

/** How long a site's behaviour may be remembered: long enough for a burst of calls, too short to be noticed. */
const behaviourMemoryMs = 50

const lostAnswer = { result: 'unknown', message: 'The gateway broke the connection before it answered.' } as const

export class BogusGateway implements Gateway {
  readonly name = bogusGatewayName
  readonly concurrencyMax = 256
  /** It waits a minute at the most, as it is told to, and then writes. */
  readonly callSecondsMax = 90
  /** Its record is kept for good. */
  readonly keySecondsMax = null
  readonly isForTests = true
  readonly #record: BogusRecord
  readonly #clock: Clock
  readonly #behaviours = new Map<number, { behaviour: Promise<Behaviour>; readAt: number }>()

  constructor(connection: pg.PoolConfig, clock: Clock) {
    this.#record = new BogusRecord(connection)
    this.#clock = clock
  }

  async store(instrument: NewCard | NewBankAccount, reference: CallReference): Promise<StoreOutcome> {
    const vaultToken = vaultTokenFor(instrument)
    const behaviour = await this.#behave(reference.siteId)
    const failed = vaultToken === undefined || Math.random() < behaviour.errorRate
    const base = {
      ...reference,
      kind: 'store',
      amountInCents: 0,
      vaultToken: failed ? null : vaultToken,
      subscriptionId: null,
    } as const
    const kept = await this.#keep({
      ...base,
      outcome: failed ? 'error' : 'approved',
      message: failed ? errorMessage : successMessage,
    })
    if (failed) return { result: 'error', message: errorMessage }
    if (Math.random() < behaviour.loseAnswerRate) return { result: 'unknown', message: lostAnswer.message }
    return approvedToken(kept.vaultToken ?? vaultToken)
  }

  async verifyBankAccount({ vaultToken: sent, deposits, ...reference }: VerificationRequest): Promise<StoreOutcome> {
    const behaviour = await this.#behave(reference.siteId)
    const failed = Math.random() < behaviour.errorRate
    const vaultToken = verifiedToken(sent, deposits)
    const outcome = failed ? 'error' : vaultToken === undefined ? 'declined' : 'approved'
    const message = { error: errorMessage, declined: wrongDepositsMessage, approved: successMessage }[outcome]
    const call = { ...reference, kind: 'verify', amountInCents: 0, vaultToken: vaultToken ?? sent } as const
    await this.#keep({ ...call, subscriptionId: null, outcome, message })
    if (outcome !== 'error' && Math.random() < behaviour.loseAnswerRate) return lostAnswer
    return outcome === 'approved' ? approvedToken(vaultToken ?? sent) : { result: outcome, message }
  }

  async purchase({ siteId, subscriptionId, idempotencyKey, amount, vaultToken }: PurchaseRequest): Promise<Outcome> {
    const behaviour = await this.#behave(siteId)
    const answer = this.#decide(vaultToken, behaviour)
    const call = {
      siteId,
      idempotencyKey,
      kind: 'purchase',
      amountInCents: amount,
      vaultToken,
      subscriptionId,
      ...answer,
    } as const
    // An answer that was given stands, also when this call would have gone wrong.
    const earlier = answer.outcome === 'error' ? await this.#record.find(call) : undefined
    return this.#answer(earlier ?? (await this.#keep(call)), amount, behaviour)
  }

  async refund(request: RefundRequest): Promise<Outcome> {
    const { siteId, subscriptionId, idempotencyKey, amount, gatewayTransactionId } = request
    const behaviour = await this.#behave(siteId)
    const purchase = await this.#record.findPurchase(siteId, gatewayTransactionId)
    if (purchase === undefined) return { result: 'error', message: 'Bogus Gateway: there is nothing to refund' }
    const answer = this.#decide(purchase.vaultToken ?? '', behaviour)
    const { vaultToken } = purchase
    const call = {
      siteId,
      idempotencyKey,
      kind: 'refund',
      amountInCents: amount,
      vaultToken,
      subscriptionId,
      ...answer,
    } as const
    const earlier = await this.#record.find(call)
    const kept =
      earlier ??
      (answer.outcome === 'approved'
        ? await this.#record.keepRefund(call, purchase, this.#clock.now())
        : await this.#keep(call))
    return this.#answer(kept, amount, behaviour)
  }

  /** What is told of a call that was kept: the line may break after it. */
  #answer(kept: RecordedCall, amount: number, behaviour: Behaviour): Outcome {
    if (kept.amountInCents !== amount) {
      return { result: 'error', message: 'Bogus Gateway: this idempotency key was used with another amount' }
    }
    return kept.outcome !== 'error' && Math.random() < behaviour.loseAnswerRate ? lostAnswer : outcomeOf(kept)
  }

  #decide(vaultToken: string, behaviour: Behaviour): Pick<Call, 'outcome' | 'message'> {
    if (Math.random() < behaviour.errorRate) return { outcome: 'error', message: errorMessage }
    if (Math.random() < behaviour.declineRate) return { outcome: 'declined', message: declineMessage }
    return answerFor(vaultToken)
  }

  find(reference: CallReference): Promise<Outcome | { result: 'not_found' }> {
    return this.#find(reference, 'purchase')
  }

  findRefund(reference: CallReference): Promise<Outcome | { result: 'not_found' }> {
    return this.#find(reference, 'refund')
  }

  async #find({ siteId, idempotencyKey }: CallReference, kind: CallKind): Promise<Outcome | { result: 'not_found' }> {
    const call = await this.#record.find({ siteId, kind, idempotencyKey })
    return call ? outcomeOf(call) : { result: 'not_found' }
  }

  async void({ siteId, idempotencyKey }: CallReference): Promise<Outcome> {
    const purchase = await this.#record.find({ siteId, kind: 'purchase', idempotencyKey })
    if (purchase?.outcome !== 'approved') return { result: 'error', message: 'Bogus Gateway: there is nothing to void' }
    return outcomeOf(await this.#keep({ ...purchase, kind: 'void', message: successMessage }))
  }

  async #behave(siteId: number): Promise<Behaviour> {
    const now = performance.now()
    let known = this.#behaviours.get(siteId)
    if (known === undefined || now - known.readAt > behaviourMemoryMs) {
      known = { behaviour: this.#record.behaviour(siteId), readAt: now }
      this.#behaviours.set(siteId, known)
    }
    const behaviour = await known.behaviour
    if (behaviour.latencyInMs > 0) await sleep(behaviour.latencyInMs)
    return behaviour
  }

  #keep(call: Call): Promise<RecordedCall> {
    return this.#record.keep(call, this.#clock.now())
  }

  behaviour(siteId: number): Promise<Behaviour> {
    return this.#record.behaviour(siteId)
  }

  /** Counts at once in this process, and in others as soon as they look again. */
  async setBehaviour(siteId: number, behaviour: Behaviour): Promise<void> {
    await this.#record.setBehaviour(siteId, behaviour)
    this.forgetBehaviour(siteId)
  }

  /** Forgets remembered behaviour, for one that was set past this gateway. */
  forgetBehaviour(siteId: number): void {
    this.#behaviours.delete(siteId)
  }

  listCalls(siteId: number, part: { sinceId: number; perPage: number; offset: number }): Promise<ListedCall[]> {
    return this.#record.list(siteId, part)
  }

  /** Forgets a site's calls; how it behaves towards the site stays. */
  clear(siteId: number): Promise<void> {
    return this.#record.clear(siteId)
  }

  close(): Promise<void> {
    return this.#record.close()
  }
}

const approvedToken = (vaultToken: string): StoreOutcome => ({
  result: 'approved',
  vaultToken,
  customerVaultToken: null,
  verified: isVerified(vaultToken),
})

const outcomeOf = (call: RecordedCall): Outcome =>
  call.outcome === 'approved'
    ? { result: 'approved', gatewayTransactionId: String(call.id), message: call.message }
    : { result: call.outcome, message: call.message }

/** The test gateway of this installation, if it has one. */
export function bogusGatewayIn(gateways: Gateways): BogusGateway | undefined {
  const gateway = gateways.get(bogusGatewayName)
  return gateway instanceof BogusGateway ? gateway : undefined
}
