/** A merchant's server in a process of its own: accepts at once, or never answers, and tells when each webhook came for the first time. */
import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** Moments are those of the machine's clock, so that both processes mean the same. */
const now = (): number => performance.timeOrigin + performance.now()

const firstSeen = new Map<string, number>()

const server = http.createServer((request, response) => {
  const id = String(request.headers['webhook-id'] ?? '')
  if (id !== '' && !firstSeen.has(id)) firstSeen.set(id, now())
  request.resume()
  request.on('end', () => {
    if (request.url !== '/hang') response.writeHead(200, { 'content-length': 2 }).end('ok')
  })
})
server.keepAliveTimeout = 60_000

/** Asked for anything, it tells what it has seen since it was asked before. */
process.on('message', () => {
  process.send!([...firstSeen])
  firstSeen.clear()
})
process.on('disconnect', () => process.exit(0))

server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))
