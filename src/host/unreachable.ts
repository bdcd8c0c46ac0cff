/** Which errors say that the database was not there to be asked, or went away while it was; not that it refused what was asked. */

/** Of the system, of name look-ups, and of a server that stops, starts or has no connection free. */
const codes = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOENT'],
  ...['ENOTFOUND', 'EAI_AGAIN'],
  ...['57P01', '57P02', '57P03', '53300'],
])

export function isUnreachable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isUnreachable)
  if (!(error instanceof Error)) return false
  const { code = '' } = error as { code?: string }
  return codes.has(code) || /^08\w{3}$/.test(code) || error.message.startsWith('Connection terminated')
}
