/** What a customer may do to a subscription in the portal: what the site allows and the state admits. */
import type { PortalSettings } from './portal-settings.ts'
import { may, type Subscription } from './subscription.ts'

export const portalActs = [
  'pay',
  'change_card',
  'change_product',
  'cancel_at_once',
  'cancel_at_period_end',
  'keep',
  'reactivate',
] as const
export type PortalAct = (typeof portalActs)[number]

/** Pages offer these and no others, and the acts themselves ask here again. */
export function actsOffered(subscription: Subscription, settings: PortalSettings): ReadonlySet<PortalAct> {
  const { state, balance, paymentCollectionMethod, cancelAtEndOfPeriod, collectingAttemptId } = subscription
  const isAutomatic = paymentCollectionMethod === 'automatic'
  const isIdle = collectingAttemptId === null
  const goesOn = may('assess', state) || state === 'on_hold' || state === 'awaiting_signup'
  const isLeaving = cancelAtEndOfPeriod === true
  const changesProduct = may(settings.productChange === 'now' ? 'migrate' : 'changeProductLater', state)
  const offered: Record<PortalAct, boolean> = {
    pay: settings.mayPay && isAutomatic && balance > 0 && isIdle && may('retry', state),
    change_card: settings.mayChangeCard && (goesOn || may('reactivate', state)),
    change_product: settings.mayChangeProduct && isIdle && !isLeaving && changesProduct,
    cancel_at_once: settings.mayCancelAtOnce && goesOn && isIdle,
    cancel_at_period_end: settings.mayCancelAtPeriodEnd && !isLeaving && may('cancelAtEndOfPeriod', state),
    keep: (settings.mayCancelAtPeriodEnd || settings.mayReactivate) && isLeaving && may('assess', state),
    // What is unpaid is paid and goes on; only what has ended begins anew.
    reactivate: settings.mayReactivate && isIdle && state !== 'unpaid' && may('reactivate', state),
  }
  return new Set(portalActs.filter((act) => offered[act]))
}
