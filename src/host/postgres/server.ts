/** The running server: how it is started and stopped, and how to tell a live one from what a crash left behind. */

import { execFileSync } from 'node:child_process'
import { closeSync, fstatSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Cluster, runIn } from './cluster.ts'

export const port = 5432

/** Fixed by how we reach the server; the rest of the settings may be overruled by a caller. */
const access = {
  listen_addresses: '',
  port: String(port),
  // Relative, so that the length of DATA_DIR's path does not matter to the server.
  unix_socket_directories: '.',
  unix_socket_permissions: '0700',
}

const defaults = {
  max_connections: '100',
  shared_buffers: '128MB',
  huge_pages: 'off',
  synchronous_commit: 'on',
  wal_compression: 'on',
  max_wal_size: '1GB',
  // Short transactions on few cores: planning machinery and helper processes would cost more than they give.
  jit: 'off',
  io_method: 'sync',
  max_parallel_workers_per_gather: '0',
  max_logical_replication_workers: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  logging_collector: 'off',
  log_destination: 'stderr',
  // Errors are the service's to tell; the server's own lines must not quote statements or rows.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
}

export type Settings = Record<string, string>

export type Launched = {
  /** Undefined while the server runs. */
  exit(): { code: number | string; said: string } | undefined
}

/** Starts the server and leaves it to itself: it outlives this process. */
export function launch(cluster: Cluster, settings: Settings): Launched {
  const log = openSync(cluster.logFile, tooLong(cluster.logFile) ? 'w' : 'a', 0o600)
  const saidBefore = fstatSync(log).size
  const args = Object.entries({ ...defaults, ...settings, ...access }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const child = runIn(cluster.directory, cluster, cluster.binaries.postgres, args, ['ignore', log, log])
  closeSync(log)
  child.unref()
  let ended: number | string | undefined
  child.on('error', (error) => {
    ended ??= error.message
  })
  child.on('exit', (code, signal) => {
    ended ??= code ?? signal ?? 'unknown'
  })
  return {
    exit: () =>
      ended === undefined
        ? undefined
        : { code: ended, said: readFileSync(cluster.logFile).subarray(saidBefore).toString() },
  }
}

const logBytesMax = 10 * 1024 * 1024
const tooLong = (file: string): boolean => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > logBytesMax

type Place = Pick<Cluster, 'directory'>

const pidFile = (cluster: Place): string => join(cluster.directory, 'postmaster.pid')
const socketLockFile = (cluster: Place): string => join(cluster.directory, `.s.PGSQL.${port}.lock`)

/** The process id of the cluster's server; undefined when none is alive, whatever files say. */
export function liveServer(cluster: Place): number | undefined {
  const pid = Number(firstLine(pidFile(cluster)))
  return pid > 1 && isServerOf(cluster, pid) ? pid : undefined
}

/** Asks for a fast shutdown: clients are disconnected, a checkpoint is written. */
export function interrupt(cluster: Place): void {
  const pid = liveServer(cluster)
  if (pid !== undefined) process.kill(pid, 'SIGINT')
}

/**
 * Frees lock files that name a process which is not our server: its number was given to another process, or it is dead and
 * nobody collected it. PostgreSQL takes both for a server that runs. The rest of postmaster.pid must stay: it names the
 * shared memory by which PostgreSQL finds out that a dead server's children are still at work.
 */
export function disownLockFiles(cluster: Place): void {
  if (liveServer(cluster) !== undefined) return
  const lines = readLines(pidFile(cluster))
  // A new server takes its parent's number for a stale one.
  if (lines !== undefined) writeFileSync(pidFile(cluster), [process.pid, ...lines.slice(1)].join('\n'))
  rmSync(socketLockFile(cluster), { force: true })
}

/** The process must be called postgres and stand in the cluster's directory; the dead and uncollected stand nowhere. */
function isServerOf(cluster: Place, pid: number): boolean {
  try {
    if (process.platform !== 'linux') {
      return execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' }).includes('postgres')
    }
    if (firstLine(`/proc/${pid}/comm`) !== 'postgres') return false
    const [stands, lies] = [statSync(`/proc/${pid}/cwd`), statSync(cluster.directory)]
    return stands.dev === lies.dev && stands.ino === lies.ino
  } catch {
    return false
  }
}

function readLines(file: string): string[] | undefined {
  try {
    return readFileSync(file, 'utf8').split('\n')
  } catch {
    return undefined
  }
}

const firstLine = (file: string): string | undefined => readLines(file)?.[0]
