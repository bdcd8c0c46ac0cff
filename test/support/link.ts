/** A link between a service and its PostgreSQL that a test can freeze without closing it, whole or one connection at a time. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

export type Link = {
  /** The database at the far end. */
  url: string
  /** From now on nothing passes, on connections that are open and on new ones; none is closed. */
  freeze(): void
  /** New connections pass again. Those that were frozen stay so. */
  restore(): void
  /** Freezes those connections on which the server has sent this text. */
  freezeThose(text: string): number
}

type Pair = { near: Socket; far: Socket; isFrozen: boolean; heard: string }

const heardMax = 20_000

export async function openLink(t: Pick<TestContext, 'after'>, databaseUrl: string): Promise<Link> {
  const target = new URL(databaseUrl)
  const socketDirectory = target.searchParams.get('host')
  const pairs = new Set<Pair>()
  let isFrozen = false
  const reach = (): Socket =>
    socketDirectory === null
      ? connect(Number(target.port || 5432), target.hostname)
      : connect(join(socketDirectory, `.s.PGSQL.${target.port || 5432}`))
  const server = createServer((near) => {
    const pair: Pair = { near, far: reach(), isFrozen, heard: '' }
    pairs.add(pair)
    pass(near, pair.far, pair, () => {})
    pass(pair.far, near, pair, (chunk) => {
      if (pair.heard.length < heardMax) pair.heard += chunk.toString('latin1')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    for (const { near, far } of pairs) {
      near.destroy()
      far.destroy()
    }
  })
  const { port } = server.address() as AddressInfo
  const url = new URL(databaseUrl)
  url.searchParams.delete('host')
  url.host = `127.0.0.1:${port}`
  return {
    url: url.href,
    freeze: () => {
      isFrozen = true
      for (const pair of pairs) pair.isFrozen = true
    },
    restore: () => {
      isFrozen = false
    },
    freezeThose: (text) => {
      const those = [...pairs].filter(({ heard, near }) => heard.includes(text) && !near.destroyed)
      for (const pair of those) pair.isFrozen = true
      return those.length
    },
  }
}

/** The end of a frozen connection does not pass either. */
function pass(from: Socket, to: Socket, pair: Pair, hear: (chunk: Buffer) => void): void {
  from.on('data', (chunk: Buffer) => {
    hear(chunk)
    if (!pair.isFrozen) to.write(chunk)
  })
  from.on('error', () => {})
  from.on('close', () => {
    if (!pair.isFrozen) to.destroy()
  })
}
