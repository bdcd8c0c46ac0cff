/** In which serial orders acts may have happened that came at once and locked a subscription in turn. */
import type { Reply } from '../support/test-app.ts'
import type { Command } from './racing-commands.ts'

/** Commands and their answers; the name of each is its place in both lists. */
export type Run = { wanted: readonly Command[]; replies: readonly Reply[] }

const movesMoney = /^(POST \/(adjustments|credits|payments|charges)|refund)/

/**
 * The orders in which acts may be said to have happened, the likely ones first. One that asked a gateway locks twice; what came
 * meanwhile happened before it or after it, what moved money and what did not each for itself. Most happen when they lock last, to
 * settle; a refund when it locks first, for what it asks back cannot be asked for again.
 */
export function* orders(names: readonly string[], { wanted }: Pick<Run, 'wanted'>): Generator<number[], undefined> {
  const all = [...new Set(names)]
  const isOf = (pattern: RegExp, name: string): boolean => pattern.test(wanted[Number(name)]!.title)
  const turns = new Map(
    all.map((name) => [name, isOf(/^refund/, name) ? names.indexOf(name) : names.lastIndexOf(name)] as const),
  )
  const groups = all
    .filter((name) => !isOf(/^refund/, name))
    .flatMap((name) => {
      const [first, last] = [names.indexOf(name), names.lastIndexOf(name)]
      const meanwhile = all.filter((other) => first < turns.get(other)! && turns.get(other)! < last)
      const [money, rest] = [true, false].map((moves) =>
        meanwhile.filter((other) => !isOf(/^refund/, other) && isOf(movesMoney, other) === moves),
      )
      return [rest!, money!].filter(({ length }) => length > 0).map((others) => ({ others, last }))
    })
  const ways = Array.from({ length: 2 ** Math.min(groups.length, 12) }, (_, bits) =>
    groups.filter((__, place) => (bits >> place) & 1),
  )
  for (const way of ways.toSorted((left, right) => left.length - right.length)) {
    const moved = new Map<string, number>(turns)
    for (const { others, last } of way) {
      for (const other of others) moved.set(other, last + turns.get(other)! / 10_000)
    }
    yield all.toSorted((left, right) => moved.get(left)! - moved.get(right)!).map(Number)
  }
}
