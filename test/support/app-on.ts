/** An `App` for tests and benches: the database and the gateways are given, the rest is what nobody looks at unless it is given too. */
import type { App } from '../../src/actions/app.ts'
import type { Gateway } from '../../src/gateway/gateway.ts'
import { wallClock } from '../../src/host/clock.ts'
import { createLog } from '../../src/host/log.ts'
import { createMetrics } from '../../src/host/metrics.ts'
import { realTimers } from '../../src/host/timers.ts'
import { createPdfRenderer } from '../../src/pdf/renderer.ts'
import type { Database } from '../../src/store/database.ts'
import { testCourier } from './courier.ts'
import { testSeals } from './seals.ts'

/** `LOG_LEVEL=debug` shows what the service says. The PDF process starts with the first page; `app.pdf.close()` ends it. */
export function appOn(db: Database, gateways: readonly Gateway[], given: Partial<App> = {}): App {
  const log = given.log ?? createLog(process.env.LOG_LEVEL === 'debug' ? 'debug' : 'silent')
  return {
    db,
    gateways: new Map(gateways.map((gateway) => [gateway.name, gateway])),
    clock: wallClock,
    log,
    metrics: createMetrics({ ofProcess: false }),
    seals: testSeals,
    pdf: createPdfRenderer(log),
    courier: testCourier,
    timers: realTimers,
    asker: 1,
    isAlive: () => true,
    reach: () => {},
    ...given,
  }
}
