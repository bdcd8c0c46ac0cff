/** The site events of components: what is allocated changed, and usage was recorded. */
import { type Component, formatNumber, formatQuantity, shownNumber } from './component.ts'
import { type Builder, event, whose } from './event.ts'
import type { DecimalText } from './money.ts'

/** Clients read whole quantities as numbers, of fractional components too; any other is text, so that no digit is lost. */
const dataNumber = (quantity: DecimalText, component: Component): number | string =>
  Number.isSafeInteger(Number(quantity)) ? Number(quantity) : shownNumber(quantity, component)

type AllocationChange = {
  component: Component
  previousQuantity: DecimalText
  quantity: DecimalText
  memo: string | null
  id: number
}

export const componentAllocationChange: Builder<[change: AllocationChange]> = (subject, change) => {
  const { component, previousQuantity, quantity, memo, id } = change
  const step = `${formatNumber(component, previousQuantity)} to ${formatNumber(component, quantity)}`
  return event(
    subject,
    'component_allocation_change',
    `Allocation of ${component.name} changed on ${whose(subject)} from ${step}`,
    {
      previous_allocation: dataNumber(previousQuantity, component),
      new_allocation: dataNumber(quantity, component),
      component_id: component.id,
      component_handle: component.handle ?? '',
      memo: memo ?? '',
      allocation_id: id,
    },
    { component },
  )
}

type Metering = {
  component: Component
  before: DecimalText
  unitBalance: DecimalText
  quantity: DecimalText
  memo: string | null
}

export const meteredUsage: Builder<[metering: Metering]> = (subject, metering) => {
  const { component, before, unitBalance, quantity, memo } = metering
  const recorded = `${formatQuantity(component, quantity)} of usage (total: ${formatNumber(component, unitBalance)})`
  return event(
    subject,
    'metered_usage',
    `Recorded ${recorded} for ${subject.customerName}'s subscription`,
    {
      previous_unit_balance: formatNumber(component, before),
      new_unit_balance: dataNumber(unitBalance, component),
      usage_quantity: dataNumber(quantity, component),
      component_id: component.id,
      component_handle: component.handle ?? '',
      memo: memo ?? '',
    },
    { component },
  )
}
