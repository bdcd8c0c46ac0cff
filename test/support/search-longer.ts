/** Runs the tests that search as CAMPAIGN says, so many times longer than they do by themselves. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** `times=20` among the words wins over what is usual. */
export async function searchLonger(file: string, usualTimes: number, words: readonly string[]): Promise<void> {
  const times = words.find((word) => word.startsWith('times='))?.slice(6) ?? String(usualTimes)
  const setUp = '--test-global-setup=test/support/global-setup.ts'
  const env = { ...process.env, CAMPAIGN: times, NODE_TEST_CONTEXT: undefined }
  const child = spawn(process.execPath, ['--test', setUp, '--test-force-exit', file], { env, stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  assert.equal(code, 0, `${file}, ${times} times as long`)
}
