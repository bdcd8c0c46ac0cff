/** What happens in a simulation: a list of steps drawn from a seed, which can be shortened and run again. */
import { chances } from './simulated-time.ts'
import type { Temper } from './strange-gateway.ts'

export type Step =
  | { does: 'pass'; seconds: number }
  | { does: 'assess' | 'recover' | 'kill' | 'stop' | 'go on'; process: number }
  | { does: 'cut'; process: number; noticedAfterSeconds: number }
  | { does: 'sign up' | 'retry' | 'charge' | 'refund'; process: number; which: number }
  | { does: 'away'; seconds: number }
  | { does: 'temper'; temper: Temper }

export type Plan = {
  seed: number
  /** The gateway breaks its contract. */
  lies: boolean
  subscriptions: number
  /** One for each process that lives from the beginning: how far its clock is off, in seconds. */
  skews: readonly number[]
  temper: Temper
  steps: readonly Step[]
}

/** Draws steps that mean something together: what strangers do at random rarely meets the moment at which it hurts. */
class Drawing {
  readonly #draw: () => number
  readonly #processes: number
  readonly #lies: boolean

  constructor(draw: () => number, processes: number, lies: boolean) {
    this.#draw = draw
    this.#processes = processes
    this.#lies = lies
  }

  upTo = (most: number): number => Math.floor(this.#draw() * most)
  often = (share: number): boolean => this.#draw() < share
  process = (): number => this.upTo(this.#processes)

  temper(): Temper {
    return {
      errors: this.often(0.6) ? this.#draw() * 0.6 : 0,
      declines: this.often(0.3) ? this.#draw() * 0.4 : 0,
      losses: this.often(0.4) ? this.#draw() * 0.4 : 0,
      delays: this.often(0.8) ? this.#draw() : 0,
      deafness: this.often(0.3) ? this.#draw() * 0.6 : 0,
      lies: this.#lies ? 0.7 : 0,
    }
  }

  wait(): Step {
    const kind = this.#draw()
    if (kind < 0.4) return { does: 'pass', seconds: 1 + this.upTo(10) }
    if (kind < 0.8) return { does: 'pass', seconds: 10 + this.upTo(150) }
    return { does: 'pass', seconds: 200 + this.upTo(3600) }
  }

  act(process: number): Step {
    const does = (['sign up', 'retry', 'charge', 'refund'] as const)[this.upTo(4)]!
    return { does, process, which: this.upTo(16) }
  }

  trouble(process: number): Step[] {
    const kind = this.#draw()
    if (kind < 0.3) return [{ does: 'stop', process }]
    if (kind < 0.6) return [{ does: 'cut', process, noticedAfterSeconds: this.often(0.6) ? 0 : this.upTo(30) }]
    // What a process heard of a liar dies with it.
    if (kind < 0.75) return this.#lies ? [] : [{ does: 'kill', process }]
    if (kind < 0.85) return [{ does: 'away', seconds: 1 + this.upTo(90) }]
    return []
  }

  /** Work is begun, its process gets into trouble, and others take it up while calls are on their way. */
  episode(): Step[] {
    const process = this.process()
    const work: Step = this.often(0.65) ? { does: 'assess', process } : this.act(process)
    const others = Array.from({ length: 1 + this.upTo(3) }, (): Step[] => [
      ...(this.often(0.6) ? [this.wait()] : []),
      { does: 'recover', process: this.process() },
    ])
    return [
      this.often(0.2) ? { does: 'pass', seconds: 3600 * (1 + this.upTo(12)) } : this.wait(),
      work,
      ...(this.often(0.5) ? [this.wait()] : []),
      ...this.trouble(process),
      ...others.flat(),
      ...(this.often(0.12)
        ? [
            { does: 'pass', seconds: 3600 * (6 + this.upTo(3)) } as const,
            { does: 'recover', process: this.process() } as const,
          ]
        : []),
      ...(this.often(0.7) ? [{ does: 'go on', process } as const] : []),
      ...(this.often(0.15) ? [{ does: 'temper', temper: this.temper() } as const] : []),
    ]
  }
}

const episodesMax = 8

export function drawPlan(seed: number): Plan {
  const draw = chances('plan', seed)
  const processes = 2 + Math.floor(draw() * 3)
  const lies = draw() < 0.15
  const drawing = new Drawing(draw, processes, lies)
  return {
    seed,
    lies,
    subscriptions: 2 + drawing.upTo(6),
    skews: Array.from({ length: processes }, () => (drawing.often(0.4) ? drawing.upTo(1200) - 600 : 0)),
    temper: drawing.temper(),
    steps: Array.from({ length: 3 + drawing.upTo(episodesMax - 2) }, () => drawing.episode()).flat(),
  }
}

export function sayStep(step: Step): string {
  const { does, ...rest } = step
  return `${does} ${JSON.stringify(rest)}`
}
