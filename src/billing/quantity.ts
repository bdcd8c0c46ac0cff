/** How much of a component: exact decimals, read from what is sent, told from whole numbers, added. */
import { assert } from './assert.ts'
import type { DecimalText } from './money.ts'

const decimalPlaces = 8
const onePlace = 10n ** BigInt(decimalPlaces)
const form = /^([+-]?)(\d*)(?:\.(\d*))?$/

/** The one way to write a number: '+05.50' and '.5' become '5.5' and '0.5'. At most 8 decimals. */
export const canonicalDecimal = (text: string): DecimalText => write(read(text))

/** Whether nothing but zeros stands behind the point: '2' and '2.0' are whole. */
export const isWholeQuantity = (quantity: DecimalText): boolean => read(quantity) % onePlace === 0n

/** The whole units that it has, and those that it has begun; exact, for a quantity that is not negative. */
export const wholeUnits = (quantity: DecimalText): number => Number(read(quantity) / onePlace)
export const begunUnits = (quantity: DecimalText): number => Number((read(quantity) + onePlace - 1n) / onePlace)

export const addQuantities = (left: DecimalText, right: DecimalText): DecimalText => write(read(left) + read(right))

/** In units of the last decimal place. */
function read(text: string): bigint {
  const [, sign = '', whole = '', fraction = ''] = form.exec(text) ?? []
  assert(whole !== '' || fraction !== '', `not a quantity: ${text}`)
  assert(fraction.length <= decimalPlaces, `more than ${decimalPlaces} decimals: ${text}`)
  const units = BigInt(`${whole}${fraction.padEnd(decimalPlaces, '0')}`)
  return sign === '-' ? -units : units
}

function write(units: bigint): DecimalText {
  const digits = String(units < 0n ? -units : units).padStart(decimalPlaces + 1, '0')
  const fraction = digits.slice(-decimalPlaces).replace(/0+$/, '')
  const whole = digits.slice(0, -decimalPlaces)
  return `${units < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}
