/** A crowd of requests over TLS: servers in processes of their own, and what each request takes of them and of the database. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { ClientRequest } from 'node:http'
import type { Place } from './place.ts'
import { serverSeconds } from './processor-time.ts'
import type { Asked, Asking } from './reads/client.ts'
import type { Usage } from './reads/served.ts'

export type Server = { child: ChildProcess; port: number }
export type Measured = {
  perSecond: number
  serverMicros: number
  databaseMicros: number
  /** Of one processor. */
  clientBusy: number
  /** The server's peak, in megabytes. */
  memory: number
}

/** Ready to be asked, which it says itself. */
export async function startServer(file: URL, told: string): Promise<Server> {
  const child = fork(file, [told])
  const [port] = await once(child, 'message')
  return { child, port }
}

export const startClient = (): ChildProcess => fork(new URL('./reads/client.ts', import.meta.url))

export async function stop(child: ChildProcess): Promise<void> {
  child.disconnect()
  await once(child, 'exit')
}

async function usageOf({ child }: Server): Promise<Usage> {
  child.send('usage')
  const [usage] = await once(child, 'message')
  return usage
}

export async function measure(
  place: Place,
  client: ChildProcess,
  server: Server,
  asking: Omit<Asking, 'port'>,
): Promise<Measured> {
  const [before, databaseBefore] = [await usageOf(server), await serverSeconds(place)]
  client.send({ ...asking, port: server.port } satisfies Asking)
  const [asked]: [Asked] = (await once(client, 'message')) as [Asked]
  const [after, databaseAfter] = [await usageOf(server), await serverSeconds(place)]
  const micros = (used: number): number => (used * 1e6) / asked.answered
  return {
    perSecond: asked.answered / asked.seconds,
    serverMicros: micros(after.processorSeconds - before.processorSeconds),
    databaseMicros: micros(databaseAfter - databaseBefore),
    clientBusy: asked.processorSeconds / asked.seconds,
    memory: after.memoryMegabytes,
  }
}

/** All ways in turn, round by round, so that what disturbs the machine disturbs them all; once before that, unmeasured. */
export async function inRounds<Way>(
  ways: readonly Way[],
  run: (way: Way, seconds: number) => Promise<Measured>,
  { rounds, seconds, warmUpSeconds }: { rounds: number; seconds: number; warmUpSeconds: number },
): Promise<Measured[][]> {
  for (const way of ways) await run(way, warmUpSeconds)
  const all: Measured[][] = []
  for (let round = 0; round < rounds; round++) {
    const measured: Measured[] = []
    for (const way of ways) measured.push(await run(way, seconds))
    all.push(measured)
  }
  return all
}

/** The answer to a request that was sent, whole. */
export async function answerTo(request: ClientRequest): Promise<{ status: number; text: string }> {
  const [response] = await once(request, 'response')
  let text = ''
  for await (const chunk of response) text += chunk
  return { status: response.statusCode, text }
}
