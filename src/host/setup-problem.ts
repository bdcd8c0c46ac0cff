/** What an operator must put right before the service can run; the message is the whole story and needs no stack trace. */

export class SetupProblem extends Error {
  override name = 'SetupProblem'
}

/** The words of the system or the server that refused. A name with several addresses was refused by each of them. */
export const reasonOf = (error: unknown): string => {
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.map(reasonOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
