/** Asks for one operation after the other with one SDK, and writes down what came of each. */
import { absentFrom, notFoundAgain, type ShownAs } from './found-again.ts'
import type { Heard, Sdk, Tree } from './sdk.ts'

export type Defect = { language: string; operation: string; what: string }

/** Plain HTTPS for what no SDK knows. */
export type Ask = (method: string, path: string, body?: object) => Promise<{ status: number; tree: Tree }>

type Expectations = {
  /** The service must refuse this one; its words. */
  refusedWith?: RegExp
  shownAs?: ShownAs
  /** A reading where what was sent is found again, beside the answer. */
  readBy?: readonly [operation: string, given: Record<string, unknown>]
}

export class Walker {
  readonly sdk: Sdk
  private readonly https: Ask
  /** What was asked and answered as it should be, at least once. */
  readonly done = new Set<string>()
  readonly defects: Defect[] = []
  /** The kinds of events that it read. */
  events: string[] = []

  constructor(sdk: Sdk, https: Ask) {
    this.sdk = sdk
    this.https = https
  }

  /** What no SDK knows. Throws where it is refused. */
  async ask(method: string, path: string, body?: object): Promise<Tree> {
    const { status, tree } = await this.https(method, path, body)
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(tree)}`)
    return tree
  }

  /** The status of an answer, whatever it says. */
  async statusOf(method: string, path: string): Promise<number> {
    return (await this.https(method, path)).status
  }

  /** Gives the answer as it came, null where there is none. A body is compared with what is read back. */
  async call(operation: string, given: Record<string, unknown> = {}, expected: Expectations = {}): Promise<Tree> {
    if (!this.sdk.knows(operation)) return null
    const heard = await this.sdk.call(operation, given)
    const before = this.defects.length
    if (expected.refusedWith === undefined) this.examine(operation, heard)
    else this.examineRefusal(operation, heard, expected.refusedWith)
    if (heard.outcome === 'read' && given.body !== undefined && expected.refusedWith === undefined) {
      const more = expected.readBy && (await this.sdk.call(...expected.readBy))
      if (more !== undefined) {
        this.examine(expected.readBy![0], more)
        this.done.add(expected.readBy![0])
      }
      const lost = notFoundAgain(given.body, [heard.typed, more?.typed], { ...neverShown, ...expected.shownAs })
      for (const path of lost) this.note(operation, `sent and not found again: ${path}`)
    }
    if (this.defects.length === before) this.done.add(operation)
    return heard.raw ?? null
  }

  /** The walk itself could not go on. */
  stumble(error: unknown): void {
    const what = error instanceof Error ? String(error.stack) : String(error)
    this.defects.push({ language: this.sdk.language, operation: 'the walk', what })
  }

  private examine(operation: string, { outcome, status, raw, typed, error }: Heard): void {
    if (outcome !== 'read')
      this.note(operation, `${outcome} (${status}): ${error} ${JSON.stringify(raw)?.slice(0, 900)}`)
    for (const path of new Set(absentFrom(raw, typed))) this.note(operation, `required and absent: ${path}`)
  }

  private examineRefusal(operation: string, { outcome, status, raw, error }: Heard, words: RegExp): void {
    const isClear = outcome === 'refused' && words.test(JSON.stringify(raw))
    if (!isClear)
      this.note(operation, `should have been refused: ${outcome} (${status}) ${error} ${JSON.stringify(raw)}`)
  }

  private note(operation: string, what: string): void {
    this.defects.push({ language: this.sdk.language, operation, what })
  }
}

/** Secrets. */
const neverShown: ShownAs = { full_number: null, cvv: null }
