/**
 * A gateway that keeps the contract of the port and is as unpleasant as that allows: it answers late, twice, differently for one key,
 * or not at all, and forgets keys. What becomes of a call depends on the seed, its key and how often that key was called before.
 */
import type { Outcome } from '../../src/billing/changes.ts'
import type { CallReference, Gateway, PurchaseRequest, RefundRequest, StoreOutcome } from '../../src/gateway/gateway.ts'
import { chances, type SimulatedTime } from './simulated-time.ts'

const callSecondsMax = 100
const keySecondsMax = 6 * 3600

export type Temper = {
  /** How often a call is refused at the door, with nothing done. */
  errors: number
  declines: number
  /** How often money moves and the answer is lost. */
  losses: number
  /** How often a call takes long: up to `callSecondsMax`. */
  delays: number
  /** How often a question goes unanswered. */
  deafness: number
  /** How often it denies what it did, which breaks its contract: then what a process heard must find its place all the same. */
  lies: number
}

export const calm: Temper = { errors: 0, declines: 0, losses: 0, delays: 0, deafness: 0, lies: 0 }

export type Capture = {
  kind: 'purchase' | 'refund'
  key: string
  subscriptionId: number
  amount: number
  id: string
  atMs: number
  /** A process that lives was told of it. */
  isHeard: boolean
}

type Known = { state: 'new' | 'running' | 'captured' | 'declined'; firstMs: number; calls: number; capture?: Capture }

type Work = {
  kind: Capture['kind']
  key: string
  request: PurchaseRequest | RefundRequest
  workMs: number
  decline: boolean
}

const broken = new Error('the connection broke')

export class StrangeGateway {
  temper: Temper = calm
  /** Whose answers arrive: calls of a process that is gone go on, and nobody hears of them. */
  readonly captures: Capture[] = []
  readonly voided = new Set<string>()
  readonly #keys = new Map<string, Known>()
  readonly #names = new Map<string, number>()
  readonly #time: SimulatedTime
  readonly #seed: number
  readonly #say: (line: string) => void
  #underWay = 0

  constructor(time: SimulatedTime, seed: number, say: (line: string) => void) {
    this.#time = time
    this.#seed = seed
    this.#say = say
  }

