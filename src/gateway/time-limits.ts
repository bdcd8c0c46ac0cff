/** How long a gateway may keep us waiting: a call without an answer in time counts as a conversation that broke, and its outcome as unknown. */
import type { Gateway } from './gateway.ts'

/** In milliseconds. Both together stay below the lease of a payment attempt, so that recovery never asks beside us. */
export const timeLimits = { moveMs: 60_000, askMs: 20_000 } as const

export class GatewayTimeout extends Error {}

const limited = new WeakMap<Gateway, Gateway>()

/** The same gateway, impatient: what moves money or stores a card gets `moveMs`, a question about an earlier call gets `askMs`. */
export function withTimeLimits(gateway: Gateway, { moveMs, askMs }: Record<keyof typeof timeLimits, number>): Gateway {
  const known = limited.get(gateway)
  if (known !== undefined) return known
  const impatient: Gateway = {
    name: gateway.name,
    concurrencyMax: gateway.concurrencyMax,
    store: (card, reference) => within(moveMs, gateway.store(card, reference)),
    purchase: (request) => within(moveMs, gateway.purchase(request)),
    refund: (request) => within(moveMs, gateway.refund(request)),
    void: (reference) => within(moveMs, gateway.void(reference)),
    find: (reference) => within(askMs, gateway.find(reference)),
    findRefund: (reference) => within(askMs, gateway.findRefund(reference)),
    close: () => gateway.close(),
  }
  limited.set(gateway, impatient)
  return impatient
}

/** An answer that comes later is not listened to; that it may be an error must not end the process. */
function within<Answer>(limitMs: number, answer: Promise<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new GatewayTimeout(`no answer in ${limitMs} ms`)), limitMs)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
