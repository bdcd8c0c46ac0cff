/** The embedded database: starts the server, or joins the one that runs, and keeps it running until the last service leaves. */

import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Log } from '../log.ts'
import { SetupProblem } from '../setup-problem.ts'
import { type Cluster, openCluster } from './cluster.ts'
import { disownLockFiles, interrupt, type Launched, launch, liveServer, type Settings } from './server.ts'
import { openSocket, type SocketConnection } from './socket.ts'

export type { SocketConnection } from './socket.ts'

export type EmbeddedPostgres = {
  connection: SocketConnection
  /** Close all other connections first. Stops the server unless another service uses it. */
  stop(): Promise<void>
}

type Options = {
  /** Absolute path. */
  dataDir: string
  log: Log
  /** Server settings beside the defaults. */
  settings?: Settings
  /** The process may end while it uses the server; then nobody stops the server. */
  background?: boolean
  /** Where the package's programs lie, if not in node_modules. */
  packageDirectory?: string
}

const pollMs = 5
const restartPauseMs = 1000
const silenceMsMax = 60_000
const stopMsMax = 120_000

/** Throws a SetupProblem with the server's own words when it does not start. */
export async function startPostgres({
  dataDir,
  log,
  settings = {},
  background = false,
  packageDirectory,
}: Options): Promise<EmbeddedPostgres> {
  const cluster = await openCluster(dataDir, packageDirectory)
  const socket = openSocket(cluster)
  let stopping = false
  let member: Promise<pg.Client | undefined> = Promise.resolve(undefined)

  const join = async (): Promise<pg.Client> => {
    const membership = await joinServer(cluster, socket.connection, settings, log)
    if (background) (membership as pg.Client & { unref(): void }).unref()
    membership.once('end', () => {
      if (stopping) return
      log.error('the database server is gone, it is started again')
      member = rejoin()
    })
    return membership
  }
  const rejoin = async (): Promise<pg.Client | undefined> => {
    while (!stopping) {
      try {
        return await join()
      } catch (error) {
        log.error({ err: error }, 'the database server does not start')
        await pause(restartPauseMs)
      }
    }
    return undefined
  }
  try {
    member = join()
    await member
  } catch (error) {
    socket.close()
    throw error
  }

  return {
    connection: socket.connection,
    stop: async () => {
      stopping = true
      const membership = await member
      if (membership !== undefined) await leaveServer(cluster, membership, log)
      socket.close()
    },
  }
}

// Every service holds this lock shared while it uses the server; who gets it alone on leaving is the last one.
const membershipLock = '7236832012'

/** Comes back with a connection that holds the membership lock. */
async function joinServer(
  cluster: Cluster,
  connection: SocketConnection,
  settings: Settings,
  log: Log,
): Promise<pg.Client> {
  let launched: Launched | undefined
  let heardAt = performance.now()
  for (;;) {
    const answer = await greet(connection)
    if (answer instanceof pg.Client) {
      log.debug({ server: liveServer(cluster), started: launched !== undefined }, 'the database server answers')
      return answer
    }
    // After a crash the server replays its log first, however long that takes; it says so when it is asked.
    if (answer === 'busy') heardAt = performance.now()
    const exit = launched?.exit()
    if (exit !== undefined) {
      judge(cluster, exit)
      launched = undefined
      await pause(pollMs * 10)
    } else if (launched === undefined && answer === 'absent' && liveServer(cluster) === undefined) {
      launched = launch(cluster, settings)
    }
    if (performance.now() - heardAt > silenceMsMax) {
      throw new SetupProblem(`The embedded database does not answer; ${cluster.logFile} may say why.`)
    }
    await pause(pollMs)
  }
}

/** Returns where trying again can help: another process was quicker, or an old server is not quite dead. */
function judge(cluster: Cluster, exit: { code: number | string; said: string }): void {
  if (exit.said.includes('lock file') || exit.said.includes('shared memory block')) disownLockFiles(cluster)
  else if (exit.code !== 0) {
    throw new SetupProblem(`The embedded database does not start (${exit.code}).\n${exit.said.trim()}`)
  }
}

const absentCodes = new Set(['ENOENT', 'ECONNREFUSED', 'ENOTSOCK'])
// Refused by a server that is starting, stopping, or has no connection free; or cut off by one that stops.
const busyCodes = new Set(['57P01', '57P02', '57P03', '53300', 'ECONNRESET', 'EPIPE', 'EAGAIN'])

async function greet(connection: SocketConnection): Promise<pg.Client | 'busy' | 'absent'> {
  const client = new pg.Client({ ...connection, application_name: 'kalends membership' })
  // A lost connection is told by `end`; without a listener the error would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query(`select pg_advisory_lock_shared(${membershipLock})`)
    return client
  } catch (error) {
    await client.end().catch(() => {})
    const { code = '', message } = error as { code?: string; message: string }
    if (absentCodes.has(code)) return 'absent'
    if (busyCodes.has(code) || message === 'Connection terminated unexpectedly') return 'busy'
    throw new SetupProblem(`The embedded database cannot be opened: ${message}.`)
  }
}

async function leaveServer(cluster: Cluster, membership: pg.Client, log: Log): Promise<void> {
  if (await isLast(membership)) {
    interrupt(cluster)
    for (let waitedMs = 0; liveServer(cluster) !== undefined; waitedMs += pollMs) {
      if (waitedMs > stopMsMax) {
        log.warn('the database server takes long to stop and is left to finish by itself')
        break
      }
      await pause(pollMs)
    }
  }
  await membership.end().catch(() => {})
}

/** False too when the server is already going: then another service is stopping it. */
async function isLast(membership: pg.Client): Promise<boolean> {
  try {
    const { rows } = await membership.query(
      `select pg_advisory_unlock_shared(${membershipLock}), pg_try_advisory_lock(${membershipLock}) as last`,
    )
    return rows[0].last
  } catch {
    return false
  }
}
