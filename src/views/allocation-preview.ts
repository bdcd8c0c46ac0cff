/** How the rehearsal of a change of quantities is shown: the rows that the ledger would get, and what they come to. */
import type { AllocationPreview } from '../billing/allocation-preview.ts'
import { shownNumber } from '../billing/component.ts'
import type { Fields } from '../wire/shape.ts'
import { formatUtc } from '../wire/timestamp.ts'
import { allocationShape, presentPricePoint } from './allocation.ts'
import { presentTotals } from './preview.ts'
import { lineItemShape, presentLineItem } from './preview-line.ts'

export const allocationPreviewShape: Fields = {
  fields: {
    start_date: 'datetime',
    end_date: 'datetime',
    period_type: 'string',
    subtotal_in_cents: 'integer',
    total_discount_in_cents: 'integer',
    total_tax_in_cents: 'integer',
    total_in_cents: 'integer',
    existing_balance_in_cents: 'integer',
    direction: 'string',
    proration_scheme: 'string',
    line_items: { list: lineItemShape, item: 'line_item' },
    allocations: { list: allocationShape, item: 'allocation' },
  },
}

/** What there is nothing to say about is left out, not null. */
export const presentAllocationPreview = (preview: AllocationPreview, subscriptionId: number, timeZone: string) => ({
  start_date: formatUtc(preview.about.period.startsAt),
  end_date: formatUtc(preview.about.period.endsAt),
  period_type: preview.periodType,
  ...presentTotals(preview.totals),
  existing_balance_in_cents: preview.existingBalance,
  ...(preview.direction && { direction: preview.direction, proration_scheme: preview.prorationScheme }),
  line_items: preview.lines.map((line) => presentLineItem(line, preview.about, timeZone)),
  allocations: preview.steps.map(({ component, ...step }) => ({
    component_id: component.id,
    component_handle: component.handle,
    subscription_id: subscriptionId,
    quantity: shownNumber(step.quantity, component),
    previous_quantity: shownNumber(step.previousQuantity, component),
    memo: step.memo,
    ...presentPricePoint(component.id, component.hasCustomPrice === true),
    proration_upgrade_scheme: step.upgradeScheme,
    proration_downgrade_scheme: step.downgradeScheme,
  })),
})
