/** Decides what becomes of metered usage: recorded as it happens, billed at the end of the period. */

import { Act } from './act.ts'
import type { Changes, Ids } from './changes.ts'
import type { Component } from './component.ts'
import { meteredUsage } from './component-event.ts'
import type { DecimalText } from './money.ts'
import { refuseFraction, refuseUnpriceable } from './pricing.ts'
import { addQuantities } from './quantity.ts'
import { invalid } from './refusal.ts'
import { may, momentOfAct, type SubscriptionFacts } from './subscription.ts'

/** Negative usage takes back. */
export type Usage = {
  siteId: number
  id: number
  subscriptionId: number
  componentId: number
  quantity: DecimalText
  memo: string | null
  createdAt: Temporal.Instant
}

/** Nobody counts further. */
const unitBalanceMax = 1_000_000_000_000

/**
 * The balance may fall below 0 and is billed as 0 then. Refuses states in which no period goes on, fractions of what is
 * counted in whole units, and what could not be billed.
 */
export function decideUsage(
  facts: SubscriptionFacts,
  component: Component,
  sent: { quantity: DecimalText; memo: string | null },
  now: Temporal.Instant,
  ids: Ids,
  usageId: number,
): Changes {
  const { subscription, pricing } = facts
  if (component.kind !== 'metered_component') {
    throw invalid('Usage can only be recorded for metered components.')
  }
  if (!may('record_usage', subscription.state)) {
    throw invalid(`Usage of a subscription that is ${subscription.state} cannot be recorded.`)
  }
  const { quantity } = sent
  refuseFraction(component, quantity)
  const held = pricing.components.find((one) => one.component.id === component.id)
  const before = held?.unitBalance ?? '0'
  const unitBalance = countable(component, addQuantities(before, quantity))
  const act = new Act(facts, momentOfAct(subscription, now), ids)
  const { siteId, id: subscriptionId } = subscription
  return {
    events: [meteredUsage(act.subject, { component, before, unitBalance, quantity, memo: sent.memo })],
    newUsages: [
      { siteId, id: usageId, subscriptionId, componentId: component.id, quantity, memo: sent.memo, createdAt: act.now },
    ],
    subscribedComponents: [
      { siteId, subscriptionId, componentId: component.id, quantity: held?.quantity ?? '0', unitBalance },
    ],
  }
}

/** Refuses a balance that could not be billed. */
export function countable(component: Component, unitBalance: DecimalText): DecimalText {
  if (Math.abs(Number(unitBalance)) > unitBalanceMax) throw invalid('Quantity: is too large.')
  refuseUnpriceable(component, unitBalance)
  return unitBalance
}
