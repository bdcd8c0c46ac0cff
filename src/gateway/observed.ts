/** A gateway whose calls are timed and told of, with what came of them. */
import { type Gateway, gatewayTerms, verificationOf } from './gateway.ts'

export type Observe = (seen: { gateway: string; call: string; outcome: string; seconds: number }) => void

/** `outcome` is that of the answer, or `broken` where the call threw. */
export function observed(gateway: Gateway, observe: Observe): Gateway {
  const { name } = gateway
  const timed = async <Answer extends { result: string }>(call: string, asked: Promise<Answer>): Promise<Answer> => {
    const start = performance.now()
    let outcome = 'broken'
    try {
      const answer = await asked
      outcome = answer.result
      return answer
    } finally {
      observe({ gateway: name, call, outcome, seconds: (performance.now() - start) / 1000 })
    }
  }
  return {
    ...gatewayTerms(gateway),
    store: (card, reference) => timed('store', gateway.store(card, reference)),
    ...verificationOf(gateway, (_, verify) => timed('verify', verify())),
    purchase: (request) => timed('purchase', gateway.purchase(request)),
    refund: (request) => timed('refund', gateway.refund(request)),
    void: (reference) => timed('void', gateway.void(reference)),
    find: (reference) => timed('find', gateway.find(reference)),
    findRefund: (reference) => timed('find_refund', gateway.findRefund(reference)),
    close: () => gateway.close(),
  }
}
