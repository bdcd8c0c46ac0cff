/** What the list of a subscription's components is narrowed by: there are never many, so it is done on what was read. */
import type { SubscribedComponent } from '../billing/component.ts'
import type { Site } from '../billing/site.ts'
import { boolean, object, readInput } from '../wire/input.ts'
import { readDirection } from '../wire/paging.ts'
import type { Query } from '../wire/request.ts'
import { readIds, readTexts, readWord, refuseFilters } from './list-input.ts'

export const offeredSorts = ['id'] as const
export const pricePointKinds = ['not_null'] as const
export const offeredFlags = object({ in_use: boolean('In use') })

/** Not all that a subscription has is dated, and there are no rates between currencies. */
const notHere = [
  ...['date_field', 'start_date', 'end_date', 'start_datetime', 'end_datetime'],
  'filter[use_site_exchange_rate]',
]

const isInUse = ({ quantity, unitBalance }: SubscribedComponent): boolean =>
  Number(quantity) !== 0 || Number(unitBalance) !== 0

/** In the order that was asked for, the oldest component first as a rule. Throws `InputErrors` for a filter that is none of this list. */
export function narrowOffered(
  offered: readonly SubscribedComponent[],
  query: Query,
  { currency }: Site,
): readonly SubscribedComponent[] {
  refuseFilters(query, notHere)
  const { in_use: inUse } = readInput(offeredFlags, { in_use: query.in_use })
  const familyIds = readIds(query, 'product_family_ids')
  const currencies = readTexts(query, 'filter[currencies]')?.map((one) => one.toUpperCase()) ?? null
  const isOfPricePoint = readWord(query, 'price_point_ids', pricePointKinds, null) !== null
  readWord(query, 'sort', offeredSorts, 'id')
  const direction = readDirection(query, 'asc') === 'asc' ? 1 : -1
  return offered
    .filter((one) => typeof inUse !== 'boolean' || isInUse(one) === inUse)
    .filter(({ component }) => familyIds === null || familyIds.includes(component.productFamilyId))
    .filter(({ component }) => !isOfPricePoint || component.hasCustomPrice !== true)
    .filter(() => currencies === null || currencies.includes(currency))
    .toSorted((one, other) => direction * (one.component.id - other.component.id))
}
