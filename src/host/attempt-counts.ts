/** Counts, in memory, how often strangers try what they may not: by address, for a stretch of time. */

export type AttemptLimit = { readonly most: number; readonly stretchMs: number }

type Count = { count: number; endsAtMs: number }

const subjectsMax = 20_000

export class AttemptCounts {
  readonly #limit: AttemptLimit
  readonly #counts = new Map<string, Count>()

  constructor(limit: AttemptLimit) {
    this.#limit = limit
  }

  /** Counts one more and gives how many it makes; a stretch that is over begins anew. */
  add(subject: string, nowMs: number): number {
    const known = this.#living(subject, nowMs)
    if (known !== undefined) {
      known.count += 1
      return known.count
    }
    if (this.#counts.size >= subjectsMax) this.#forget(nowMs)
    this.#counts.set(subject, { count: 1, endsAtMs: nowMs + this.#limit.stretchMs })
    return 1
  }

  /** For how many seconds a further one is refused; 0 when it is not. */
  secondsToWait(subject: string, nowMs: number): number {
    const known = this.#living(subject, nowMs)
    return known !== undefined && known.count >= this.#limit.most ? Math.ceil((known.endsAtMs - nowMs) / 1000) : 0
  }

  #living(subject: string, nowMs: number): Count | undefined {
    const known = this.#counts.get(subject)
    return known !== undefined && known.endsAtMs > nowMs ? known : undefined
  }

  /** What is over first; where that is not enough, everything, so that memory stays bounded whoever asks from where. */
  #forget(nowMs: number): void {
    for (const [subject, { endsAtMs }] of this.#counts) if (endsAtMs <= nowMs) this.#counts.delete(subject)
    if (this.#counts.size >= subjectsMax) this.#counts.clear()
  }
}

/** Who has one address of IPv6 has a network of them: its first half. An address of IPv4 stands for itself. */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address
  const [head = '', tail] = address.split('::', 2)
  const first = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0')
  return [...first, ...zeros, ...last].slice(0, 4).join(':')
}
