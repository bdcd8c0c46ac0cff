/** How a line of a rehearsal is shown: the row that the ledger would get, what it is about, and for which days. */
import type { PreviewLine } from '../billing/allocation-preview.ts'
import type { Period } from '../billing/calendar.ts'
import type { AboutLines } from '../billing/preview.ts'
import type { Fields } from '../wire/shape.ts'

export const lineItemShape: Fields = {
  fields: {
    transaction_type: 'string',
    kind: 'string',
    amount_in_cents: 'integer',
    memo: 'string',
    discount_amount_in_cents: 'integer',
    taxable_amount_in_cents: 'integer',
    component_id: 'integer',
    component_handle: 'string',
    component_name: 'string',
    product_id: 'integer',
    product_handle: 'string',
    product_name: 'string',
    period_range_start: 'string',
    period_range_end: 'string',
  },
}

/** What a line is not about is null: coupons and taxes are about no product, and about no time, as what is charged once. */
export function presentLineItem(line: PreviewLine, about: AboutLines, timeZone: string) {
  const component = about.components.find(({ id }) => id === line.componentId)
  const product = isOfProduct(line) ? about.product : undefined
  const period = periodOf(line, about)
  return {
    transaction_type: line.type,
    kind: line.kind,
    amount_in_cents: line.amount,
    memo: line.memo,
    discount_amount_in_cents: line.discountAmount,
    taxable_amount_in_cents: line.taxableAmount,
    component_id: line.componentId,
    component_handle: component?.handle ?? null,
    component_name: component?.name ?? null,
    product_id: product?.productId ?? null,
    product_handle: product?.handle ?? null,
    product_name: product?.name ?? null,
    period_range_start: period && dayOf(period.startsAt, timeZone),
    period_range_end: period && dayOf(period.endsAt, timeZone),
  }
}

const isOfProduct = ({ kind }: PreviewLine): boolean => kind === 'baseline' || kind === 'trial' || kind === 'initial'

function periodOf({ kind, isOneTime }: PreviewLine, { period, usagePeriod }: AboutLines): Period | null {
  if (isOneTime) return null
  switch (kind) {
    case 'baseline':
    case 'trial':
    case 'quantity_based_component':
    case 'on_off_component':
      return period
    case 'metered_component':
      return usagePeriod
    default:
      return null
  }
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `13 Jan 2027` */
function dayOf(instant: Temporal.Instant, timeZone: string): string {
  const { day, month, year } = instant.toZonedDateTimeISO(timeZone)
  return `${String(day).padStart(2, '0')} ${months[month - 1]} ${year}`
}
