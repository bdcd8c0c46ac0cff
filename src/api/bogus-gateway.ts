/** The test gateway of a test site: what it was asked, and how it is told to behave. */
import { setBogusBehaviour, testGatewayOf } from '../actions/set-bogus-behaviour.ts'
import { behaviourShape, callShape, presentBehaviour, presentCall } from '../views/bogus-gateway.ts'
import { type Answer, list, resource } from '../wire/answer.ts'
import { decimal, integer, object, readInput, wrapped } from '../wire/input.ts'
import { readIdWindow, readPage } from '../wire/paging.ts'
import type { Route } from '../wire/request.ts'
import { acts, type Context, type Handler } from './handler.ts'

const latencyInMsMax = 60_000
const share = { min: 0, max: 1, places: 17 }

export const behaviourInput = object({
  latency_in_ms: integer('Latency', { min: 0, max: latencyInMsMax }),
  decline_rate: decimal('Decline rate', share),
  error_rate: decimal('Error rate', share),
  lose_answer_rate: decimal('Lose answer rate', share),
})

/** A blank rate is 0, a missing one stays. */
function readBehaviour(body: unknown) {
  const fields = readInput(behaviourInput, wrapped(body, 'behaviour'))
  const sent = {
    latencyInMs: fields.latency_in_ms,
    declineRate: fields.decline_rate,
    errorRate: fields.error_rate,
    loseAnswerRate: fields.lose_answer_rate,
  }
  const given = Object.entries(sent).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given.map(([name, value]) => [name, Number(value)]))
}

const listCalls: Handler = async ({ context: { app, site }, query }) => {
  const gateway = testGatewayOf(app, site)
  const calls = await gateway.listCalls(site.id, { ...readPage(query), sinceId: readIdWindow(query).sinceId ?? 0 })
  return list(
    'calls',
    'call',
    calls.map((call) => presentCall(call, site.timeZone)),
    callShape,
  )
}

const showBehaviour: Handler = async ({ context: { app, site } }): Promise<Answer> =>
  resource(200, 'behaviour', presentBehaviour(await testGatewayOf(app, site).behaviour(site.id)), behaviourShape)

const setBehaviour: Handler = (request) => {
  const { app, site } = request.context
  testGatewayOf(app, site)
  const set = acts(
    (acting) => setBogusBehaviour(acting, site.id, readBehaviour(request.body)),
    () => showBehaviour(request),
  )
  return set(request)
}

export const bogusGatewayRoutes: readonly Route<Context>[] = [
  { method: 'GET', path: '/bogus_gateway/calls', handler: listCalls },
  { method: 'GET', path: '/bogus_gateway/behaviour', handler: showBehaviour },
  { method: 'PUT', path: '/bogus_gateway/behaviour', handler: setBehaviour },
]
