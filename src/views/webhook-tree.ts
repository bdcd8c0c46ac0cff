/** How what the API shows looks inside a webhook: names in the order of the alphabet, times in their older form. */
import type { FormTree, FormValue } from '../wire/form.ts'
import type { Shape } from '../wire/shape.ts'
import { formatTimestamp, formatUtc } from '../wire/timestamp.ts'

/** `2016-11-08T16:22:20-05:00` as `2016-11-08 16:22:20 -0500`. */
const olderForm = (iso: string): string =>
  `${iso.slice(0, 10)} ${iso.slice(11, 19)} ${iso.slice(19, 22)}${iso.slice(23)}`

export const webhookTime = (at: Temporal.Instant | null | undefined, timeZone: string): string | null =>
  at ? olderForm(formatTimestamp(at, timeZone)) : null

/** `2016-11-08 21:22:20 UTC`. */
export const webhookUtc = (at: Temporal.Instant): string => formatUtc(at).replace('T', ' ').replace('Z', ' UTC')

/** `value` is what a view presents under `shape`, which says which strings are times. */
export function webhookTree(value: object, shape: Shape): FormTree {
  const fields = typeof shape === 'object' && 'fields' in shape ? shape.fields : {}
  const entries = Object.entries(value).map(([name, inner]): [string, FormValue] => [
    name,
    webhookValue(inner, fields[name] ?? 'string'),
  ])
  return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)))
}

function webhookValue(value: unknown, shape: Shape): FormValue {
  if (value === null || value === undefined) return null
  if (Array.isArray(value)) {
    const item = typeof shape === 'object' && 'list' in shape ? shape.list : 'string'
    return value.map((one) => webhookValue(one, item))
  }
  if (typeof value === 'object') return webhookTree(value, shape)
  return shape === 'datetime' ? olderForm(String(value)) : (value as string | number | boolean)
}

/** Some of the fields, in the order asked for; one that there is not is left out. */
export const pick = (tree: FormTree, ...names: string[]): FormTree =>
  Object.fromEntries(names.filter((name) => name in tree).map((name) => [name, tree[name]!]))
