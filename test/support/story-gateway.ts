/** The test gateway on a line that can break: it may fall silent for a site, and something may happen while it is asked. */
import type { Outcome } from '../../src/billing/changes.ts'
import { BogusGateway } from '../../src/gateway/bogus.ts'
import type { CallReference, PurchaseRequest, RefundRequest } from '../../src/gateway/gateway.ts'

export class StoryGateway extends BogusGateway {
  readonly silentSites = new Set<number>()
  /** By subscription; each runs once, before the answer to its next payment. */
  readonly meanwhile = new Map<number, () => Promise<unknown>>()

  override async purchase(request: PurchaseRequest): Promise<Outcome> {
    const happens = this.meanwhile.get(request.subscriptionId)
    this.meanwhile.delete(request.subscriptionId)
    await happens?.()
    const outcome = await super.purchase(request)
    this.#breakIfSilent(request.siteId)
    return outcome
  }

  override async find(reference: CallReference): Promise<Outcome | { result: 'not_found' }> {
    this.#breakIfSilent(reference.siteId)
    return super.find(reference)
  }

  override async refund(request: RefundRequest): Promise<Outcome> {
    const outcome = await super.refund(request)
    this.#breakIfSilent(request.siteId)
    return outcome
  }

  override async findRefund(reference: CallReference): Promise<Outcome | { result: 'not_found' }> {
    this.#breakIfSilent(reference.siteId)
    return super.findRefund(reference)
  }

  #breakIfSilent(siteId: number): void {
    if (this.silentSites.has(siteId)) throw new Error('the line is dead')
  }
}
