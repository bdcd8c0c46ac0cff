/** Secrets kept for good: sealed for whoever holds the key, and for nobody else. */
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { createSeals, openSeals, UnknownSeal } from './seals.ts'
import { SetupProblem } from './setup-problem.ts'

const first = 'a secret of the first year, made by chance'
const second = 'a secret of the second year, made by chance'

describe('seals', () => {
  test('what was sealed is read again, and looks different every time', () => {
    const seals = createSeals([first])
    for (const text of ['', 'k', 'Schlüssel 鍵 🔑', 'x'.repeat(10_000)]) {
      assert.equal(seals.open(seals.seal(text)), text)
      assert.notEqual(seals.seal(text), seals.seal(text))
    }
    assert.ok(!seals.seal('shared').includes('shared'))
  })

  test('nothing opens what was changed, cut short, or sealed with another key', () => {
    const seals = createSeals([first])
    const sealed = seals.seal('shared')
    for (const wrong of [`${sealed.slice(0, -2)}AA`, sealed.slice(0, -8), sealed.slice(0, 12), 'v1', '', 'shared']) {
      assert.throws(() => seals.open(wrong), UnknownSeal, wrong)
    }
    assert.throws(() => createSeals([second]).open(sealed), UnknownSeal)
  })

  test('with a newer key in front, old seals still open and new ones need the new key', () => {
    const [before, after] = [createSeals([first]), createSeals([second, first])]
    assert.equal(after.open(before.seal('shared')), 'shared')
    assert.equal(createSeals([second]).open(after.seal('shared')), 'shared')
  })
})

describe('hashes', () => {
  const [before, after] = [createSeals([first]), createSeals([second, first])]

  test('are the same for the same text and key, and others under another key', () => {
    assert.deepEqual(before.hash('4111'), createSeals([first]).hash('4111'))
    assert.notDeepEqual(before.hash('4111'), before.hash('4112'))
    assert.notDeepEqual(before.hash('4111'), createSeals([second]).hash('4111'))
  })

  test('with a newer key in front, that of the old key is among them, and the newest stands first', () => {
    assert.equal(after.hash('4111').length, 2)
    assert.ok(after.hash('4111').includes(before.hash('4111')[0]))
    assert.equal(after.hash('4111')[0], createSeals([second]).hash('4111')[0])
  })
})

describe('the secret in DATA_DIR', () => {
  const place = async (t: TestContext): Promise<string> => {
    const dataDir = await mkdtemp(join(tmpdir(), 'kalends-seals-'))
    t.after(() => rm(dataDir, { recursive: true }))
    return dataDir
  }

  test('is made once, even by processes that start together, and only its owner can read it', async (t) => {
    const dataDir = await place(t)
    const all = await Promise.all(Array.from({ length: 8 }, () => openSeals({ secretKeys: [], dataDir })))
    for (const seals of all) assert.equal(seals.open(all[0]!.seal('shared')), 'shared')
    assert.deepEqual(await readdir(dataDir), ['secret.key'])
    assert.equal((await stat(join(dataDir, 'secret.key'))).mode & 0o777, 0o600)
  })

  test('gives way to SECRET_KEY', async (t) => {
    const dataDir = await place(t)
    const seals = await openSeals({ secretKeys: [first], dataDir })
    assert.equal(createSeals([first]).open(seals.seal('shared')), 'shared')
    assert.deepEqual(await readdir(dataDir), [])
  })

  test('is not made anew where something was sealed already: a process without the right key does not start', async (t) => {
    const dataDir = await place(t)
    const sealed = createSeals([first]).seal('shared')
    await assert.rejects(openSeals({ secretKeys: [], dataDir }, sealed), SetupProblem)
    await assert.rejects(openSeals({ secretKeys: [second], dataDir }, sealed), SetupProblem)
    assert.deepEqual(await readdir(dataDir), [])
    await writeFile(join(dataDir, 'secret.key'), second)
    await assert.rejects(openSeals({ secretKeys: [], dataDir }, sealed), SetupProblem)
    assert.equal((await openSeals({ secretKeys: [second, first], dataDir }, sealed)).open(sealed), 'shared')
  })

  test('is never replaced when it is damaged', async (t) => {
    const dataDir = await place(t)
    await writeFile(join(dataDir, 'secret.key'), '')
    await assert.rejects(openSeals({ secretKeys: [], dataDir }), SetupProblem)
    assert.equal(await readFile(join(dataDir, 'secret.key'), 'utf8'), '')
  })
})
