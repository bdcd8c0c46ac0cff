/** What a change of product with proration comes to: the credit for what is left of the period, and what the new product charges. */
import { assess } from './assessment.ts'
import { addIntervals, formatDay, isAtOrBefore, isBefore, type Period } from './calendar.ts'
import { prorateLines, regularPeriod, renewsMonthly, startCalendar } from './calendar-billing.ts'
import type { ProductTerms } from './catalog.ts'
import type { SubscribedComponent } from './component.ts'
import { componentLines } from './component-lines.ts'
import { chargeLine, type LineItem, paidPeriodLines, trialLines } from './line-item.ts'
import { type Cents, cents, type DecimalText, negate, prorate, sumCents } from './money.ts'
import { datesOf, type PeriodPlan } from './new-period.ts'
import { type ChargedOnce, chargedOnce } from './one-time.ts'
import { onProduct } from './product-change.ts'
import { restOf } from './proration.ts'
import { invalid } from './refusal.ts'
import { isTrialPeriod, may, type Subscription, type SubscriptionFacts } from './subscription.ts'

export type Migration = {
  product: ProductTerms
  /** Components of other families are not carried over. */
  productFamilyId: number
  includeTrial: boolean
  includeInitialCharge: boolean
  includeCoupons: boolean
  /** Keeps the dates and charges the new price for what is left of the period. */
  preservePeriod: boolean
}

/** Something charged in advance for the time from a moment to the period's end; negative when it gave back. */
export type AdvanceCharge = { amount: Cents; from: Temporal.Instant }

/** Plain JSON, so that it can wait on a payment attempt. */
export type MigrationPlan = {
  product: ProductTerms
  includeInitialCharge: boolean
  /** Negative: what is left of the period that was paid in advance. */
  prorated: Cents
  proratedMemo: string
  /** Of a period that goes on, the dates are those that it has. */
  period: PeriodPlan
  preservesPeriod: boolean
  snapDay: string | null
  /** Metered usage that is billed now. */
  usage: readonly { componentId: number; unitBalance: DecimalText }[]
  /** Components that stay behind. */
  dropped: readonly number[]
}

/** Refuses the present product, other states than active and trialing, and a period that is over. */
export function planMigration(
  facts: SubscriptionFacts,
  wish: Migration,
  advance: readonly AdvanceCharge[],
  now: Temporal.Instant,
): MigrationPlan {
  const { subscription, pricing, site, product: old } = facts
  refuseUnmovable(subscription, wish, now)
  const { product, preservePeriod, includeCoupons, includeInitialCharge } = wish
  const kept = pricing.components.filter(({ component }) => component.productFamilyId === wish.productFamilyId)
  const {
    charges,
    dates,
    charged = [],
  } = preservePeriod ? goingOn(facts, wish, kept, now) : afresh(facts, wish, kept, now)
  const assessment = assess(charges, { ...pricing, coupons: includeCoupons ? pricing.coupons : [] }, product.productId)
  const { lines, total, usedCouponIds } = assessment
  const { currentPeriodEndsAt, snapDay } = subscription
  const keepsCalendar = renewsMonthly(product) && !dates.isTrial
  return {
    product,
    includeInitialCharge,
    prorated: negate(unusedOf(advance, facts, now)),
    proratedMemo: `Prorated credit: ${old.name} ${span({ startsAt: now, endsAt: currentPeriodEndsAt }, site.timeZone)}`,
    period: { ...dates, lines, total, usedCouponIds, chargedOnce: charged },
    preservesPeriod: preservePeriod,
    snapDay: keepsCalendar ? snapDay : null,
    usage: preservePeriod ? [] : usageOf(pricing.components),
    dropped: pricing.components
      .filter((one) => !kept.includes(one) && one.quantity !== '0')
      .map(({ component }) => component.id),
  }
}

function refuseUnmovable(subscription: Subscription, wish: Migration, now: Temporal.Instant): void {
  const { state, productId, currentPeriodEndsAt } = subscription
  if (!may('migrate', state)) throw invalid('Subscription must be active')
  if (wish.product.productId === productId) throw invalid('Invalid Product')
  if (wish.preservePeriod && wish.includeTrial) throw invalid('Include trial: does not go with preserve period.')
  if (isAtOrBefore(currentPeriodEndsAt, now)) {
    throw invalid('This subscription is due for its renewal; it can be migrated once that is done.')
  }
}

type Priced = {
  charges: readonly LineItem[]
  dates: Omit<PeriodPlan, 'lines' | 'total' | 'usedCouponIds'>
  charged?: readonly ChargedOnce[]
}

