/** Whether what a client sent is found again in what its SDK made of the answers, and whether those lack anything that must be there. */
import type { Tree } from './sdk.ts'

type Leaf = { path: string; name: string; value: unknown }

/** The names of the three languages for the same field: `price_in_cents`, `priceInCents`; a name that is taken has an m in front. */
const plain = (name: string): string => name.replaceAll('_', '').toLowerCase()

const isTree = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function* leavesOf(value: unknown, path = '', name = ''): Generator<Leaf> {
  if (Array.isArray(value)) {
    for (const [place, one] of value.entries()) yield* leavesOf(one, `${path}[${place}]`, name)
  } else if (isTree(value)) {
    for (const [key, one] of Object.entries(value)) yield* leavesOf(one, path === '' ? key : `${path}.${key}`, key)
  } else if (value !== undefined) yield { path, name, value }
}

const dateLike = /^\d{4}-\d\d-\d\d([T ]|$)/

/** `15`, `'15.0'` and `15n` are one value, and so are two ways to write one instant. */
function sameValue(sent: unknown, read: unknown): boolean {
  if (read === null || read === undefined) return sent === null || sent === ''
  const [ours, theirs] = [String(sent), String(read)]
  if (ours.toLowerCase() === theirs.toLowerCase()) return true
  if (ours.trim() !== '' && Number(ours) === Number(theirs)) return true
  if (!dateLike.test(ours) || !dateLike.test(theirs)) return false
  return Date.parse(ours) === Date.parse(theirs) || theirs.startsWith(ours)
}

/** By the field as it is sent: under which name it is read, at the end of a value at least; null where it is never shown. */
export type ShownAs = Record<string, string | readonly string[] | null>

/** The paths of what was sent and is nowhere in what was read. */
export function notFoundAgain(sent: unknown, read: readonly Tree[], shownAs: ShownAs): string[] {
  const known = new Map<string, unknown[]>()
  for (const { name, value } of leavesOf(read)) {
    const key = plain(name)
    known.set(key, [...(known.get(key) ?? []), value])
  }
  return [...leavesOf(sent)].flatMap(({ path, name, value }) => {
    const shown = path in shownAs ? shownAs[path] : shownAs[name]
    if (shown === null) return []
    const names = shown === undefined ? [name] : [shown].flat()
    const values = names.flatMap((one) => [...(known.get(plain(one)) ?? []), ...(known.get(`m${plain(one)}`) ?? [])])
    const isPart = shown !== undefined && values.some((one) => String(one).endsWith(String(value)))
    return isPart || values.some((one) => sameValue(value, one)) ? [] : [`${path} = ${JSON.stringify(value)}`]
  })
}

/** The paths of fields that the SDK's objects must have and the answer lacks: they are null there, and no such name came. */
export function absentFrom(raw: unknown, typed: unknown, path = ''): string[] {
  if (Array.isArray(typed)) {
    const list = Array.isArray(raw) ? raw : []
    return typed.flatMap((one, place) => absentFrom(list[place], one, `${path}[]`))
  }
  if (!isTree(typed) || !isTree(raw)) return []
  const came = new Map(
    Object.entries(raw).flatMap(([name, value]) => [plain(name), `m${plain(name)}`].map((one) => [one, value])),
  )
  return Object.entries(typed).flatMap(([name, value]) => {
    const inside = path === '' ? name : `${path}.${name}`
    if (value === null) return came.has(plain(name)) ? [] : [inside]
    return absentFrom(came.get(plain(name)), value, inside)
  })
}
