/** A coupon as requests describe it, whole or in part. */
import type { CouponChange } from '../actions/create-coupon.ts'
import { dayOf, endOfDay, isBefore, latestInstant } from '../billing/calendar.ts'
import { asCouponCode, type CouponTerms, compoundingStrategies, isCouponCode } from '../billing/coupon.ts'
import { cents as asCents, formatMoneySign, zeroCents } from '../billing/money.ts'
import type { Site } from '../billing/site.ts'
import {
  boolean,
  type Command,
  decimal,
  InputErrors,
  integer,
  isTree,
  longTextMax,
  money,
  moneyInCents,
  object,
  oneOf,
  readInput,
  text,
} from '../wire/input.ts'
import { dateTextMax } from '../wire/timestamp.ts'
import { readRestrictions } from './coupon-restriction-input.ts'
import { readDate } from './date-input.ts'
import { Problems } from './problems.ts'
import { refusedFields } from './refused-fields.ts'
import { plainDecimal } from './tax-input.ts'

const countMax = 1_000_000_000
const isEmptyOrCode = (sent: string): boolean => sent.trim() === '' || isCouponCode(asCouponCode(sent))
const codeRule = "may only contain letters, numbers and the characters '%', '@', '+', '-', '_' and '.'."

export const couponInput = object({
  name: text('Name', { required: true }),
  code: text('Code', { required: true }).refine(isEmptyOrCode, `Code: ${codeRule}`),
  description: text('Description', { max: longTextMax }),
  recurring: boolean('Recurring'),
  duration_period_count: integer('Duration period count', { min: 1, max: countMax }),
  allow_negative_balance: boolean('Allow negative balance'),
  stackable: boolean('Stackable'),
  compounding_strategy: oneOf('Compounding strategy', compoundingStrategies),
  conversion_limit: integer('Conversion limit', { min: 1, max: countMax }),
  exclude_mid_period_allocations: boolean('Exclude mid period allocations'),
  apply_on_cancel_at_end_of_period: boolean('Apply on cancel at end of period'),
  apply_on_subscription_expiration: boolean('Apply on subscription expiration'),
  ...refusedFields.coupon,
})
export const couponChangeInput = couponInput.partial()
type Fields = Command<typeof couponChangeInput>

/** Apart from the others, so that what is wrong with them is told even where something else is wrong too. */
export const discountInput = object({ percentage: decimal('Percentage', { max: 100 }), ...money('Amount') })
type Discount = Command<typeof discountInput>

export const couponDatesInput = object({
  start_date: text('Start date', { max: dateTextMax }),
  end_date: text('End date', { max: dateTextMax }),
})
type Dates = Command<typeof couponDatesInput>

/** The change throws `InputErrors`, with every problem at once. */
export const readNewCoupon = (tree: unknown, site: Site): CouponChange => changeOf(tree, site, couponInput)

/** What is not sent stays as it is. */
export const readCouponChange = (tree: unknown, site: Site): CouponChange => changeOf(tree, site, couponChangeInput)

const changeOf =
  (tree: unknown, site: Site, input: typeof couponInput | typeof couponChangeInput): CouponChange =>
  (before, now) => {
    const problems = new Problems()
    const fields: Fields = problems.gather(() => readInput(input, tree)) ?? {}
    const discount = problems.gather(() => discountOf(readInput(discountInput, tree), before, site))
    const restrictions = problems.gather(() => readRestrictions(isTree(tree) ? tree : {}, before.restrictions))
    const dates = problems.gather(() => datesOf(readInput(couponDatesInput, tree), before, site, now))
    problems.tell()
    const terms = {
      ...before,
      ...detailsOf(fields, before),
      ...discount,
      ...dates,
      ...(restrictions && { restrictions }),
    }
    if (terms.allowNegativeBalance && terms.restrictions.length > 0) throw new InputErrors([leavesNoCredit])
    return terms
  }

