/** Lets requests begin in turn, connection by connection, so that a flood on one of them keeps the others waiting for a moment only. */

export type AdmissionLimits = {
  /** Of requests that have just begun. One that takes longer than `start_in_ms` waits for somebody else and counts no more. */
  readonly starting_requests: number
  readonly start_in_ms: number
  /** Of one connection, begun and not finished: also those whose client has gone meanwhile. */
  readonly requests_per_connection: number
  /** Of all connections together; beyond it who has most of them is refused. */
  readonly waiting_requests: number
}

export const admissionLimits: AdmissionLimits = {
  starting_requests: 64,
  start_in_ms: 250,
  requests_per_connection: 100,
  waiting_requests: 2_000,
}

type Waiting = {
  readonly isGone: () => boolean
  readonly begin: (admitted: Admitted) => void
  readonly refuse: (error: TooManyRequests) => void
}

/** `leave` is called once, when the request's work is over; undefined where the client was gone before it began. */
export type Admitted = { readonly leave: () => void } | undefined

export class TooManyRequests extends Error {}

type Line = { working: number; waiting: Waiting[] }

export class Admission {
  readonly #limits: AdmissionLimits
  /** By connection; in the order in which those that wait have their turns. */
  readonly #lines = new Map<object, Line>()
  #starting = 0
  #waiting = 0
  #isScheduled = false

  constructor(limits: AdmissionLimits) {
    this.#limits = limits
  }

  /**
   * Resolves when the request may begin, never before what has arrived with it was read: whoever sends and cancels in one breath is
   * gone by then. Rejects with `TooManyRequests` when too many wait, most of them on this connection.
   */
  enter(connection: object, isGone: () => boolean): Promise<Admitted> {
    const { promise, resolve, reject } = Promise.withResolvers<Admitted>()
    const line = this.#lines.get(connection) ?? { working: 0, waiting: [] }
    this.#lines.set(connection, line)
    line.waiting.push({ isGone, begin: resolve, refuse: reject })
    this.#waiting += 1
    if (this.#waiting > this.#limits.waiting_requests) this.#refuseOne()
    this.#schedule()
    return promise
  }

  /** The last of the longest line: a flood on some connections never has the others refused. */
  #refuseOne(): void {
    let longest: Line | undefined
    for (const line of this.#lines.values()) {
      if (longest === undefined || line.waiting.length > longest.waiting.length) longest = line
    }
    this.#waiting -= 1
    longest?.waiting.pop()?.refuse(new TooManyRequests())
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#begin()
    })
  }

  /** One of each connection in turn, until too many are starting. */
  #begin(): void {
    for (const line of this.#lines.values()) this.#dropGone(line)
    let hasBegun = true
    while (hasBegun) {
      hasBegun = false
      for (const [connection, line] of [...this.#lines]) {
        const mayBegin = line.waiting.length > 0 && line.working < this.#limits.requests_per_connection
        if (mayBegin && this.#starting >= this.#limits.starting_requests) return
        if (mayBegin) {
          this.#beginOne(connection, line)
          hasBegun = true
        } else if (line.waiting.length === 0 && line.working === 0) this.#lines.delete(connection)
      }
    }
  }

  #dropGone(line: Line): void {
    const gone = line.waiting.filter(({ isGone }) => isGone())
    if (gone.length === 0) return
    line.waiting = line.waiting.filter((one) => !gone.includes(one))
    this.#waiting -= gone.length
    for (const { begin } of gone) begin(undefined)
  }

  #beginOne(connection: object, line: Line): void {
    const { begin } = line.waiting.shift()!
    this.#waiting -= 1
    line.working += 1
    this.#starting += 1
    // Whose turn it was goes to the end of the round.
    this.#lines.delete(connection)
    this.#lines.set(connection, line)
    let isStarting = true
    const started = (): void => {
      if (isStarting) {
        this.#starting -= 1
        this.#schedule()
      }
      isStarting = false
    }
    const timer = setTimeout(started, this.#limits.start_in_ms)
    let isOver = false
    const leave = (): void => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      line.working -= 1
      started()
      this.#schedule()
    }
    begin({ leave })
  }
}
