/** How amounts are added, prorated, shared and written: exact until the one place where they are rounded, to whole minor units. */
import { assert } from './assert.ts'

/** Hundredths of the site's currency, always a safe integer. Only `cents` makes one. */
export type Cents = number & { readonly unit: 'cents' }

/** The smallest amount of a currency, in hundredths: 1 where it has cents, 100 where it has none. What is computed is a multiple of it. */
export type MinorUnit = 1 | 100

/** Of those that a site may keep its books in. Amounts are hundredths all the same, and each is a multiple of 100. */
export const currenciesWithoutCents: readonly string[] = ['JPY']

export const minorUnitOf = (currency: string): MinorUnit => (currenciesWithoutCents.includes(currency) ? 100 : 1)

/** An exact decimal number as it is sent and stored: '10', '-0.5', '12.34567890'. At most 8 decimals, no exponent. */
export type DecimalText = string

/** Takes a whole number of cents; a fraction or an unsafe integer is a bug of the caller. Never gives -0. */
export const cents = (amount: number): Cents => {
  assert(Number.isSafeInteger(amount), `an amount must be a whole number of cents, not ${amount}`)
  return (amount + 0) as Cents
}

export const zeroCents: Cents = cents(0)

export const sumCents = (amounts: readonly Cents[]): Cents => {
  let sum = zeroCents
  for (const amount of amounts) sum = cents(sum + amount)
  return sum
}

export const addCents = (...amounts: Cents[]): Cents => sumCents(amounts)

export const negate = (amount: Cents): Cents => cents(-amount)

/**
 * The part of a price for the part of a period, rounded half up. Both are whole numbers in one unit (seconds, as a rule) and 0 <= part <= whole.
 * A negative price is rounded away from zero at the half, so that a credit is the exact mirror of its charge.
 */
export function prorate(price: Cents, { part, whole }: { part: number; whole: number }, unit: MinorUnit): Cents {
  assert(Number.isSafeInteger(part) && Number.isSafeInteger(whole), `cannot prorate by ${part} of ${whole}`)
  assert(0 <= part && part <= whole && whole > 0, `cannot prorate by ${part} of ${whole}`)
  return divideHalfUp(BigInt(price) * BigInt(part), BigInt(whole), unit)
}

/** `percent` of an amount, rounded half up (away from zero): 8.845 percent of 2000 is 177. The percentage is exact, never a float, and not negative. */
export function percentageOf(amount: Cents, percent: DecimalText, unit: MinorUnit): Cents {
  const rate = readDecimal(percent)
  assert(rate.numerator >= 0n, `a percentage must not be negative: ${percent}`)
  return divideHalfUp(BigInt(amount) * rate.numerator, 100n * rate.denominator, unit)
}

/** A quantity times a unit price in dollars (not cents), rounded half up: '3' times '0.0055' is 2 cents. */
export const multiplyDecimal = (quantity: DecimalText, unitPrice: DecimalText, unit: MinorUnit): Cents =>
  sumOfProducts([{ quantity, unitPrice }], unit)

/** The sum of quantities times unit prices in dollars (not cents), rounded once, at the end: what a tiered price needs. */
export function sumOfProducts(
  products: readonly { quantity: DecimalText; unitPrice: DecimalText }[],
  unit: MinorUnit,
): Cents {
  let numerator = 0n
  for (const { quantity, unitPrice } of products) {
    const left = readDecimal(quantity)
    const right = readDecimal(unitPrice)
    numerator += (left.numerator * right.numerator * productDenominator) / (left.denominator * right.denominator)
  }
  return divideHalfUp(100n * numerator, productDenominator, unit)
}

/**
 * Shares a total over weights so that the parts sum to it exactly: each part is rounded down, and the units left over go to the largest
 * remainders, to the earlier one where they are equal. A weight of 0 gets 0; if all are 0, the first part takes the total.
 * No part exceeds its weight when the total does not exceed their sum. A negative total is shared as the mirror of the positive one.
 */
