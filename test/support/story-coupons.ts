/** How stories tell of coupons and taxes, and how they are made. */
import { addCoupon, addCoupons } from '../../src/actions/add-coupon.ts'
import type { App } from '../../src/actions/app.ts'
import { createCoupon } from '../../src/actions/create-coupon.ts'
import { createTax, type TaxTerms } from '../../src/actions/create-tax.ts'
import { removeCoupon } from '../../src/actions/remove-coupon.ts'
import { updateSubscription } from '../../src/actions/update-subscription.ts'
import type { CouponTerms, RestrictedTo } from '../../src/billing/coupon.ts'
import { parseDecimalAmount } from '../../src/billing/money.ts'
import { sql } from '../../src/store/sql.ts'
import type { LifeDeed } from './story-acts.ts'

/** `goodFor` names products and components by their handles. */
export type StoryCoupon = Partial<CouponTerms> & { code: string; goodFor: readonly string[] }

/** `coupon HALF: 50% off for 2 periods, 1 use` · `coupon GIFT: 120.00 off once, leaves a credit` · `coupon VIP: 10% off for good, on pro and users`. */
export function readCoupon(line: string): StoryCoupon {
  const found =
    /^coupon (\S+): (?:([\d.]+)%|([\d.]+)) off (once|for good|for (\d+) periods)(, leaves a credit)?(, of the full price)?(, alone)?(?:, on (\S+(?: and \S+)*))?(, not on allocations)?(?:, (\d+) uses?)?$/.exec(
      line,
    )
  if (found === null) throw new Error('does not read as a coupon')
  const [, code, percentage, amount, duration, periods, credit, full, alone, names, notOnAllocations, uses] = found
  return {
    code: code!,
    percentage: percentage ?? null,
    amount: amount === undefined ? null : parseDecimalAmount(amount)!,
    recurring: duration !== 'once',
    durationPeriodCount: periods === undefined ? null : Number(periods),
    allowNegativeBalance: credit !== undefined,
    compoundingStrategy: full === undefined ? 'compound' : 'full-price',
    stackable: alone === undefined,
    conversionLimit: uses === undefined ? null : Number(uses),
    goodFor: names?.split(' and ') ?? [],
    excludeMidPeriodAllocations: notOnAllocations !== undefined,
  }
}

/** `tax PA Sales Tax: 6.0% in US-PA` · `tax VAT: 19% in DE`. */
export function readTax(line: string): TaxTerms {
  const found = /^tax ([^:]+): ([\d.]+)% in ([A-Z]{2})(?:-([A-Z]{2}))?$/.exec(line)
  if (found === null) throw new Error('does not read as a tax')
  const [, name, rate, country, state] = found
  return { name: name!, rate: rate!, country: country!, state: state ?? null }
}

export async function makeCouponsAndTaxes(
  app: App,
  siteId: number,
  familyId: number,
  { coupons, taxes }: { coupons: readonly StoryCoupon[]; taxes: readonly TaxTerms[] },
): Promise<void> {
  for (const { goodFor, ...coupon } of coupons) {
    const { code } = coupon
    const description = `the coupon ${code}`
    const restrictions = await findSold(app, siteId, goodFor)
    await createCoupon(app, siteId, familyId, (blank) => ({
      ...blank,
      name: code,
      description,
      ...coupon,
      restrictions,
    }))
  }
  for (const tax of taxes) await createTax(app, siteId, tax)
}

async function findSold({ db }: App, siteId: number, handles: readonly string[]): Promise<RestrictedTo[]> {
  const rows = await db.arrays(sql`
    select 'Product', p.id, p.handle from products p where p.site_id = ${siteId}
    union all select 'Component', m.id, m.handle from components m where m.site_id = ${siteId}`)
  return handles.map((handle) => {
    const found = rows.find((row) => row[2] === handle)
    if (found === undefined) throw new Error(`there is no ${handle} for a coupon to be on`)
    return { itemType: found[0] as RestrictedTo['itemType'], itemId: found[1] as number }
  })
}

const nothingElse = { products: { product: null, isDelayed: false }, customer: {}, card: null }

type Groups = { [name: string]: string | undefined }

export const couponDeeds: readonly [RegExp, (groups: Groups) => LifeDeed][] = [
  [
    /^add coupon (?<code>\S+) to (?<name>[\w-]+)$/,
    ({ name, code }) => ({ deed: 'life', name: name!, act: (app, siteId, id) => addCoupon(app, siteId, id, code!) }),
  ],
  [
    /^add (?<codes>\S+(?: and \S+)*) beside the coupons of (?<name>[\w-]+)$/,
    ({ name, codes }) => ({
      deed: 'life',
      name: name!,
      act: (app, siteId, id) => addCoupons(app, siteId, id, codes!.split(' and ')),
    }),
  ],
  [
    /^have (?<codes>\S+(?: and \S+)*) on (?<name>[\w-]+)$/,
    ({ name, codes }) => ({
      deed: 'life',
      name: name!,
      act: (app, siteId, id) =>
        updateSubscription(app, siteId, id, { ...nothingElse, couponCodes: codes!.split(' and ') }),
    }),
  ],
  [
    /^remove (?:the coupon|(?<code>\S+)) of (?<name>[\w-]+)$/,
    ({ name, code }) => ({
      deed: 'life',
      name: name!,
      act: (app, siteId, id) => removeCoupon(app, siteId, id, code ?? null),
    }),
  ],
]
