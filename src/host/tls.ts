/** Which certificate the service shows: the operator's, or a self-signed pair that is kept in DATA_DIR/tls. */

import { createPrivateKey, X509Certificate } from 'node:crypto'
import { chmod, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type SubjectName, selfSignedPair } from './certificate.ts'
import { wallClock } from './clock.ts'
import type { Config } from './config.ts'
import { makeDirectory, workIn } from './data-dir.ts'
import { SetupProblem } from './setup-problem.ts'

/** PEM text. */
export type TlsMaterial = { cert: string; key: string }

type TlsConfig = Pick<Config, 'dataDir' | 'tlsCertFile' | 'tlsKeyFile' | 'siteSubdomain'>

// Apple's clients refuse server certificates that are valid for more than 825 days.
const validForHours = 800 * 24
const renewedBeforeEndHours = 30 * 24

/** Throws a SetupProblem when the operator's files cannot be read or do not belong together. */
export const tlsMaterial = async (config: TlsConfig, now = wallClock.now()): Promise<TlsMaterial> => {
  if (config.tlsCertFile !== undefined && config.tlsKeyFile !== undefined) {
    return givenPair(config.tlsCertFile, config.tlsKeyFile)
  }
  const directory = join(config.dataDir, 'tls')
  const names: SubjectName[] = [
    { dns: 'localhost' },
    { dns: `${config.siteSubdomain}.localhost` },
    { ip: '127.0.0.1' },
    { ip: '::1' },
  ]
  const kept = await keptPair(directory)
  if (kept !== undefined && serves(kept, names, now)) return kept
  return workIn(config.dataDir, () => keep(directory, selfSignedPair(names, now, validForHours)))
}

async function givenPair(certFile: string, keyFile: string): Promise<TlsMaterial> {
  const cert = await readGiven('TLS_CERT_FILE', certFile)
  const key = await readGiven('TLS_KEY_FILE', keyFile)
  if (!belongTogether({ cert, key })) {
    throw new SetupProblem(
      `TLS_CERT_FILE (${certFile}) and TLS_KEY_FILE (${keyFile}) are not a certificate and its key in PEM.`,
    )
  }
  return { cert, key }
}

const readGiven = (variable: string, path: string): Promise<string> =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new SetupProblem(`${variable} (${path}) cannot be read: ${error.code}.`)
  })

async function keptPair(directory: string): Promise<TlsMaterial | undefined> {
  try {
    const cert = await readFile(join(directory, 'cert.pem'), 'utf8')
    return { cert, key: await readFile(join(directory, 'key.pem'), 'utf8') }
  } catch {
    return undefined
  }
}

function belongTogether({ cert, key }: TlsMaterial): boolean {
  try {
    return new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))
  } catch {
    return false
  }
}

function serves(pair: TlsMaterial, names: readonly SubjectName[], now: Temporal.Instant): boolean {
  if (!belongTogether(pair)) return false
  const certificate = new X509Certificate(pair.cert)
  const soon = now.add({ hours: renewedBeforeEndHours })
  if (certificate.validToDate.getTime() < soon.epochMilliseconds) return false
  return names.every((name) =>
    'dns' in name ? certificate.checkHost(name.dns) !== undefined : certificate.checkIP(name.ip) !== undefined,
  )
}

/** Each file is whole or absent; a crash between the two leaves a pair that does not fit and is replaced at the next start. */
async function keep(directory: string, pair: TlsMaterial): Promise<TlsMaterial> {
  makeDirectory(directory)
  await chmod(directory, 0o700)
  for (const [name, text] of [
    ['key.pem', pair.key],
    ['cert.pem', pair.cert],
  ] as const) {
    const draft = join(directory, `${name}.${process.pid}`)
    await writeFile(draft, text, { mode: 0o600 })
    await rename(draft, join(directory, name))
  }
  return pair
}
