/** The directory that an installation keeps its files in, and what is said when it cannot be used. */

import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { reasonOf, SetupProblem } from './setup-problem.ts'

/** Like `mkdir -p -m 700`. Node's own recursion never ends where a directory takes no others, as `/proc` does. */
export function makeDirectory(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' && isDirectory(path)) return
    if (code !== 'ENOENT' || isDirectory(dirname(path))) throw error
    makeDirectory(dirname(path))
    makeDirectory(path)
  }
}

const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/** Does what reads and writes in DATA_DIR; where the system refuses, a SetupProblem says so. */
export async function workIn<Result>(dataDir: string, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).syscall !== 'string') throw error
    throw new SetupProblem(`DATA_DIR (${dataDir}) cannot be used: ${reasonOf(error)}.`)
  }
}
