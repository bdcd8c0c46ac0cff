/** Opens a port for a server, or says why it cannot be opened. */

import type { AddressInfo } from 'node:net'
import { reasonOf, SetupProblem } from '../host/setup-problem.ts'

type Listener = {
  listen(options: { host: string; port: number }): Promise<string>
  server: { address(): AddressInfo | string | null }
}

const reasons = new Map([
  ['EADDRINUSE', 'another program uses it'],
  ['EADDRNOTAVAIL', 'this machine has no such address'],
  ['EACCES', 'this account may not open it'],
  ['ENOTFOUND', 'the name leads to no address'],
])

/** `variables` names what the operator set. Throws a SetupProblem when the port cannot be opened. */
export async function listenOn(server: Listener, host: string, port: number, variables: string): Promise<AddressInfo> {
  try {
    await server.listen({ host, port })
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    const reason = reasons.get(code) ?? reasonOf(error)
    throw new SetupProblem(`The service cannot listen on ${host}, port ${port} (${variables}): ${reason}.`)
  }
  return server.server.address() as AddressInfo
}
