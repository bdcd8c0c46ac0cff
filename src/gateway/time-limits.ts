/** How long a gateway may keep us waiting: a call without an answer in time counts as a conversation that broke, and its outcome as unknown. */
import { realTimers, type Timers } from '../host/timers.ts'
import { type Gateway, gatewayTerms, verificationOf } from './gateway.ts'

/** In milliseconds. */
export const timeLimits = { moveMs: 60_000, askMs: 20_000 } as const

/** The call goes on all the same: `answer` is what it may still come to. */
export class GatewayTimeout extends Error {
  readonly answer: Promise<unknown>

  constructor(message: string, answer: Promise<unknown>) {
    super(message)
    this.answer = answer
  }
}

const limited = new WeakMap<Gateway, Gateway>()

/** The same gateway, impatient: what moves money or stores a card gets `moveMs`, a question about an earlier call gets `askMs`. */
export function withTimeLimits(
  gateway: Gateway,
  { moveMs, askMs }: Record<keyof typeof timeLimits, number>,
  timers: Timers = realTimers,
): Gateway {
  const known = limited.get(gateway)
  if (known !== undefined) return known
  const moving = <Answer>(answer: Promise<Answer>) => within(timers, moveMs, answer)
  const asking = <Answer>(answer: Promise<Answer>) => within(timers, askMs, answer)
  const impatient: Gateway = {
    ...gatewayTerms(gateway),
    store: (card, reference) => moving(gateway.store(card, reference)),
    ...verificationOf(gateway, (_, verify) => moving(verify())),
    purchase: (request) => moving(gateway.purchase(request)),
    refund: (request) => moving(gateway.refund(request)),
    void: (reference) => moving(gateway.void(reference)),
    find: (reference) => asking(gateway.find(reference)),
    findRefund: (reference) => asking(gateway.findRefund(reference)),
    close: () => gateway.close(),
  }
  limited.set(gateway, impatient)
  return impatient
}

/** That an answer after the time may be an error must not end the process. */
function within<Answer>(timers: Timers, limitMs: number, answer: Promise<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const timer = timers.after(limitMs, () => reject(new GatewayTimeout(`no answer in ${limitMs} ms`, answer)))
    answer.then(resolve, reject).finally(() => timer.cancel())
  })
}
