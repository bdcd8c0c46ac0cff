/** What a log may tell of an error: enough to find its place, and nothing of what was being worked on. */

/** Name, place and database code; the message of a database error quotes values, so it stays out. */
export function traceOf(error: unknown): object {
  if (!(error instanceof Error)) return { name: typeof error }
  const { code, constraint } = error as { code?: string; constraint?: string }
  const fromDatabase = code !== undefined && constraint !== undefined
  const stack = error.stack
    ?.split('\n')
    .filter((line) => line.trimStart().startsWith('at '))
    .slice(0, 8)
  return {
    name: error.name,
    code,
    constraint,
    ...(fromDatabase ? {} : { message: error.message.slice(0, 500) }),
    stack,
  }
}
