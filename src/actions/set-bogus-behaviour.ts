/** Sets how the test gateway behaves towards a test site. */
import { assert } from '../billing/assert.ts'
import { notFound } from '../billing/refusal.ts'
import { type BogusGateway, bogusGatewayIn } from '../gateway/bogus.ts'
import type { Behaviour } from '../gateway/bogus-record.ts'
import { type App, siteAndNow, write } from './app.ts'

/** A live site has no test gateway to look at or to set. */
export function testGatewayOf(app: App, site: { live: boolean }): BogusGateway {
  const gateway = bogusGatewayIn(app.gateways)
  if (site.live || gateway === undefined) throw notFound()
  return gateway
}

/** What is left out stays as it is. */
export async function setBogusBehaviour(app: App, siteId: number, change: Partial<Behaviour>): Promise<number> {
  const { site } = await siteAndNow(app, app.db, siteId)
  const gateway = testGatewayOf(app, site)
  const { latencyInMs, declineRate, errorRate, loseAnswerRate } = { ...(await gateway.behaviour(siteId)), ...change }
  for (const rate of [declineRate, errorRate, loseAnswerRate]) assert(rate >= 0 && rate <= 1, 'a rate is a share')
  await gateway.setBehaviour(siteId, { latencyInMs, declineRate, errorRate, loseAnswerRate })
  return write(app, async () => siteId)
}
