/** Loaded before every test file: deep comparisons see the moment in an instant, which Node's own take for any other instant. */
import assert from 'node:assert/strict'

/** Temporal values keep what they are in slots that no comparison of properties can see, so their text stands in for them. */
function told(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const kind: unknown = Reflect.get(value, Symbol.toStringTag)
  if (typeof kind === 'string' && kind.startsWith('Temporal.')) return `${kind} ${String(value)}`
  if (Array.isArray(value)) return value.some(holds) ? value.map(told) : value
  if (value instanceof Map) return new Map([...value].map(([key, one]) => [key, told(one)]))
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return value
  if (!Object.values(value).some(holds)) return value
  const copy: object = Object.create(prototype as object | null)
  return Object.assign(copy, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, told(one)])))
}

/** Whether there is something to be told further down. */
const holds = (value: unknown): boolean => typeof value === 'object' && value !== null

for (const name of ['deepEqual', 'deepStrictEqual', 'notDeepEqual', 'notDeepStrictEqual'] as const) {
  const compare = assert[name] as (actual: unknown, expected: unknown, ...about: [message?: string | Error]) => void
  Object.assign(assert, {
    [name]: (actual: unknown, expected: unknown, ...about: [message?: string | Error]) =>
      compare(told(actual), told(expected), ...about),
  })
}
