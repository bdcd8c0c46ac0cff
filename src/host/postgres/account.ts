/** Under which account the server runs: PostgreSQL refuses root, so root hands it to an account without rights. */

import { lstatSync, statSync } from 'node:fs'
import { dirname, parse } from 'node:path'

/** Undefined: the service's own account. */
export type Account = { uid: number; gid: number } | undefined

const nobody = { uid: 65534, gid: 65534 }

/** An existing cluster keeps its owner. */
export const serverAccount = (clusterDirectory: string): Account => {
  if (process.getuid?.() !== 0) return undefined
  const owner = statSync(clusterDirectory, { throwIfNoEntry: false })
  return owner === undefined || owner.uid === 0 ? nobody : { uid: owner.uid, gid: owner.gid }
}

/** Whether an account without rights may read and run `path`: everybody may, and may search every directory above it. */
export const openToAll = (path: string): boolean => {
  if ((statSync(path).mode & 0o005) !== 0o005) return false
  for (let directory = dirname(path); ; directory = dirname(directory)) {
    if ((statSync(directory).mode & 0o001) === 0) return false
    if (directory === parse(directory).root) return true
  }
}

/** A directory whose content nobody but this process's account can have put there. */
export const ours = (directory: string): boolean => {
  const found = lstatSync(directory)
  return found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0
}
