/** Starts a service of its own with a site for each SDK, and walks each through every operation that is served. */
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { text as readText } from 'node:stream/consumers'
import { type Service, startService } from '../sdk/throw-away-service.ts'
import { type Installed, installJava, installPython, type Missing } from './installed-sdks.ts'
import { isServed, operations } from './operations.ts'
import { type Cell, isServedByAll, type Language, type Row } from './page.ts'
import { openProcessSdk } from './process-sdk.ts'
import { type Place, type Sdk, treeOf } from './sdk.ts'
import { openTypeScriptSdk } from './typescript-sdk.ts'
import { walk } from './walk/walk.ts'
import { type Ask, Walker } from './walker.ts'

export type Walked = {
  walkers: readonly Walker[]
  missing: readonly Missing[]
  /** What was answered to the operations that no route of ours serves. */
  statuses: ReadonlyMap<string, number>
}

const asking =
  (agent: Agent, { apiKey }: Place): Ask =>
  async (method, path, body) => {
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json' }
    const asked = request({ agent, auth: `${apiKey}:X`, method, path, headers })
    asked.end(body && JSON.stringify(body))
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    return { status: answer.statusCode ?? 0, tree: treeOf(await readText(answer)) }
  }

type Known = { language: string; open: (place: Place) => Promise<Sdk> | Sdk }

async function walkWith({ language, open }: Known, service: Service): Promise<Walker> {
  const site = await service.makeSite(language.toLowerCase())
  const { port, certificate } = service
  const place = { ...site, port, certificate }
  const agent = new Agent({ keepAlive: true, host: '127.0.0.1', port, servername: 'localhost', ca: certificate })
  const sdk = await open(place)
  const walker = new Walker(sdk, asking(agent, place))
  try {
    walker.events = await walk(walker)
  } catch (error) {
    walker.stumble(error)
  } finally {
    sdk.leave()
    agent.destroy()
  }
  return walker
}

async function askForTheRest({ port, certificate, ...site }: Service): Promise<Map<string, number>> {
  const agent = new Agent({ keepAlive: true, host: '127.0.0.1', port, servername: 'localhost', ca: certificate })
  const ask = asking(agent, { ...site, port, certificate })
  const statuses = new Map<string, number>()
  try {
    for (const { name, method, path } of operations.filter((one) => !isServed(one))) {
      const { status } = await ask(method, `${path.replaceAll(/:\w+/g, '1')}.json`)
      statuses.set(name, status)
    }
  } finally {
    agent.destroy()
  }
  return statuses
}

const isMissing = (one: Installed | Missing): one is Missing => 'missing' in one

/** Languages that cannot be had on this machine are told as missing. */
export async function walkAll(wanted: readonly string[] = []): Promise<Walked> {
  const others = [installPython, installJava].map((install) => install())
  const known: Known[] = [
    { language: 'TypeScript', open: openTypeScriptSdk },
    ...others.flatMap((one) =>
      isMissing(one) ? [] : [{ language: one.language, open: (place: Place) => openProcessSdk(one, place) }],
    ),
  ]
  const service = await startService()
  try {
    const chosen = known.filter(({ language }) => wanted.length === 0 || wanted.includes(language))
    const walkers = await Promise.all(chosen.map((one) => walkWith(one, service)))
    return { walkers, missing: others.filter(isMissing), statuses: await askForTheRest(service) }
  } finally {
    await service.stop()
  }
}

/** What the walk saw of each operation; a language that is missing keeps what is on file. */
export function rowsOf({ walkers, statuses }: Walked, onFile: ReadonlyMap<string, Row>): Map<string, Row> {
  const cellOf = ({ sdk, done }: Walker, name: string): Cell => {
    if (!sdk.knows(name)) return '–'
    if (done.has(name)) return 'served'
    return statuses.get(name) === 404 ? 'not there' : 'refused'
  }
  return new Map(
    operations.map(({ name }): [string, Row] => {
      const { cells = {}, remark = '' } = onFile.get(name) ?? {}
      const seen = walkers.map((walker): [Language, Cell] => [walker.sdk.language as Language, cellOf(walker, name)])
      const now = { ...cells, ...Object.fromEntries(seen) }
      return [name, { cells: now, remark: isServedByAll(now) ? '' : remark }]
    }),
  )
}