const leavesNoCredit = 'Allow negative balance: cannot be used together with restrictions.'

const kept = <Value>(sent: Value | undefined, before: Value): Value => (sent === undefined ? before : sent)

const detailsOf = (fields: Fields, before: CouponTerms) => ({
  name: fields.name ?? before.name,
  code: fields.code === undefined ? before.code : asCouponCode(fields.code),
  description: kept(fields.description, before.description) ?? '',
  recurring: kept(fields.recurring, before.recurring) ?? false,
  durationPeriodCount: kept(fields.duration_period_count, before.durationPeriodCount),
  allowNegativeBalance: kept(fields.allow_negative_balance, before.allowNegativeBalance) ?? false,
  stackable: kept(fields.stackable, before.stackable) ?? true,
  compoundingStrategy: kept(fields.compounding_strategy, before.compoundingStrategy) ?? 'compound',
  conversionLimit: kept(fields.conversion_limit, before.conversionLimit),
  excludeMidPeriodAllocations: kept(fields.exclude_mid_period_allocations, before.excludeMidPeriodAllocations) ?? false,
  applyOnCancelAtEndOfPeriod: kept(fields.apply_on_cancel_at_end_of_period, before.applyOnCancelAtEndOfPeriod) ?? false,
  applyOnSubscriptionExpiration:
    kept(fields.apply_on_subscription_expiration, before.applyOnSubscriptionExpiration) ?? false,
})

const eitherOne = 'Either a Discount Percentage or Amount must be specified, but not both'

/** One of the two that is sent takes the place of the other; clients that send whole objects send a 0 for the one that is not meant. */
function discountOf(sent: Discount, before: CouponTerms, { currency }: Site) {
  const amount = moneyInCents(sent)
  const percentage = sent.percentage ?? null
  const isPercentage = percentage !== null && (Number(percentage) !== 0 || amount === null)
  const isAmount = amount !== null && (amount !== 0 || !isPercentage)
  if (isPercentage && isAmount) throw new InputErrors([eitherOne])
  if (isPercentage) {
    if (Number(percentage) <= 0) throw new InputErrors(['Percentage: must be greater than 0.'])
    return { amount: null, percentage: plainDecimal(percentage) }
  }
  if (isAmount) {
    const least = `Amount: must be greater than or equal to ${formatMoneySign(zeroCents, currency)}.`
    if (amount < 0) throw new InputErrors([least])
    return { amount: asCents(amount), percentage: null }
  }
  const clears = { amount: sent.amount === null || sent.amount_in_cents === null, percentage: sent.percentage === null }
  const left = {
    amount: clears.amount ? null : before.amount,
    percentage: clears.percentage ? null : before.percentage,
  }
  if (left.amount === null && left.percentage === null) throw new InputErrors([eitherOne])
  return left
}

/** The end counts to the last second of its day, on the site's calendar. One that has passed may stay, but not be set. */
function datesOf(sent: Dates, before: CouponTerms, { timeZone }: Site, now: Temporal.Instant) {
  const startDate = kept(readDate(sent.start_date, 'Start date', timeZone), before.startDate)
  const end = readDate(sent.end_date, 'End date', timeZone)
  const endDate = kept(end && lastSecondOf(end, timeZone), before.endDate)
  const isNew = endDate !== null && !(before.endDate?.equals(endDate) ?? false)
  if (isNew && isBefore(endDate, now)) throw new InputErrors(['Expiration Date cannot be in the past'])
  if (endDate !== null && isBefore(latestInstant, endDate)) throw new InputErrors(['End date: is too late.'])
  if (startDate !== null && endDate !== null && isBefore(endDate, startDate)) {
    throw new InputErrors(['Start date: must be before the end date.'])
  }
  return { startDate, endDate }
}

const lastSecondOf = (at: Temporal.Instant, timeZone: string): Temporal.Instant | null =>
  endOfDay(dayOf(at, timeZone), timeZone) ?? null
