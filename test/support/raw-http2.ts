/** Speaks HTTP/2 frame by frame, as no honest client does. */
import { once } from 'node:events'
import { connect, type TLSSocket } from 'node:tls'

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
const frameTypes = { headers: 1, rst: 3, settings: 4, goaway: 7 } as const

function frame(type: number, flags: number, streamId: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head[3] = type
  head[4] = flags
  head.writeUInt32BE(streamId, 5)
  return Buffer.concat([head, payload])
}

/** Literal fields without indexing; lengths below 127 are all that is needed here. */
const field = (name: string, value: string): Buffer =>
  Buffer.concat([Buffer.from([0, name.length]), Buffer.from(name), Buffer.from([value.length]), Buffer.from(value)])

export const headersFrame = (streamId: number, fields: Record<string, string>): Buffer =>
  frame(
    frameTypes.headers,
    0x5,
    streamId,
    Buffer.concat(Object.entries(fields).map(([name, value]) => field(name, value))),
  )

const cancelled = Buffer.from([0, 0, 0, 8])
export const resetFrame = (streamId: number): Buffer => frame(frameTypes.rst, 0, streamId, cancelled)

/** `goneAway` resolves with the error code when the server ends the connection, or undefined when it closes without one. */
export type RawSession = { socket: TLSSocket; goneAway: Promise<number | undefined> }

export async function openRawHttp2(port: number): Promise<RawSession> {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: ['h2'] })
  await once(socket, 'secureConnect')
  socket.write(Buffer.concat([preface, frame(frameTypes.settings, 0, 0, Buffer.alloc(0))]))
  const { promise: goneAway, resolve } = Promise.withResolvers<number | undefined>()
  let heard = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    heard = Buffer.concat([heard, chunk])
    while (heard.length >= 9 && heard.length >= 9 + heard.readUIntBE(0, 3)) {
      const length = heard.readUIntBE(0, 3)
      if (heard[3] === frameTypes.goaway) resolve(heard.readUInt32BE(9 + 4))
      heard = heard.subarray(9 + length)
    }
  })
  socket.on('error', () => {})
  socket.on('close', () => resolve(undefined))
  return { socket, goneAway }
}