/** A period of the new product from now on, with the usage of the one that ends; on calendar billing until the next snap day. */
function afresh(
  { subscription, pricing, site }: SubscriptionFacts,
  { product, includeTrial, includeInitialCharge }: Migration,
  kept: readonly SubscribedComponent[],
  now: Temporal.Instant,
): Priced {
  const trial = includeTrial ? product.trial : null
  const { snapDay } = subscription
  const { timeZone } = site
  const calendar =
    snapDay !== null && trial === null && renewsMonthly(product)
      ? startCalendar(now, timeZone, { snapDay, firstCharge: 'prorated' })
      : null
  const endsAt = calendar?.period.endsAt ?? addIntervals({ at: now, timeZone }, (trial ?? product).interval, 1)
  const period = { startsAt: now, endsAt }
  const sold = includeInitialCharge ? product : { ...product, initialCharge: null }
  const basic = trial
    ? trialLines(sold, trial.price, period, timeZone)
    : paidPeriodLines(sold, period, timeZone, { withInitialCharge: true })
  const billed = pricing.components.filter((one) => isMetered(one) || (trial === null && kept.includes(one)))
  const charges = [...basic, ...componentLines(billed, pricing.minorUnit)]
  return {
    charges: calendar ? prorateLines(charges, calendar.share, pricing.minorUnit) : charges,
    dates: datesOf(now, period, trial !== null, calendar),
    charged: chargedOnce(billed),
  }
}

const isMetered = ({ component }: SubscribedComponent): boolean => component.kind === 'metered_component'

/**
 * The rest of the present period on the new product: of a trial nothing is charged, usage and what is charged once are billed at the
 * end as ever.
 */
function goingOn(
  { subscription, product: old, site, pricing }: SubscriptionFacts,
  { product, includeInitialCharge }: Migration,
  kept: readonly SubscribedComponent[],
  now: Temporal.Instant,
): Priced {
  const { currentPeriodStartedAt: startsAt, currentPeriodEndsAt: endsAt } = subscription
  const wasTrial = isTrialPeriod(subscription)
  const changed = onProduct(subscription, old, product, now)
  const rest = restOf(regularPeriod(changed, product), now)
  const memo = `${product.name} ${span({ startsAt: now, endsAt }, site.timeZone)}`
  const forTime = [
    chargeLine('prorated', product.price, memo, product.taxable),
    ...componentLines(
      kept.filter((one) => !isMetered(one) && one.component.recurring),
      pricing.minorUnit,
    ),
  ]
  const fee = paidPeriodLines(product, { startsAt, endsAt }, site.timeZone, { withInitialCharge: true }).slice(1)
  return {
    charges: [
      ...(wasTrial ? [] : prorateLines(forTime, rest, pricing.minorUnit)),
      ...(includeInitialCharge ? fee : []),
    ],
    dates: datesOf(startsAt, { startsAt, endsAt }, changed.state === 'trialing', null),
  }
}

const usageOf = (components: readonly SubscribedComponent[]): MigrationPlan['usage'] =>
  components
    .filter((one) => isMetered(one) && one.unitBalance !== '0')
    .map(({ component, unitBalance }) => ({ componentId: component.id, unitBalance }))

/** Every charge is prorated over the time that it was for; at least the smallest amount of them counts as used. */
function unusedOf(
  advance: readonly AdvanceCharge[],
  { subscription: { currentPeriodEndsAt: endsAt }, pricing: { minorUnit } }: SubscriptionFacts,
  now: Temporal.Instant,
): Cents {
  const paid = sumCents(advance.map(({ amount }) => amount))
  const left = advance
    .filter(({ from }) => isBefore(from, endsAt))
    .map(({ amount, from }) => prorate(amount, restOf({ startsAt: from, endsAt }, now), minorUnit))
  return cents(Math.max(0, Math.min(sumCents(left), paid - minorUnit)))
}

const span = ({ startsAt, endsAt }: Period, timeZone: string): string =>
  `(${formatDay(startsAt, timeZone)} - ${formatDay(endsAt, timeZone)})`

/** What a migration asks for: the preview shows it, the migration does it. */
export type MigrationFigures = {
  prorated: Cents
  charge: Cents
  paymentDue: Cents
  /** Negative: what the old product leaves over. */
  creditApplied: Cents
}

export function figuresOf({ prorated, period }: MigrationPlan, balance: Cents): MigrationFigures {
  const change = prorated + period.total
  return {
    prorated,
    charge: period.total,
    paymentDue: cents(Math.max(0, balance + change)),
    creditApplied: cents(Math.min(0, change)),
  }
}