  /** Keys carry ids of the database, which differ from run to run; the order in which keys are seen does not. */
  #nameOf(key: string): number {
    const known = this.#names.get(key) ?? this.#names.size
    this.#names.set(key, known)
    return known
  }

  /** Calls that have not come to their end here. */
  get underWay(): number {
    return this.#underWay
  }

  /** What was captured under a key and not voided. */
  held = (): Capture[] => this.captures.filter(({ id }) => !this.voided.has(id))

  /** As one process has it: its answers pass through the gate of that process. */
  port(pass: () => Promise<void>): Gateway {
    const heard = async <Answer extends { result: string }>(asked: Promise<Answer>): Promise<Answer> => {
      const [settled] = await Promise.allSettled([asked])
      await pass()
      if (settled.status === 'rejected') throw settled.reason
      const answer = settled.value
      const id = 'gatewayTransactionId' in answer ? answer.gatewayTransactionId : undefined
      for (const capture of this.captures) if (capture.id === id) capture.isHeard = true
      return answer
    }
    return {
      name: 'bogus',
      concurrencyMax: 3,
      callSecondsMax,
      keySecondsMax,
      store: () => heard(this.#store()),
      purchase: (request) => heard(this.#move('purchase', request)),
      refund: (request) => heard(this.#move('refund', request)),
      find: (reference) => heard(this.#find('purchase', reference)),
      findRefund: (reference) => heard(this.#find('refund', reference)),
      void: (reference) => heard(this.#void(reference)),
      close: async () => {},
    }
  }

  #store = async (): Promise<StoreOutcome> => ({ result: 'approved', vaultToken: '1', customerVaultToken: null })

  async #move(kind: Capture['kind'], request: PurchaseRequest | RefundRequest): Promise<Outcome> {
    const { idempotencyKey: key } = request
    const known = this.#know(kind, key)
    known.calls += 1
    const draw = chances(this.#seed, kind, this.#nameOf(key), known.calls)
    const { errors, declines, losses, delays } = this.temper
    const isSlow = draw() < delays
    const wayMs = isSlow ? draw() * callSecondsMax * 700 : draw() * 800
    const workMs = isSlow ? draw() * callSecondsMax * 250 : draw() * 800
    const [error, decline, loss] = [draw() < errors, draw() < declines, draw() < losses]
    this.#underWay += 1
    try {
      await this.#time.sleep(wayMs)
      if (error) return this.#answer(kind, key, { result: 'error', message: 'The gateway could not try.' })
      const outcome = await this.#work(known, { kind, key, request, workMs, decline })
      if (loss && outcome.result !== 'error') {
        this.#say(`gateway: the answer to ${kind} ${key} is lost`)
        throw broken
      }
      return this.#answer(kind, key, outcome)
    } finally {
      this.#underWay -= 1
    }
  }

  async #work(known: Known, { kind, key, request, workMs, decline }: Work): Promise<Outcome> {
    if (known.state === 'running') return { result: 'error', message: 'A call with this key is being worked on.' }
    if (known.state === 'new') {
      known.state = 'running'
      await this.#time.sleep(workMs)
      this.#end(known, kind, key, request, decline && kind === 'purchase')
    }
    return outcomeOf(known)
  }

  #end(
    known: Known,
    kind: Capture['kind'],
    key: string,
    request: PurchaseRequest | RefundRequest,
    declines: boolean,
  ): void {
    if (declines) {
      known.state = 'declined'
      return
    }
    const { subscriptionId, amount } = request
    const capture = {
      kind,
      key,
      subscriptionId,
      amount,
      id: `g${this.captures.length + 1}`,
      atMs: this.#time.nowMs,
      isHeard: false,
    }
    this.captures.push(capture)
    Object.assign(known, { state: 'captured', capture })
    this.#say(`gateway: ${kind} ${key} of ${amount} for ${subscriptionId} takes place`)
  }

  #answer(kind: string, key: string, outcome: Outcome): Outcome {
    this.#say(`gateway: answers ${kind} ${key}: ${outcome.result}`)
    return outcome
  }

  /** A key is forgotten after its lifetime, unless it is being worked on. */
  #know(kind: string, key: string): Known {
    const name = `${kind} ${key}`
    const known = this.#keys.get(name)
    const isExpired = known !== undefined && this.#time.nowMs - known.firstMs > keySecondsMax * 1000
    if (known !== undefined && (!isExpired || known.state === 'running')) return known
    const fresh: Known = { state: 'new', firstMs: this.#time.nowMs, calls: known?.calls ?? 0 }
    this.#keys.set(name, fresh)
    return fresh
  }

  async #find(
    kind: Capture['kind'],
    { idempotencyKey: key }: CallReference,
  ): Promise<Outcome | { result: 'not_found' }> {
    const draw = chances(this.#seed, 'find', this.#nameOf(key), this.#time.nowMs)
    await this.#time.sleep(draw() * 900)
    if (draw() < this.temper.deafness) throw broken
    const known = this.#keys.get(`${kind} ${key}`)
    // It forgets with the key what it did under it.
    const isForgotten = known !== undefined && this.#time.nowMs - known.firstMs > keySecondsMax * 1000
    const capture = this.captures.find((one) => one.kind === kind && one.key === key)
    if (isForgotten || draw() < this.temper.lies) return { result: 'not_found' }
    if (capture !== undefined) return approved(capture)
    const state = known?.state
    return state === 'declined' ? { result: 'declined', message: 'Declined.' } : { result: 'not_found' }
  }

  async #void({
    idempotencyKey: key,
    gatewayTransactionId: id,
  }: CallReference & { gatewayTransactionId: string }): Promise<Outcome> {
    const draw = chances(this.#seed, 'void', this.#nameOf(key), this.#time.nowMs)
    await this.#time.sleep(draw() * 900)
    if (draw() < this.temper.errors) return { result: 'error', message: 'The gateway could not try.' }
    if (!this.captures.some((one) => one.id === id && one.key === key))
      return { result: 'error', message: 'There is nothing to void.' }
    if (!this.voided.has(id)) this.#say(`gateway: undoes ${key} (${id})`)
    this.voided.add(id)
    if (draw() < this.temper.losses) throw broken
    return { result: 'approved', gatewayTransactionId: `${id}v`, message: 'Undone.' }
  }
}

const approved = ({ id }: Capture): Outcome => ({ result: 'approved', gatewayTransactionId: id, message: 'Approved.' })

function outcomeOf({ state, capture }: Known): Outcome {
  if (capture !== undefined) return approved(capture)
  if (state === 'declined') return { result: 'declined', message: 'Declined.' }
  throw new Error(`a key that is ${state} has no outcome`)
}
