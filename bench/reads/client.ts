/** A client that does as little as it can: requests written once, one at a time on each connection, answers only measured. */
import { once } from 'node:events'
import { connect, type TLSSocket } from 'node:tls'

export type Asking = { port: number; ca: string; requests: string[]; connections: number; seconds: number }
export type Asked = { answered: number; seconds: number; processorSeconds: number }

const endOfHead = Buffer.from('\r\n\r\n')
const lengthName = Buffer.from('content-length: ')

/** How many bytes the answer at the front of the buffer takes; undefined until its head is there. Throws if it is not a 200. */
function lengthOf(received: Buffer): number | undefined {
  const head = received.indexOf(endOfHead)
  if (head === -1) return undefined
  if (received[9] !== 0x32) throw new Error(`answered with ${received.toString('latin1', 0, head)}`)
  const at = received.indexOf(lengthName)
  const body = Number.parseInt(received.toString('latin1', at + lengthName.length, at + lengthName.length + 9), 10)
  return head + endOfHead.length + body
}

/** Asks on one connection until `until`; gives how often it was answered. */
function askOn(socket: TLSSocket, requests: readonly Buffer[], first: number, until: number): Promise<number> {
  return new Promise((done, failed) => {
    let answered = 0
    let next = first
    let received: Buffer | undefined
    const ask = (): void => {
      socket.write(requests[next++ % requests.length]!)
    }
    socket.on('error', failed)
    socket.on('data', (chunk: Buffer) => {
      received = received === undefined ? chunk : Buffer.concat([received, chunk])
      const length = lengthOf(received)
      if (length === undefined || received.length < length) return
      received = undefined
      answered += 1
      if (performance.now() < until) return ask()
      socket.end()
      done(answered)
    })
    ask()
  })
}

async function open(port: number, ca: string): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port, ca, servername: 'localhost', ALPNProtocols: ['http/1.1'] })
  socket.setNoDelay(true)
  await once(socket, 'secureConnect')
  return socket
}

async function ask({ port, ca, requests, connections, seconds }: Asking): Promise<Asked> {
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port, ca)))
  const bytes = requests.map((request) => Buffer.from(request))
  const [before, start] = [process.cpuUsage(), performance.now()]
  const counts = await Promise.all(
    sockets.map((socket, place) => askOn(socket, bytes, place * 7, start + seconds * 1000)),
  )
  const used = process.cpuUsage(before)
  return {
    answered: counts.reduce((sum, count) => sum + count, 0),
    seconds: (performance.now() - start) / 1000,
    processorSeconds: (used.user + used.system) / 1e6,
  }
}

process.on('message', (asking: Asking) => {
  void ask(asking).then((asked) => process.send?.(asked))
})
