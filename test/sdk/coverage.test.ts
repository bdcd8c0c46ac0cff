/** Whatever the official SDK can ask: what we serve is driven by a test here, and what we do not is told, with the reason, in docs/sdk.md. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { routes } from '../../src/api/routes.ts'

const root = join(import.meta.dirname, '../..')
const controllers = join(root, 'node_modules/@maxio-com/advanced-billing-sdk/src/controllers')

type Operation = { name: string; method: string; path: string }

/** As the SDK's own source says it: `async readSite(...) { ... createRequest('GET', '/site.json')`. */
function operationsIn(source: string): Operation[] {
  return [...source.matchAll(/\n {2}async (\w+)\(([\s\S]*?)\n {2}\}\n/g)].map(([, name = '', body = '']) => {
    const [, method = '', fixed] = /createRequest\(\s*'(\w+)'(?:,\s*'([^']*)')?/.exec(body) ?? []
    const built = /appendTemplatePath`([^`]*)`/.exec(body)?.[1]
    const path = (fixed ?? built ?? '').replace(/\.json$/, '').replaceAll(/\$\{mapped\.(\w+)\}/g, ':$1')
    return { name, method, path }
  })
}

const operations = readdirSync(controllers)
  .filter((file) => file.endsWith('Controller.ts'))
  .flatMap((file) => operationsIn(readFileSync(join(controllers, file), 'utf8')))

const segments = (path: string): string[] => path.split('/').slice(1)
const isName = (segment: string | undefined): boolean => segment?.startsWith(':') ?? false

/** A name in one stands for a name in the other; `:resourceType` for both types. */
const leadsTo = (asked: string, served: string): boolean => {
  const [theirs, ours] = [segments(asked), segments(served)]
  return (
    theirs.length === ours.length &&
    theirs.every((segment, place) =>
      segment === ':resourceType'
        ? ours[place] === 'subscriptions' || ours[place] === 'customers'
        : isName(segment)
          ? isName(ours[place])
          : segment === ours[place],
    )
  )
}

const isServed = ({ method, path }: Operation): boolean =>
  routes.some((route) => route.method === method && leadsTo(path, route.path))

const lines = (found: readonly Operation[]): string[] =>
  found.map(({ name, method, path }) => `${name} ${method} ${path}`)

/** The rows of the tables: an operation in the first column. */
const told = new Set(
  [...readFileSync(join(root, 'docs/sdk.md'), 'utf8').matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name),
)

test('the SDK was read: it has operations of every method', () => {
  assert.ok(operations.length > 150)
  assert.deepEqual(lines(operations.filter(({ method, path }) => method === '' || path === '')), [])
})

test('what is not served is told in docs/sdk.md, and nothing is told that the SDK does not know', () => {
  assert.deepEqual(lines(operations.filter((one) => !isServed(one) && !told.has(one.name))), [])
  assert.deepEqual(
    [...told].filter((name) => operations.every((one) => one.name !== name)),
    [],
  )
})

test('what is served is driven by a test with the SDK, or told why not', () => {
  const tests = readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'))
    .join('\n')
  const undriven = operations.filter((one) => isServed(one) && !tests.includes(`.${one.name}(`) && !told.has(one.name))
  assert.deepEqual(lines(undriven), [])
})
