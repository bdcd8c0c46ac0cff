/** What coupons take off charges, each of what those before it have left of the charges that it is good for. */
import { type AppliedCoupon, type Coupon, isUsedUp } from './coupon.ts'
import {
  type Cents,
  cents,
  type MinorUnit,
  percentageOf,
  shareByLargestRemainder,
  sumCents,
  zeroCents,
} from './money.ts'

/** A charge as coupons see it: of a component, or where that is null of the product itself. */
export type Discountable = { amount: Cents; isTaxable: boolean; componentId: number | null; productId: number }

/**
 * What one of the coupons takes off charges: `written` is its ledger row, `shared` the part that falls on the lines, which never
 * exceeds them. The two differ only where a coupon may leave a credit.
 */
export type Discount = { coupon: AppliedCoupon; written: Cents; shared: Cents }

/** Whether a coupon is good for a charge. */
export const covers = ({ restrictions }: Pick<Coupon, 'restrictions'>, { componentId, productId }: Discountable) =>
  restrictions.length === 0 ||
  restrictions.some(({ itemType, itemId }) =>
    componentId === null
      ? itemType === 'Product' && itemId === productId
      : itemType === 'Component' && itemId === componentId,
  )

/** Charges that neither coupons nor taxes tell apart: one sum, in however many pieces it is charged. */
type Group = { places: number[]; isCoveredBy: boolean[]; full: Cents; left: Cents }

/** Coupons that follow each other and are good for the same groups; what they take off is shared over these as one sum. */
type Run = { groups: Group[]; left: Cents; taken: Cents }

/**
 * What each takes off: one that is used up takes nothing off, and one for which nothing is left waits; neither is in the list, and
 * neither counts as used. `shares` is what falls on each of the charges, none of which is negative. Taxable charges and others have their
 * parts first, and those of restricted coupons, and then the lines of each: so the totals follow from the sums alone, whatever the order
 * of the lines and however a charge is cut into several.
 */
export function discountCharges(
  coupons: readonly AppliedCoupon[],
  charges: readonly Discountable[],
  unit: MinorUnit,
): { discounts: Discount[]; shares: Cents[] } {
  const { discounts, groups } = takeOff(coupons, charges, unit)
  return { discounts, shares: sharesOf(groups, charges, unit) }
}

/** The same without what falls on each charge; some of these may be negative, as what was given back is. */
export const discountsOf = (
  coupons: readonly AppliedCoupon[],
  charges: readonly Discountable[],
  unit: MinorUnit,
): Discount[] => takeOff(coupons, charges, unit).discounts

function takeOff(
  coupons: readonly AppliedCoupon[],
  charges: readonly Discountable[],
  unit: MinorUnit,
): { discounts: Discount[]; groups: Group[] } {
  const usable = coupons.filter((one) => !isUsedUp(one))
  const groups = usable.length === 0 ? [] : groupsOf(usable, charges)
  const discounts: Discount[] = []
  let run: Run | undefined
  for (const [place, applied] of usable.entries()) {
    const covered = groups.filter(({ isCoveredBy }) => isCoveredBy[place])
    if (run === undefined || !isSame(run.groups, covered)) {
      if (run !== undefined) share(run, unit)
      run = { groups: covered, left: sumCents(covered.map(({ left }) => left)), taken: zeroCents }
    }
    if (run.left <= 0) continue
    const discount = discountOf(applied, run, unit)
    discounts.push(discount)
    run.taken = cents(run.taken + discount.shared)
    run.left = cents(run.left - discount.shared)
  }
  if (run !== undefined) share(run, unit)
  return { discounts, groups }
}

function groupsOf(coupons: readonly AppliedCoupon[], charges: readonly Discountable[]): Group[] {
  const groups = new Map<string, Group>()
  for (const [place, charge] of charges.entries()) {
    const isCoveredBy = coupons.map(({ coupon }) => covers(coupon, charge))
    const key = [charge.isTaxable, ...isCoveredBy].map((is) => (is ? 0 : 1)).join('')
    const group = groups.get(key) ?? { places: [], isCoveredBy, full: zeroCents, left: zeroCents }
    group.places.push(place)
    group.full = cents(group.full + charge.amount)
    groups.set(key, group)
  }
  const inOrder = [...groups].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, group]) => group)
  return inOrder.map((group) => {
    // What was given back of a period may be more than was charged for it.
    const full = cents(Math.max(0, group.full))
    return { ...group, full, left: full }
  })
}

const isSame = (groups: readonly Group[], others: readonly Group[]): boolean =>
  groups.length === others.length && groups.every((group, place) => group === others[place])

function discountOf(coupon: AppliedCoupon, { groups, left }: Run, unit: MinorUnit): Discount {
  const { amount, percentage, compoundingStrategy, allowNegativeBalance } = coupon.coupon
  const base = compoundingStrategy === 'full-price' ? sumCents(groups.map(({ full }) => full)) : left
  const whole = percentage === null ? (amount ?? zeroCents) : percentageOf(base, percentage, unit)
  const shared = cents(Math.min(whole, left))
  return { coupon, written: allowNegativeBalance ? whole : shared, shared }
}

function share({ groups, taken }: Run, unit: MinorUnit): void {
  const lefts = groups.map(({ left }) => left)
  for (const [place, part] of shareByLargestRemainder(taken, lefts, unit).entries()) {
    groups[place]!.left = cents(lefts[place]! - part)
  }
}

function sharesOf(groups: readonly Group[], charges: readonly Discountable[], unit: MinorUnit): Cents[] {
  const shares = charges.map(() => zeroCents)
  for (const { places, full, left } of groups) {
    if (full === left) continue
    const weights = places.map((place) => charges[place]!.amount)
    const parts = shareByLargestRemainder(cents(full - left), weights, unit)
    for (const [at, place] of places.entries()) shares[place] = parts[at]!
  }
  return shares
}
