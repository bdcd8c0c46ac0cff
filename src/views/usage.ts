/** How recorded usage is shown. */
import { shownNumber } from '../billing/component.ts'
import type { Usage } from '../billing/usage.ts'
import type { Fields } from '../wire/shape.ts'
import { formatTimestamp } from '../wire/timestamp.ts'

/** Quantities have no type of their own: whole ones are integers, others text. */
export const usageShape: Fields = {
  fields: {
    id: 'integer',
    memo: 'string',
    created_at: 'datetime',
    component_id: 'integer',
    component_handle: 'string',
    subscription_id: 'integer',
  },
}

type ShownUsage = { usage: Usage; componentHandle: string | null; allowFractionalQuantities: boolean }

export const presentUsage = (shown: ShownUsage, timeZone: string) => ({
  id: shown.usage.id,
  memo: shown.usage.memo,
  created_at: formatTimestamp(shown.usage.createdAt, timeZone),
  quantity: shownNumber(shown.usage.quantity, shown),
  component_id: shown.usage.componentId,
  component_handle: shown.componentHandle,
  subscription_id: shown.usage.subscriptionId,
})
