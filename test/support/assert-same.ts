/** Compares values with the instants in them, which `deepEqual` takes for equal whatever they are. */
import assert from 'node:assert/strict'

const told = (value: unknown): unknown => {
  if (value instanceof Temporal.Instant) return String(value)
  if (Array.isArray(value)) return value.map(told)
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, told(inner)]))
}

export const assertSame = (actual: unknown, expected: unknown, ...about: [message?: string]): void =>
  about[0] === undefined
    ? assert.deepEqual(told(actual), told(expected))
    : assert.deepEqual(told(actual), told(expected), about[0])
