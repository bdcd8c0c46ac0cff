/** How secrets that must be read again are kept: sealed with a key that is not in the database, so a stolen copy of it tells none. */
import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { chmod, link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { makeDirectory, workIn } from './data-dir.ts'
import { SetupProblem } from './setup-problem.ts'

export type Seals = {
  /** AES-256-GCM under the newest key: `v1.<key id>.<nonce, ciphertext and tag in base64url>`. The same text never gives the same seal twice. */
  seal(text: string): string
  /** Throws `UnknownSeal` for what none of the keys has sealed, or what was changed since. */
  open(sealed: string): string
  /** Under the newest key first, then under the others: a text that was hashed with any of them is recognised. */
  hash(text: string): Hashes
}

/** HMAC-SHA-256: without a key nobody can find the text by trying. */
export type Hashes = readonly [string, ...string[]]

export class UnknownSeal extends Error {}

const nonceBytes = 12
const tagBytes = 16
const secretBytes = 32

/** The first secret seals; all of them open. Secrets are text of any form with at least 128 bits of chance in it. */
export function createSeals(secrets: readonly [string, ...string[]]): Seals {
  const keys = new Map(secrets.map((secret) => [idOf(secret), keyOf(secret)]))
  const newest = idOf(secrets[0])
  const [first, ...older] = secrets
  const hasher = (secret: string): ((text: string) => string) => {
    const key = derived(secret, 'hash/1')
    return (text) => createHmac('sha256', key).update(text).digest('base64url')
  }
  const hashNow = hasher(first)
  const hashBefore = older.map(hasher)
  return {
    seal(text) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', keys.get(newest)!, nonce)
      const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `v1.${newest}.${sealed.toString('base64url')}`
    },
    open(sealed) {
      const [version, id = '', body = ''] = sealed.split('.')
      const key = version === 'v1' ? keys.get(id) : undefined
      if (key === undefined) throw new UnknownSeal('sealed with a key that is not known here')
      const bytes = Buffer.from(body, 'base64url')
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes))
        decipher.setAuthTag(bytes.subarray(-tagBytes))
        return decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8')
      } catch {
        throw new UnknownSeal('changed since it was sealed')
      }
    },
    hash: (text) => [hashNow(text), ...hashBefore.map((hash) => hash(text))],
  }
}

const idOf = (secret: string): string =>
  createHash('sha256').update(`kalends/seal-id/1\n${secret}`).digest('hex').slice(0, 8)

const keyOf = (secret: string): Buffer => derived(secret, 'seal/1')

/** One secret gives a key for each purpose, and none of them tells anything of another. */
const derived = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, 'kalends', purpose, 32) satisfies ArrayBuffer)

/**
 * Those of SECRET_KEY, or of the secret in DATA_DIR/secret.key, which is made when nothing was sealed yet. `sealed` is anything that the
 * database keeps sealed; throws a SetupProblem when it cannot be opened, so that a process without the right key never starts.
 */
export async function openSeals(
  { secretKeys, dataDir }: Pick<Config, 'secretKeys' | 'dataDir'>,
  sealed?: string,
): Promise<Seals> {
  const [newest, ...older] = secretKeys
  const seals = createSeals(
    newest === undefined ? [await workIn(dataDir, () => keptSecret(dataDir, sealed))] : [newest, ...older],
  )
  if (sealed === undefined) return seals
  try {
    seals.open(sealed)
  } catch {
    throw new SetupProblem(otherKey(newest === undefined ? join(dataDir, 'secret.key') : 'SECRET_KEY'))
  }
  return seals
}

const otherKey = (from: string): string =>
  `The secrets in this database were sealed with another key than that of ${from}. Set SECRET_KEY to the one that was used, or DATA_DIR to the directory whose secret.key it is.`

async function keptSecret(dataDir: string, sealed: string | undefined): Promise<string> {
  const file = join(dataDir, 'secret.key')
  const kept = await read(file)
  if (kept !== undefined) return kept
  if (sealed !== undefined) throw new SetupProblem(otherKey(file))
  makeDirectory(dataDir)
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, `${randomBytes(secretBytes).toString('base64url')}\n`, { mode: 0o600 })
  await chmod(draft, 0o600)
  // Of two processes that start at once, the one that is first to put its file in place wins, and both read that.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(draft)
  return (await read(file))!
}

async function read(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new SetupProblem(`${file} cannot be read: ${error.code}.`)
  })
  if (text === undefined) return undefined
  if (text.trim().length < 32) throw new SetupProblem(`${file} holds no secret: put the right one back.`)
  return text.trim()
}
