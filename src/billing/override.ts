/** The four fields that a merchant may rewrite, and that nothing follows from. */
import type { Changes } from './changes.ts'
import type { Subscription } from './subscription.ts'

export type Override = Partial<Pick<Subscription, 'activatedAt' | 'canceledAt' | 'cancellationMessage' | 'expiresAt'>>

/** No event, no other field, not even the time of the last change. */
export const decideOverride = (subscription: Subscription, override: Override): Changes => ({
  subscription: { ...subscription, ...override },
})
