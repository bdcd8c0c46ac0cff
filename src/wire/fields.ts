/** The kinds of value that a client may send, each with the label that its messages begin with; `input.ts` puts them together. */

import { z } from 'zod'

type Needed<T> = z.ZodType<T>
/** Absent is undefined (leave it alone), null or blank is null (clear it). */
type Optional<T> = z.ZodOptional<z.ZodType<T | null>>
export type Field<T, R extends boolean> = R extends true ? Needed<T> : Optional<T>

type Need<R extends boolean> = { readonly required?: R }
type Range = { readonly min?: number; readonly max?: number }
/** Says what is wrong with a value, without repeating it: it may be a card number. */
type Complain = (text: string) => never

const textMax = 255
export const longTextMax = 65_535
/** Ten billion in a currency of hundredths: far above any bill, far below where sums stop being exact. */
const centsMax = 1_000_000_000_000

class Complaint extends Error {}
const complain: Complain = (text) => {
  throw new Complaint(text)
}

export const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')

/** A text with a word in it. */
export const isGiven = (value: unknown): value is string => typeof value === 'string' && !isBlank(value)

/** What clears a field that may be empty: nothing but white space. Other texts stay as they were sent, and undefined leaves the field alone. */
export const blankAsNull = (value: string | null | undefined): string | null | undefined =>
  typeof value === 'string' && value.trim() === '' ? null : value

const field = <T, R extends boolean>(
  label: string,
  required: R | undefined,
  meta: Readonly<Record<string, unknown>>,
  read: (value: unknown) => T | null,
): Field<T, R> => {
  const type = meta.type
  const schema = z
    .unknown()
    .transform((value, context): T | null => {
      try {
        if (required && isBlank(value)) return complain('cannot be blank.')
        return value === null ? null : read(value)
      } catch (error) {
        if (!(error instanceof Complaint)) throw error
        context.addIssue({ code: 'custom', message: `${label}: ${error.message}` })
        return z.NEVER
      }
    })
    .meta({ title: label, ...meta, type: required ? type : [type, 'null'].flat() })
  return (required ? schema : schema.optional()) as unknown as Field<T, R>
}

const readText = (value: unknown, max: number): string => {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
  if (typeof text !== 'string') return complain('must be a string.')
  if (text.length > max) return complain(`is too long (maximum is ${max} characters).`)
  if (text.includes('\0') || !text.isWellFormed()) return complain('contains characters that cannot be stored.')
  return text
}

/** Kept as it was sent. An empty string stays one unless the field is required; numbers become their digits. */
export const text = <R extends boolean = false>(label: string, options: Need<R> & { readonly max?: number } = {}) => {
  const max = options.max ?? textMax
  return field<string, R>(label, options.required, { type: 'string', maxLength: max }, (value) => readText(value, max))
}

const emailForm = /^[^\s@,;<>"\p{Cc}]+@[^\s@,;<>"\p{Cc}]+$/u

/** One address: a name, an @ and a domain; what lies behind it only a letter can tell. Blank is allowed unless required. */
export const email = <R extends boolean = false>(label: string, options: Need<R> = {}) =>
  field<string, R>(label, options.required, { type: 'string', format: 'email', maxLength: textMax }, (value) => {
    const address = readText(value, textMax)
    return address === '' || emailForm.test(address) ? address : complain('must be a valid email format.')
  })

const languageTagForm = /^[a-z]{2,3}([-_][a-z0-9]{2,8}){0,5}$/i

/** A language, `es`, or as a region writes it, `es-MX`. Kept as it was sent; blank is null. */
export const languageTag = <R extends boolean = false>(label: string, options: Need<R> = {}) =>
  field<string, R>(label, options.required, { type: 'string', maxLength: 64, examples: ['es-MX'] }, (value) => {
    if (isBlank(value)) return null
    const tag = readText(value, 64)
    return languageTagForm.test(tag) ? tag : complain('must be a language tag, such as es or es-MX.')
  })

export const oneOf = <const V extends readonly string[], R extends boolean = false>(
  label: string,
  values: V,
  options: Need<R> = {},
) =>
  field<V[number], R>(label, options.required, { type: 'string', enum: values }, (value) => {
    if (isBlank(value)) return null
    return values.find((one) => one === value) ?? complain(`must be one of ${values.join(', ')}.`)
  })

const booleans = new Map<unknown, boolean>([
  [true, true],
  [1, true],
  ['1', true],
  ['true', true],
  [false, false],
  [0, false],
  ['0', false],
  ['false', false],
])

export const boolean = <R extends boolean = false>(label: string, options: Need<R> = {}) =>
  field<boolean, R>(label, options.required, { type: 'boolean' }, (value) => {
    if (isBlank(value)) return null
    const known = booleans.get(typeof value === 'string' ? value.trim().toLowerCase() : value)
    return known ?? complain('must be true or false.')
  })

/** An object whose names are ids, in XML behind an underscore, and whose values are true or false. Nothing in it is null. */
export const flagsById = (label: string, { max }: { readonly max: number }) =>
  field<ReadonlyMap<number, boolean>, false>(
    label,
    false,
    { type: 'object', additionalProperties: { type: 'boolean' } },
    (value) => {
      if (isBlank(value) || (Array.isArray(value) && value.length === 0)) return null
      const wanted = 'must be an object of ids with true or false.'
      if (typeof value !== 'object' || Array.isArray(value)) return complain(wanted)
      const entries = Object.entries(value as object)
      if (entries.length > max) return complain(`is too long (maximum is ${max} items).`)
      return new Map(
        entries.map(([id, is]) => {
          const known = booleans.get(typeof is === 'string' ? is.trim().toLowerCase() : is)
          const digits = /^_?(\d{1,15})$/.exec(id)?.[1]
          return known === undefined || digits === undefined ? complain(wanted) : [Number(digits), known]
        }),
      )
    },
  )

