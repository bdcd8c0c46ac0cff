/** What must be true; a failure is our bug, never the caller's, and stops the work at hand. */

export class BrokenInvariant extends Error {
  override name = 'BrokenInvariant'
}

export function assert(condition: unknown, sentence: string): asserts condition {
  if (!condition) throw new BrokenInvariant(sentence)
}

export const unreachable = (value: never): never => {
  throw new BrokenInvariant(`unexpected value ${JSON.stringify(value)}`)
}
