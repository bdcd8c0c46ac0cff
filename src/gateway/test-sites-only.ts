/** A gateway that takes no money: it serves test sites, and refuses whatever a live site asks it to store, take or give back. */
import { type Gateway, gatewayTerms, verificationOf } from './gateway.ts'

export const liveNeedsGateway =
  'Payment gateway: a live site needs a real one, since the test gateway takes no money. Subscriptions that are paid by invoice need none.'

/** Questions, and what undoes a purchase, are passed on for every site. */
export function forTestSites(gateway: Gateway, isLive: (siteId: number) => Promise<boolean>): Gateway {
  const guarded = async <Answer>(siteId: number, ask: () => Promise<Answer>) =>
    (await isLive(siteId)) ? ({ result: 'error', message: liveNeedsGateway } as const) : ask()
  return {
    ...gatewayTerms(gateway),
    isForTests: true,
    store: (card, reference) => guarded(reference.siteId, () => gateway.store(card, reference)),
    ...verificationOf(gateway, ({ siteId }, verify) => guarded(siteId, verify)),
    purchase: (request) => guarded(request.siteId, () => gateway.purchase(request)),
    refund: (request) => guarded(request.siteId, () => gateway.refund(request)),
    void: (reference) => gateway.void(reference),
    find: (reference) => gateway.find(reference),
    findRefund: (reference) => gateway.findRefund(reference),
    close: () => gateway.close(),
  }
}
