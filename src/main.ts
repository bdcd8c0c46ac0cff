/** Wires the rooms together: the database, the gateways, the API and the workers; starts the roles asked for and stops them again. */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { App } from './actions/app.ts'
import { findStanding } from './actions/find-standing.ts'
import type { PostOffice } from './actions/send-letters.ts'
import { createApiServer } from './api/server.ts'
import { createCourier } from './delivery/courier.ts'
import { BogusGateway } from './gateway/bogus.ts'
import { wallClock } from './host/clock.ts'
import type { Config } from './host/config.ts'
import { stopAt } from './host/fail-points.ts'
import { createLog, type Log } from './host/log.ts'
import { createMetrics } from './host/metrics.ts'
import { startPostgres } from './host/postgres/postgres.ts'
import { openSeals } from './host/seals.ts'
import { realTimers } from './host/timers.ts'
import { tlsMaterial } from './host/tls.ts'
import { outboxPost, smtpPost } from './mail/post.ts'
import { createPdfRenderer } from './pdf/renderer.ts'
import { portalPages } from './portal/portal.ts'
import { registerAsker } from './store/askers.ts'
import { openDatabase, withShortLimits } from './store/database.ts'
import { migrateAt } from './store/migrate.ts'
import { findAnySealedKey } from './store/sites.ts'
import { createMetricsServer } from './wire/metrics-server.ts'
import { startWorkers } from './workers/workers.ts'

export type Role = 'api' | 'workers'
export const roles: readonly Role[] = ['api', 'workers']

/** How long requests and rounds of work that have begun may take when the service stops. */
const drainMs = 20_000
/** How long it may take to say goodbye to whoever was asked: a database or a receiver that hangs is left without. */
const closeMs = 10_000

/** Whether it was over in time, however it ended. */
const inTime = async (ms: number, work: Promise<unknown>): Promise<boolean> => {
  const timer = new AbortController()
  const late = pause(ms, false, { signal: timer.signal }).catch(() => false)
  return Promise.race([
    work.then(
      () => true,
      () => true,
    ),
    late,
  ]).finally(() => timer.abort())
}

export type Opened = { app: App; close(): Promise<void> }

/** Opens the database (the embedded one is started or joined), migrates it, and registers this process. */
export async function openApp(config: Config, log: Log = createLog(config.logLevel)): Promise<Opened> {
  const postgres = config.databaseUrl === undefined ? await startPostgres({ dataDir: config.dataDir, log }) : undefined
  const connection: pg.PoolConfig = postgres?.connection ?? { connectionString: config.databaseUrl! }
  try {
    await migrateAt(connection, postgres === undefined ? 'The database of DATABASE_URL' : 'The embedded database')
    const db = openDatabase(connection, {
      news: {
        away: (error) => log.error({ err: error }, 'the database does not answer; work waits until it does'),
        back: () => log.info('the database answers again'),
      },
    })
    const seals = await openSeals(config, await findAnySealedKey(db))
    const asker = await registerAsker(db)
    const bogus = new BogusGateway(withShortLimits(connection), wallClock)
    const pdf = createPdfRenderer(log)
    const courier = createCourier({ allowPrivate: config.webhookAllowPrivate })
    const app: App = {
      db,
      gateways: new Map([[bogus.name, bogus]]),
      clock: wallClock,
      log,
      metrics: createMetrics({ ofProcess: config.metricsPort !== undefined }),
      seals,
      pdf,
      courier,
      get asker() {
        return asker.id
      },
      isAlive: (number) => asker.holds(number),
      timers: realTimers,
      reach: stopAt(config.failPoint),
      ...(config.publicUrl !== undefined && { publicUrl: config.publicUrl }),
    }
    const close = async (): Promise<void> => {
      asker.release()
      const goodbyes = Promise.allSettled([pdf.close(), courier.close(), bogus.close()]).then(() => db.close())
      if (!(await inTime(closeMs, goodbyes))) log.warn('what was asked does not answer, and is left without a goodbye')
      await postgres?.stop()
    }
    return { app, close }
  } catch (error) {
    await postgres?.stop()
    throw error
  }
}

/** Without an SMTP server letters are files, so that a newcomer can read them. */
const officeOf = (config: Config, port: number): PostOffice => ({
  post: config.smtpUrl === undefined ? outboxPost(join(config.dataDir, 'outbox')) : smtpPost(config.smtpUrl),
  mailFrom: config.mailFrom,
  publicUrl: config.publicUrl ?? `https://localhost:${port}`,
})

const writeMetrics = async (app: App) => app.metrics.write(await findStanding(app))

export type Service = { port: number; metricsPort: number | undefined; stop(): Promise<void> }

/**
 * Serves until `stop`, which lets requests and rounds of work finish for some seconds; what hangs for longer is left to recovery, as
 * after a crash. Payments that a crash left open are taken up at once.
 */
export async function serve({ app, close }: Opened, config: Config, roles: readonly Role[]): Promise<Service> {
  const server = roles.includes('api') ? createApiServer(app, await tlsMaterial(config), portalPages(app)) : undefined
  const address = await server?.listen(config.host, config.port)
  const office = officeOf(config, address?.port ?? config.port)
  const watched = config.metricsPort === undefined ? undefined : createMetricsServer(() => writeMetrics(app))
  const watchedAt = await watched?.listen(config.metricsHost, config.metricsPort ?? 0)
  const workers = roles.includes('workers') ? startWorkers(app, office, config.webhookKeepDays) : undefined
  return {
    port: address?.port ?? config.port,
    metricsPort: watchedAt?.port,
    stop: async () => {
      const work = Promise.all([server?.close(drainMs), workers?.stop()])
      if (!(await inTime(drainMs + 1000, work))) app.log.warn('what is still under way is left to recovery')
      office.post.close()
      await watched?.close()
      await close()
    },
  }
}
