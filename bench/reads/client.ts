/** A client that costs next to nothing: one request, built once, written again and again over TLS connections that stay open. */
import { once } from 'node:events'
import tls from 'node:tls'

export type Load = { port: number; ca: string; path: string; apiKey: string; connections: number; seconds: number }

/** Requests answered per second. Throws at the first answer that is not 200. */
export async function askOverAndOver({ port, ca, path, apiKey, connections, seconds }: Load): Promise<number> {
  const request = Buffer.from(
    [
      `GET ${path} HTTP/1.1`,
      `Host: localhost:${port}`,
      `Authorization: Basic ${Buffer.from(`${apiKey}:X`).toString('base64')}`,
      '',
      '',
    ].join('\r\n'),
  )
  const sockets = await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = tls.connect({ port, host: '127.0.0.1', servername: 'localhost', ca, ALPNProtocols: ['http/1.1'] })
      await once(socket, 'secureConnect')
      return socket
    }),
  )
  let answered = 0
  const until = performance.now() + seconds * 1000
  const start = performance.now()
  await Promise.all(
    sockets.map(async (socket) => {
      while (performance.now() < until) {
        socket.write(request)
        await readAnswer(socket)
        answered += 1
      }
      socket.destroy()
    }),
  )
  return (answered * 1000) / (performance.now() - start)
}

const readAnswer = (socket: tls.TLSSocket): Promise<void> =>
  new Promise((resolve, reject) => {
    let missing = -1
    let head = ''
    const onData = (chunk: Buffer): void => {
      if (missing < 0) {
        head += chunk.toString('latin1')
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) return
        if (!head.startsWith('HTTP/1.1 200 ')) {
          finish(new Error(`answered ${head.slice(0, 60)}`))
          return
        }
        missing = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1]) - (head.length - end - 4)
      } else missing -= chunk.length
      if (missing <= 0) finish()
    }
    const finish = (error?: Error): void => {
      socket.off('data', onData)
      socket.off('error', finish)
      if (error) reject(error)
      else resolve()
    }
    socket.on('data', onData)
    socket.once('error', finish)
  })
