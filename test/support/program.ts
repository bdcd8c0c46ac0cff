/** Runs the command line as an operator does, and waits until it has ended. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { testSecret } from './seals.ts'

const program = join(import.meta.dirname, '../../bin/kalends')

/** `output` is what it wrote on both streams, in the order in which it came. */
type Run = { code: number | null; output: string }

export const runProgram = (databaseUrl: string, ...words: string[]): Promise<Run> =>
  runProgramWith({ DATABASE_URL: databaseUrl }, ...words)

export const runProgramWith = (variables: Record<string, string>, ...words: string[]): Promise<Run> =>
  new Promise((done, failed) => {
    const child = spawn(program, words, { env: { ...process.env, SECRET_KEY: testSecret, ...variables } })
    let output = ''
    const hear = (chunk: Buffer): void => {
      output += chunk
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.on('error', failed)
    child.on('close', (code) => done({ code, output }))
  })
