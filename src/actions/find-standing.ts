/** Finds out how the installation stands, for the numbers that operators watch. */
import type { Standing } from '../host/metrics.ts'
import { listFailingGateways } from '../store/gateway-health.ts'
import { findStanding as findCounts, listFailingEndpoints } from '../store/standing.ts'
import type { App } from './app.ts'

/** The longest failing ones are named; how many there are in all is told as well. */
const failingMax = 100

/** Undefined when the database does not answer: what this process counted itself can be read all the same. */
export async function findStanding(app: App): Promise<Standing | undefined> {
  const wall = app.clock.now()
  try {
    const [counts, failingFor, gatewaysFailing] = await Promise.all([
      findCounts(app.db, wall),
      listFailingEndpoints(app.db, wall, failingMax),
      listFailingGateways(app.db, wall, failingMax),
    ])
    return { ...counts, failingFor, gatewaysFailing }
  } catch (error) {
    app.log.error({ err: error }, 'how things stand could not be found out')
    return undefined
  }
}
