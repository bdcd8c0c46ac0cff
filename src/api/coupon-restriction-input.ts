/** What a coupon is good for alone, as requests name it: by ids with true or false, or in the form in which it is shown. */
import { type RestrictedTo, restrictionTypes } from '../billing/coupon.ts'
import { flagsById, InputErrors, idNumber, isTree, listOf, object, oneOf, readInput, type Tree } from '../wire/input.ts'

const itemsMax = 1000
const required = true

export const couponRestrictionsInput = object({
  restricted_products: flagsById('Restricted products', { max: itemsMax }),
  restricted_components: flagsById('Restricted components', { max: itemsMax }),
  coupon_restrictions: listOf(
    'Coupon restrictions',
    object({
      item_type: oneOf('Coupon restrictions: Item type', restrictionTypes, { required }),
      item_id: idNumber('Coupon restrictions: Item', { required }),
    }),
    { max: itemsMax },
  ),
})

const names = Object.keys(couponRestrictionsInput.shape)

/** Restrictions of a coupon stand inside its object or beside it. */
export function withRestrictions(coupon: Tree, body: unknown): Tree {
  const beside: Tree = isTree(body) ? body : {}
  const sent = names.flatMap((name) => {
    const value = coupon[name] === undefined ? beside[name] : coupon[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...coupon, ...Object.fromEntries(sent) }
}

/**
 * What is sent of products, or of components, takes the place of what there was of them; nothing at all lifts it. Refuses to name only
 * what the coupon is not good for: with nothing left it would be good for everything.
 */
export function readRestrictions(tree: Tree, before: readonly RestrictedTo[]): readonly RestrictedTo[] {
  const sent = readInput(couponRestrictionsInput, tree)
  const listed = sent.coupon_restrictions?.map(({ item_type: itemType, item_id: itemId }) => ({ itemType, itemId }))
  const base = sent.coupon_restrictions === undefined ? before : (listed ?? [])
  const of = (
    type: RestrictedTo['itemType'],
    flags: ReadonlyMap<number, boolean> | null | undefined,
  ): RestrictedTo[] =>
    flags === undefined
      ? base.filter(({ itemType }) => itemType === type)
      : [...(flags ?? [])].filter(([, is]) => is).map(([itemId]) => ({ itemType: type, itemId }))
  const { restricted_products: products, restricted_components: components } = sent
  const all = [...of('Product', products), ...of('Component', components)]
  const excludes = [...(products?.values() ?? []), ...(components?.values() ?? [])].includes(false)
  if (all.length === 0 && excludes) {
    const label = products?.size ? 'Restricted products' : 'Restricted components'
    throw new InputErrors([`${label}: must name with true what the coupon is good for.`])
  }
  return all.filter((one, place) => place === all.findIndex((other) => isSame(one, other)))
}

const isSame = (one: RestrictedTo, other: RestrictedTo): boolean =>
  one.itemType === other.itemType && one.itemId === other.itemId
