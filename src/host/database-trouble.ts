/** Which errors say that the database could not do what was asked just now: it was not there, or had no room; not that it refused it. */

/** Of the system, of name look-ups, and of a server that stops or starts. */
const awayCodes = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOENT'],
  ...['ENOTFOUND', 'EAI_AGAIN'],
  ...['57P01', '57P02', '57P03'],
])

/** The driver has no codes for these. */
const awayMessages = [
  'Connection terminated',
  'timeout expired',
  'Query read timeout',
  'Client has encountered a connection error',
  'Client was closed',
]

const fullCodes = new Set(['53100', 'ENOSPC', 'EDQUOT'])

/** No memory, no connection free, a limit of its configuration, or a statement that was given up because it took too long. */
const busyCodes = new Set(['53000', '53200', '53300', '53400', '57014', '55P03'])

/** Classes of errors that come of the values of a row: what a statement is given, and what constraints and limits refuse. */
const rowClasses = new Set(['21', '22', '23', '44', '54', 'P0'])

/**
 * Whether an error belongs to what was worked on, so that it comes again for that alone: one of our own, or a row that the database
 * refused. False for what the database or the machine could not do just now, and for statements that are wrong for every row.
 */
export function isOfOneRow(error: unknown): boolean {
  if (databaseTroubleOf(error) !== undefined) return false
  const { code, syscall } = error as { code?: unknown; syscall?: unknown }
  if (syscall !== undefined) return false
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? rowClasses.has(code.slice(0, 2)) : true
}

/** `away`: it does not answer. `full`: it has no room on its disk. `busy`: it has too much to do. Undefined for every other error. */
export function databaseTroubleOf(error: unknown): 'away' | 'full' | 'busy' | undefined {
  if (error instanceof AggregateError) {
    return error.errors.map(databaseTroubleOf).find((trouble) => trouble !== undefined)
  }
  if (!(error instanceof Error)) return undefined
  const { code = '' } = error as { code?: string }
  if (fullCodes.has(code)) return 'full'
  if (busyCodes.has(code)) return 'busy'
  const isAway =
    awayCodes.has(code) || /^08\w{3}$/.test(code) || awayMessages.some((message) => error.message.startsWith(message))
  return isAway ? 'away' : undefined
}
