/** One JSON line per event on standard error; card data and keys never pass, whatever a caller hands over. */

import { type DestinationStream, type Logger, pino } from 'pino'
import type { LogLevel } from './config.ts'

export type Log = Logger

/** Standard output is left to the answers of commands. Lines are written before the call returns, so a crash loses none. */
export const createLog = (level: LogLevel, destination: DestinationStream = standardError()): Log =>
  pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: (fields) => withoutSecrets(fields, 0) as typeof fields },
      serializers: { err: (plain) => plain },
      hooks: { streamWrite: withoutCardNumbers },
    },
    destination,
  )

/** Whoever read it may be gone, or the file it goes to may have no room: what cannot be written is lost, and the work goes on. */
function standardError(): DestinationStream {
  const destination = pino.destination({ dest: 2, sync: true })
  destination.on('error', () => {})
  return destination
}

const depthMax = 8
const removed = '[removed]'

/** Compared without case, dashes and underscores. */
const secretNames = new Set([
  'fullnumber',
  'cardnumber',
  'cvv',
  'cvc',
  'authorization',
  'proxyauthorization',
  'cookie',
  'setcookie',
  'apikey',
  'password',
  'secret',
  'sharedkey',
  'vaulttoken',
  'databaseurl',
  'bankaccountnumber',
  'bankroutingnumber',
  'bankbranchcode',
  'bankiban',
  'accountnumber',
  'iban',
])

/** A copy without the values of secret names. Objects that are not plain data are left to the serializers. */
function withoutSecrets(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth === depthMax) return removed
  if (value instanceof Error) return described(value, depth)
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, depth + 1))
  if (Object.getPrototypeOf(value) !== Object.prototype && Object.getPrototypeOf(value) !== null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, isSecret(name) ? removed : withoutSecrets(inner, depth + 1)]),
  )
}

/** Of an error only these: other properties may quote rows (`detail` of PostgreSQL's) or whole requests. */
const described = (error: Error, depth: number): object => ({
  type: error.name,
  message: error.message,
  ...('code' in error && { code: error.code }),
  stack: error.stack,
  ...(error.cause !== undefined && { cause: withoutSecrets(error.cause, depth + 1) }),
})

const isSecret = (name: string): boolean => secretNames.has(name.toLowerCase().replaceAll(/[-_]/g, ''))

const cardNumberShape = /(?<![\d.])(?:\d{13,19}|\d{4}(?:[ -]\d{4}){2,3}[ -]?\d{1,7}|3[47]\d\d[ -]\d{6}[ -]\d{5})(?!\d)/g

/** The last net under the whole line: digits that could be a card number keep only their last four. */
function withoutCardNumbers(line: string): string {
  return line.replaceAll(cardNumberShape, (digits) =>
    passesLuhn(digits.replaceAll(/\D/g, '')) ? `[card ...${digits.slice(-4)}]` : digits,
  )
}

function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let place = 0; place < digits.length; place++) {
    const digit = Number(digits[digits.length - 1 - place])
    const doubled = place % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}