export function shareByLargestRemainder(total: Cents, weights: readonly Cents[], unit: MinorUnit): Cents[] {
  assert(weights.length > 0 || total === 0, `nothing to share ${total} cents over`)
  assert(
    weights.every((weight) => weight >= 0),
    'a weight must not be negative',
  )
  const weightSum = BigInt(sumCents(weights))
  if (weightSum === 0n) return weights.map((_, index) => (index === 0 ? total : zeroCents))
  if (total < 0) return shareByLargestRemainder(negate(total), weights, unit).map(negate)
  const shares = weights.map((weight, index) => {
    const exact = BigInt(total) * BigInt(weight)
    const whole = weightSum * BigInt(unit)
    return { index, part: Number(exact / whole) * unit, remainder: exact % whole }
  })
  let left = total - shares.reduce((sum, { part }) => sum + part, 0)
  const largestFirst = shares.toSorted((a, b) => Number(b.remainder - a.remainder) || a.index - b.index)
  for (const share of largestFirst) {
    if (left === 0) break
    const one = Math.min(unit, left)
    share.part += one
    left -= one
  }
  return shares.map(({ part }) => cents(part))
}

/** '50.00', '-0.05': two decimals, no sign of the currency, no separators of thousands. */
export function formatDollars(amount: Cents): string {
  const digits = String(Math.abs(amount)).padStart(3, '0')
  return `${amount < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

const currencySigns: Readonly<Record<string, string>> = { USD: '$', EUR: '€', GBP: '£' }

/**
 * An amount as messages tell it: '$99.00', '-$0.05', '€12.00'; a currency without a sign of its own stands before the number, 'CHF 12.00'.
 * One without cents shows none, 'JPY 1200', unless an amount has them all the same.
 */
export function formatMoneySign(amount: Cents, currency: string): string {
  const sign = currencySigns[currency]
  if (sign === undefined) {
    const isWhole = minorUnitOf(currency) === 100 && amount % 100 === 0
    return `${currency} ${isWhole ? String(amount / 100) : formatDollars(amount)}`
  }
  return `${amount < 0 ? '-' : ''}${sign}${formatDollars(cents(Math.abs(amount)))}`
}

/** Amounts for people, in the manner of their language: '€12,345.67'. Currencies without minor units show them all the same where an amount has them. */
export function moneyWriter(locale: string, currency: string): (amount: number) => string {
  const usual = new Intl.NumberFormat(locale, { style: 'currency', currency })
  const full = new Intl.NumberFormat(locale, { style: 'currency', currency, minimumFractionDigits: 2 })
  return (amount) => (amount % 100 === 0 ? usual : full).format(amount / 100)
}

const decimalAmount = /^(-?)(\d{1,13})(?:\.(\d{1,2}))?$/

/** Reads an amount in dollars: '10', '10.5', '-10.00'. Undefined for anything else: a third decimal, an exponent, a sign of a currency, a blank. */
export function parseDecimalAmount(text: string): Cents | undefined {
  const found = decimalAmount.exec(text)
  if (!found) return undefined
  const [, minus = '', whole = '', fraction = ''] = found
  return cents(Number(`${minus}${whole}${fraction.padEnd(2, '0')}`))
}

const maxDecimals = 8
const decimal = /^(-?)(\d{1,20})(?:\.(\d{1,8}))?$/
/** Two decimals of at most 8 places multiply to at most 16 places. */
const productDenominator = 10n ** BigInt(2 * maxDecimals)

/** Whether `percentageOf` and `multiplyDecimal` take this text. */
export const isDecimal = (text: string): text is DecimalText => decimal.test(text)

function readDecimal(text: DecimalText): { numerator: bigint; denominator: bigint } {
  const found = decimal.exec(text)
  assert(found, `not an exact decimal: ${text}`)
  const [, minus = '', whole = '', fraction = ''] = found
  return { numerator: BigInt(`${minus}${whole}${fraction}`), denominator: 10n ** BigInt(fraction.length) }
}

/** The one rounding point: to the nearest minor unit, the half away from zero. */
function divideHalfUp(numerator: bigint, denominator: bigint, unit: MinorUnit): Cents {
  const magnitude = numerator < 0n ? -numerator : numerator
  const divisor = denominator * BigInt(unit)
  const rounded = ((2n * magnitude + divisor) / (2n * divisor)) * BigInt(unit)
  return cents(Number(numerator < 0n ? -rounded : rounded))
}
