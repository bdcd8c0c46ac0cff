/** An official SDK as the conformance walk uses it, whatever its language: it is told an operation, and tells what came of it. */

export type Tree = ReturnType<typeof JSON.parse>

export type Heard = {
  /**
   * `read`: the SDK made its own objects of the answer. `refused`: we said no, and the SDK told so. `unreadable`: we answered well and
   * the SDK could make nothing of it. `unsendable`: the SDK did not take the arguments. `unknown`: it has no such operation.
   */
  outcome: 'read' | 'refused' | 'unreadable' | 'unsendable' | 'unknown'
  status?: number
  /** The body as the SDK sent it. */
  sent?: Tree
  /** The answer as it came, as a tree where it is one. */
  raw?: Tree
  /** What the SDK made of it; keys are named as its language does. */
  typed?: Tree
  error?: string
}

export type Sdk = {
  language: string
  /** All operations that it knows, by the names of its language. */
  operations: readonly string[]
  knows(operation: string): boolean
  /** Arguments have the names of the TypeScript SDK; bodies are trees as they stand on the wire. */
  call(operation: string, given: Record<string, unknown>): Promise<Heard>
  leave(): void
}

/** Where an SDK finds the service. */
export type Place = { port: number; subdomain: string; apiKey: string; certificate: string }

export const treeOf = (text: unknown): Tree => {
  if (typeof text !== 'string' || text.trim() === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