const inRange = (value: number, { min, max }: Range, shown: (limit: number) => string = String): number => {
  if (min !== undefined && value < min) return complain(`must be greater than or equal to ${shown(min)}.`)
  if (max !== undefined && value > max) return complain(`must be less than or equal to ${shown(max)}.`)
  return value
}

const inUnits = (limit: number): string => (limit / 100).toFixed(2)

/** Beyond 2^53 a JSON number has already lost digits, so it is refused and never rounded. */
const readInteger = (value: unknown, range: Range): number | null => {
  if (isBlank(value)) return null
  const number = typeof value === 'string' && /^\s*[+-]?\d{1,16}\s*$/.test(value) ? Number(value) : value
  if (typeof number !== 'number' || Number.isNaN(number)) return complain('is not a number.')
  if (!Number.isInteger(number)) return complain('must be an integer.')
  if (!Number.isSafeInteger(number)) return complain('is too large.')
  return inRange(number + 0, range)
}

const rangeMeta = ({ min, max }: Range) => ({
  ...(min === undefined ? {} : { minimum: min }),
  ...(max === undefined ? {} : { maximum: max }),
})

/** A whole number, also as a string of digits. */
export const integer = <R extends boolean = false>(label: string, options: Need<R> & Range = {}) =>
  field<number, R>(label, options.required, { type: 'integer', ...rangeMeta(options) }, (value) =>
    readInteger(value, options),
  )

/** An id. Typed clients send 0 for "none", so 0 counts as blank. */
export const idNumber = <R extends boolean = false>(label: string, options: Need<R> = {}) =>
  field<number, R>(label, options.required, { type: 'integer', minimum: 1 }, (value) => {
    const id = readInteger(value, { min: 0 })
    if (id === 0) return options.required ? complain('cannot be blank.') : null
    return id
  })

/** Whole cents. */
export const cents = <R extends boolean = false>(label: string, options: Need<R> & Range = {}) => {
  const range = { min: options.min ?? -centsMax, max: options.max ?? centsMax }
  return field<number, R>(label, options.required, { type: 'integer', ...rangeMeta(options) }, (value) =>
    readInteger(value, range),
  )
}

/** A small number without the exponent that languages write it with: 6.5e-7, also as text, is '0.00000065'. */
const plainDigits = (value: number | string): string => {
  const [, sign = '', whole = '', rest = '', exponent] = /^([+-]?)(\d+)(?:\.(\d+))?e-(\d\d?)$/i.exec(`${value}`) ?? []
  if (exponent === undefined) return String(value)
  const places = Number(exponent)
  const digits = whole.padStart(places + 1, '0')
  return `${sign}${digits.slice(0, digits.length - places)}.${digits.slice(digits.length - places)}${rest}`
}

const decimalText = (value: unknown): string => {
  const digits = typeof value === 'number' || typeof value === 'string' ? plainDigits(value).trim() : ''
  if (digits.length > 32) return complain('is not a number.')
  return /^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(digits) ? digits : complain('is not a number.')
}

/** An amount in units of the currency with at most two decimals ("10.00"), read as whole cents; `min` and `max` are cents. */
export const amount = <R extends boolean = false>(label: string, options: Need<R> & Range = {}) => {
  const range = { min: options.min ?? -centsMax, max: options.max ?? centsMax }
  return field<number, R>(label, options.required, { type: ['string', 'number'], examples: ['10.00'] }, (value) => {
    if (isBlank(value)) return null
    const [whole = '', fraction = ''] = decimalText(value).split('.')
    if (fraction.length > 2) return complain('must have at most two decimals.')
    return inRange(Number(whole + fraction.padEnd(2, '0')) + 0, range, inUnits)
  })
}

/** Both ways to send money, to be spread into an input; `moneyInCents` picks the one that counts. */
export const money = (label: string, range: Range = {}) => ({
  amount: amount(label, range),
  amount_in_cents: cents(label, range),
})

/** Cents win over the decimal amount; null when neither was sent. */
export const moneyInCents = (sent: {
  readonly amount?: number | null | undefined
  readonly amount_in_cents?: number | null | undefined
}): number | null => sent.amount_in_cents ?? sent.amount ?? null

/** A decimal that stays text, so that no digit is lost; `min` and `max` are compared as numbers. */
export const decimal = <R extends boolean = false>(
  label: string,
  options: Need<R> & Range & { readonly places?: number } = {},
) => {
  const places = options.places ?? 8
  return field<string, R>(label, options.required, { type: ['string', 'number'], examples: ['6.0'] }, (value) => {
    if (isBlank(value)) return null
    const digits = decimalText(value)
    if ((digits.split('.')[1] ?? '').length > places) return complain(`must have at most ${places} decimals.`)
    inRange(Number(digits), options, plainDigits)
    return digits
  })
}

/** Null, blank, 0, false, and what holds nothing else: what clients send of records that they never filled. */
const saysNothing = (value: unknown): boolean => {
  if (typeof value === 'object' && value !== null) return Object.values(value).every(saysNothing)
  return isBlank(value) || ['0', 'false'].includes(String(value).trim())
}

/** A field that others know and nothing here can follow: refused by its label as soon as it says something. */
export const unsupported = (label: string, why: string): z.ZodOptional<z.ZodType<null>> =>
  z
    .unknown()
    .transform((value, context): null => {
      if (!saysNothing(value)) {
        context.addIssue({ code: 'custom', message: `${label}: is not supported; ${why}.` })
      }
      return null
    })
    .meta({ title: label, description: `Not supported; ${why}.`, type: 'null' })
    .optional()
