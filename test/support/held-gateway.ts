/** The test gateway, but what it is asked for one subscription waits until the test lets it go: what comes meanwhile surely comes meanwhile. */
import type { Outcome } from '../../src/billing/changes.ts'
import { BogusGateway } from '../../src/gateway/bogus.ts'
import type { PurchaseRequest, RefundRequest } from '../../src/gateway/gateway.ts'

export type Hold = {
  /** The gateway was asked. */
  readonly reached: Promise<void>
  /** Whatever is asked, now and later, goes on. */
  release(): void
}

export class HeldGateway extends BogusGateway {
  readonly #holds = new Map<number, { reach(): void; released: Promise<void> }>()

  /** From now on payments and refunds of the subscription wait. */
  hold(subscriptionId: number): Hold {
    const reached = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    this.#holds.set(subscriptionId, { reach: reached.resolve, released: released.promise })
    return {
      reached: reached.promise,
      release: () => {
        this.#holds.delete(subscriptionId)
        released.resolve()
      },
    }
  }

  override async purchase(request: PurchaseRequest): Promise<Outcome> {
    await this.#wait(request)
    return super.purchase(request)
  }

  override async refund(request: RefundRequest): Promise<Outcome> {
    await this.#wait(request)
    return super.refund(request)
  }

  async #wait({ subscriptionId }: { subscriptionId: number | null }): Promise<void> {
    const hold = subscriptionId === null ? undefined : this.#holds.get(subscriptionId)
    hold?.reach()
    await hold?.released
  }
}
