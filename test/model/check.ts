/** Walks through a model with spin: every state of it, unless something fails before. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const model = join(import.meta.dirname, '../../docs/model/payment-attempt.pml')
const has = (command: string): boolean => spawnSync(command, ['-V']).error === undefined
const missing = ['spin', 'cc'].filter((command) => !has(command))
/** Why nothing can be checked here; false where it can. */
export const skip =
  missing.length > 0 &&
  `The model is not checked: ${missing.join(' and ')} cannot be found. On Debian, "apt-get install spin gcc libc6-dev" brings them.`

/** Whether an assertion of the model can fail, with these macros. Throws where not every state was seen. */
export function canFail(macros: readonly string[]): boolean {
  const directory = mkdtempSync(join(tmpdir(), 'kalends-model-'))
  const run = (command: string, ...args: string[]): string => {
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: directory, encoding: 'utf8', maxBuffer: 1e8 })
    assert.equal(status, 0, `${command}: ${stdout}${stderr}`)
    return stdout
  }
  try {
    run('spin', '-a', ...macros.map((macro) => `-D${macro}`), model)
    run('cc', '-O1', '-DSAFETY', '-DCOLLAPSE', '-DVECTORSZ=2048', '-w', '-o', 'pan', 'pan.c')
    const said = run('./pan', '-E', '-m200000', '-w22')
    const [, errors] = /errors: (\d+)/.exec(said) ?? []
    if (errors !== '0') return true
    assert.doesNotMatch(said, /search not completed|max search depth too small/i)
    return false
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
