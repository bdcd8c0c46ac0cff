/** The database cluster on disk: where it lies in DATA_DIR, how it is made, and how its programs are run. */

import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  accessSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'
import { makeDirectory } from '../data-dir.ts'
import { SetupProblem } from '../setup-problem.ts'
import { type Account, serverAccount } from './account.ts'
import { type Binaries, installedPackage, prepareBinaries } from './binaries.ts'

export type Cluster = {
  /** Absolute path of PostgreSQL's data directory; its socket lies there too. */
  directory: string
  logFile: string
  account: Account
  binaries: Binaries
}

/** The database's only role, which owns everything. */
export const databaseUser = 'kalends'

/** Finds the cluster of `dataDir` or makes it. Two processes may do this at once: the slower one takes what the faster one made. */
export async function openCluster(dataDir: string, packageDirectory = installedPackage()): Promise<Cluster> {
  if (process.platform === 'win32') {
    throw new SetupProblem('The embedded PostgreSQL is not offered on Windows yet: set DATABASE_URL, or use WSL.')
  }
  openDataDir(dataDir)
  const directory = join(dataDir, 'postgres')
  const account = serverAccount(directory)
  const binaries = prepareBinaries(packageDirectory, account, dataDir)
  const cluster = { directory, logFile: join(dataDir, 'postgres.log'), account, binaries }
  if (!existsSync(directory)) await makeCluster(dataDir, cluster)
  refuseOtherVersion(cluster)
  return cluster
}

function openDataDir(dataDir: string): void {
  try {
    makeDirectory(dataDir)
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    removeAbandonedDrafts(dataDir)
  } catch (error) {
    throw new SetupProblem(`DATA_DIR (${dataDir}) cannot be used: ${(error as Error).message}.`)
  }
}

/**
 * Starts a program of the cluster inside its directory.
 * Root enters the directory before it gives up its rights, and the program knows the place as `/proc/self/cwd` only. So it
 * needs no way in through the directories above, which may be root's own (`/root`, mode 700).
 */
export const runIn = (
  directory: string,
  cluster: Cluster,
  program: string,
  args: string[],
  stdio: StdioOptions,
): ChildProcess => {
  const place = cluster.account !== undefined && existsSync('/proc/self/cwd') ? '/proc/self/cwd' : directory
  return spawn(program, ['-D', place, ...args], {
    cwd: directory,
    ...cluster.account,
    stdio,
    // Of its own session: a Ctrl-C in the terminal is for the service, which stops the server when its work is done.
    detached: true,
    // Nothing of the operator's PG... variables, language or time zone reaches the server.
    env: { LC_ALL: 'C', TZ: 'UTC' },
  })
}

const draftPrefix = 'postgres.new-'

async function makeCluster(dataDir: string, cluster: Cluster): Promise<void> {
  const draft = join(dataDir, `${draftPrefix}${process.pid}`)
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { mode: 0o700 })
  if (cluster.account !== undefined) chownSync(draft, cluster.account.uid, cluster.account.gid)
  await initialize(draft, cluster)
  try {
    renameSync(draft, cluster.directory)
    syncDirectory(dataDir)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(cluster.directory)) throw error
  }
}

async function initialize(draft: string, cluster: Cluster): Promise<void> {
  const options = ['--auth=trust', `--username=${databaseUser}`, '--encoding=UTF8', '--locale=C', '--data-checksums']
  const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const made = runIn(
    draft,
    cluster,
    cluster.binaries.initdb,
    [...options, ...locale, '--no-instructions'],
    ['ignore', 'pipe', 'pipe'],
  )
  const output: string[] = []
  for (const stream of [made.stdout, made.stderr]) stream?.on('data', (chunk) => output.push(String(chunk)))
  const [code] = await once(made, 'close').catch((error: Error) => [error.message])
  if (code === 0) return
  rmSync(draft, { recursive: true, force: true })
  throw new SetupProblem(`The embedded database could not be made (initdb: ${code}).\n${output.join('').trim()}`)
}

/** What a crash in the middle of initdb left behind. */
function removeAbandonedDrafts(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    if (!name.startsWith(draftPrefix)) continue
    if (!isRunning(Number(name.slice(draftPrefix.length))))
      rmSync(join(dataDir, name), { recursive: true, force: true })
  }
}

/** Also true of a process that belongs to somebody else. */
export const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The new name is on disk before the first row is. */
function syncDirectory(directory: string): void {
  const handle = openSync(directory, 'r')
  fsyncSync(handle)
  closeSync(handle)
}

const majorVersion = '18'

function refuseOtherVersion({ directory }: Cluster): void {
  let found: string
  try {
    found = readFileSync(join(directory, 'PG_VERSION'), 'utf8').trim()
  } catch (error) {
    throw new SetupProblem(`${directory} is no database that this account can open (${(error as Error).message}).`)
  }
  if (found === majorVersion) return
  throw new SetupProblem(
    `${directory} was made by PostgreSQL ${found}, and this is PostgreSQL ${majorVersion}: move the data with pg_dump first.`,
  )
}
