/** What can be wrong with a field of each kind, and the word by which a complaint names the field. */

/** Each bad value with what is wrong about it; undefined leaves the field out. */
export type Bad = { label: string; values: readonly (readonly [what: string, value: unknown])[] }

const wrongType = ['of a wrong type', { a: 1 }] as const
const needed = [
  ['missing', undefined],
  ['null', null],
  ['blank', ' '],
] as const

type Options = { needed?: boolean; max?: number; or?: Bad['values'] }

const bad = (label: string, values: Bad['values'], options: Options = {}): Bad => ({
  label,
  values: [...values, ...(options.needed ? needed : []), ...(options.or ?? [])],
})

export const longTextMax = 65_535

export const text = (label: string, options: Options = {}): Bad =>
  bad(label, [wrongType, ['too long', 'x'.repeat((options.max ?? 255) + 1)]], options)

export const flag = (label: string, options: Options = {}): Bad =>
  bad(label, [wrongType, ['no flag', 'perhaps'], ['a number', 2]], options)

export const choice = (label: string, options: Options = {}): Bad =>
  bad(label, [wrongType, ['unheard of', 'none such']], options)

/** A number that may not be negative; whole unless it is said otherwise. */
export const count = (label: string, options: Options = {}): Bad =>
  bad(label, [wrongType, ['no number', 'many'], ['negative', -1], ['no whole number', 1.5]], options)

export const decimal = (label: string, options: Options = {}): Bad =>
  bad(label, [wrongType, ['no number', 'many'], ['negative', -1], ['too large', '1'.repeat(30)]], options)

/** Of this or the other site: ids that are unknown here belong to nobody here. */
export const id = (label: string, options: Options = {}): Bad => count(label, options)

export const date = (label: string, options: Options = {}): Bad =>
  bad(label, [wrongType, ['no date', 'some day'], ['too long', '1'.repeat(65)]], options)

export const tree = (label: string, options: Options = {}): Bad => bad(label, [['no object', 'x']], options)

export const list = (label: string, options: Options = {}): Bad =>
  bad(
    label,
    [
      ['no list', 'x'],
      ['an object', { a: 1, b: 2 }],
    ],
    options,
  )

/** One value that is wrong for a reason of its own. */
export const wrong = (label: string, ...values: [what: string, value: unknown][]): Bad => ({ label, values })

/** A copy of a body with one value replaced, or left out: `subscription.components.0.enabled`. */
export function withValue(body: object, path: string, value: unknown): object {
  const copy = structuredClone(body) as Record<string, unknown>
  const names = path.split('.')
  const last = names.pop()!
  let inside: Record<string, unknown> = copy
  for (const name of names) {
    inside[name] ??= {}
    inside = inside[name] as Record<string, unknown>
  }
  if (value === undefined) delete inside[last]
  else inside[last] = value
  return copy
}
