/** Takes the body of a request off the wire, within a size and a time, and reads it as the tree that it says. */

import type { Readable } from 'node:stream'
import { decodeUtf8, decodeXml } from './encoding.ts'
import { type DocumentLimits, endingConnection, RequestFault, tooLarge } from './fault.ts'
import { readJson } from './json.ts'
import { readXml } from './xml.ts'

export type BodyLimits = {
  readonly bytes: number
  readonly body_in_ms: number
  /** What is let past of a body that is too large, so that the client can read the answer to what it sent. */
  readonly discarded_bytes: number
  readonly discarded_in_ms: number
}

const collect = (stream: Readable, declaredLength: number, limits: BodyLimits): Promise<Buffer> => {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  let length = 0
  let isTooLarge = false
  const settle = (fault?: RequestFault): void => {
    clearTimeout(timer)
    stream.off('data', onData).off('end', onEnd).off('error', onAbort).off('close', onAbort)
    if (fault === undefined) {
      resolve(Buffer.concat(chunks, length))
      return
    }
    stream.on('error', () => {}).resume()
    reject(fault)
  }
  const refuse = (): void => settle(endingConnection(tooLarge()))
  const discard = (): void => {
    isTooLarge = true
    chunks.length = 0
    clearTimeout(timer)
    timer = setTimeout(refuse, limits.discarded_in_ms)
  }
  const onData = (chunk: Buffer): void => {
    length += chunk.length
    if (!isTooLarge) chunks.push(chunk)
    if (!isTooLarge && length > limits.bytes) discard()
    if (length > limits.bytes + limits.discarded_bytes) refuse()
  }
  const onEnd = (): void => (isTooLarge ? refuse() : settle())
  const onAbort = (): void => settle(new RequestFault(400, 'The body ended before its time.'))
  // The server's own time-out for requests does not see a slow sender over HTTP/2.
  const tooSlow = (): void => settle(endingConnection(new RequestFault(408, 'The body took too long to arrive.')))
  let timer = setTimeout(tooSlow, limits.body_in_ms)
  if (stream.destroyed) onAbort()
  else stream.on('data', onData).on('end', onEnd).on('error', onAbort).on('close', onAbort)
  if (declaredLength > limits.bytes && !stream.destroyed) discard()
  return promise
}

/** Empty when there is no body. Throws `RequestFault` 400, 408 or 413. */
export const readBytes = (stream: Readable, declaredLength: string | undefined, limits: BodyLimits): Promise<Buffer> =>
  collect(stream, Number(declaredLength ?? 0), limits)

/** Undefined where nothing was sent. The format is only asked for when there is something to read: clients send empty bodies with any content type. */
export const readDocument = (
  bytes: Buffer,
  encoding: string | undefined,
  format: () => 'json' | 'xml',
  limits: DocumentLimits,
): unknown => {
  if (bytes.length === 0) return undefined
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
    throw new RequestFault(415, 'The body must be sent without compression.')
  }
  const kind = format()
  const text = kind === 'xml' ? decodeXml(bytes) : decodeUtf8(bytes)
  if (text.trim() === '') return undefined
  return kind === 'xml' ? readXml(text, limits) : readJson(text, limits)
}
