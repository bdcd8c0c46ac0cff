/** What the rehearsal of a renewal may suppose: other components, or other quantities, than the subscription has. */
import type { RehearsedComponent } from '../billing/component-choice.ts'
import { quantityMax } from '../billing/component-prices.ts'
import { canonicalDecimal } from '../billing/quantity.ts'
import { decimal, isTree, listOf, object, readInput } from '../wire/input.ts'
import { componentId, componentName, pricePointId } from './allocation-input.ts'

const rehearsedInput = object(
  {
    component_id: componentId,
    quantity: decimal('Quantity', { min: 0, max: quantityMax }),
    price_point_id: pricePointId,
  },
  { error: () => 'Components: must be a list of components.' },
)

export const renewalPreviewInput = object({ components: listOf('Components', rehearsedInput, { max: 100 }) })

/** Stands under `renewal_preview` or in the body itself. Throws `InputErrors`. */
export function readRehearsed(body: unknown): RehearsedComponent[] {
  const tree = isTree(body) ? body : {}
  const { components } = readInput(renewalPreviewInput, isTree(tree.renewal_preview) ? tree.renewal_preview : tree)
  return (components ?? []).map((sent) => ({
    by: componentName(sent.component_id),
    quantity: sent.quantity ? canonicalDecimal(sent.quantity) : null,
    pricePoint: sent.price_point_id ?? null,
  }))
}
