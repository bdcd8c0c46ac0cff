/** What the gate stands on: every test file is run once, and the packages install everywhere without a warning. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { filesOf, groups } from './together/import-tests.ts'

test('every test file is run by the gate, once', () => {
  const gate = readFileSync(join(import.meta.dirname, '../bin/ci'), 'utf8')
  const patterns = [...gate.matchAll(/'((?:src|test)\/[^']*\.test\.ts)'/g)].map(([, pattern]) => pattern!)
  const named = patterns.flatMap(filesOf)
  const together = named.filter((file) => dirname(file) === 'test/together').map((file) => basename(file))
  assert.deepEqual(together.toSorted(), Object.keys(groups).toSorted())
  const run = [...named, ...Object.values(groups).flatMap(filesOf)].toSorted()
  assert.deepEqual(run, [...filesOf('src/**/*.test.ts'), ...filesOf('test/**/*.test.ts')].toSorted())
})

type Package = {
  engines?: { node?: string }
  hasInstallScript?: boolean
  optional?: boolean
  optionalDependencies?: Record<string, string>
}

const read = (file: string) => JSON.parse(readFileSync(join(import.meta.dirname, '..', file), 'utf8'))
const packages: [path: string, is: Package][] = Object.entries<Package>(read('package-lock.json').packages)

/** The last alternative of a range, which has no upper end: 22012000 for `^20.19.0 || >=22.12.0`. */
const leastOf = (range: string): number => {
  const [, major, minor = 0, patch = 0] = /(\d+)(?:\.(\d+))?(?:\.(\d+))?[^|]*$/.exec(range) ?? []
  return (Number(major) * 1000 + Number(minor)) * 1000 + Number(patch)
}

test('the Node that package.json and the README ask for is new enough for every library, and no newer', () => {
  const asked = read('package.json').engines.node as string
  const needed = packages.filter(([path, { engines, optional }]) => path !== '' && engines?.node && !optional)
  assert.equal(leastOf(asked), Math.max(...needed.map(([, { engines }]) => leastOf(engines!.node!))))
  const [, told] = /^On a machine with Node (\S+) or newer/m.exec(readFileSync('README.md', 'utf8')) ?? []
  assert.equal(leastOf(told!), leastOf(asked))
})

test('every install script is refused by name', () => {
  const scripts = packages.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)
  const refused = Object.keys(read('package.json').allowScripts).map((name) => `node_modules/${name}`)
  assert.deepEqual(refused.toSorted(), scripts.toSorted())
})

test('the lockfile has the packages of every platform', () => {
  const known = new Set(packages.map(([path]) => path))
  const missing = packages.flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !known.has(`${path}/node_modules/${name}`) && !known.has(`node_modules/${name}`),
    ),
  )
  assert.deepEqual(missing, [])
})
