/** How this process reaches the server: by a socket in the cluster's directory, which only its owner and root may enter. */

import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Cluster, databaseUser } from './cluster.ts'
import { port } from './server.ts'

/** What `pg` needs to connect; `host` is a directory. */
export type SocketConnection = { host: string; port: number; user: string; database: string }

// The kernel's room for a socket's path, without the closing zero: 107 bytes on Linux, 103 on macOS.
const pathBytesMax = 103

/** Where the path is too long for the kernel, the way leads through a link in a private temporary directory. */
export const openSocket = (cluster: Cluster): { connection: SocketConnection; close(): void } => {
  const to = (host: string) => ({ host, port, user: databaseUser, database: 'postgres' })
  if (Buffer.byteLength(join(cluster.directory, `.s.PGSQL.${port}`)) <= pathBytesMax) {
    return { connection: to(cluster.directory), close: () => {} }
  }
  const shortcut = mkdtempSync(join(tmpdir(), 'kalends-'))
  symlinkSync(cluster.directory, join(shortcut, 'pg'))
  return {
    connection: to(join(shortcut, 'pg')),
    close: () => rmSync(shortcut, { recursive: true, force: true }),
  }
}
