/** A service of one's own, in a process of its own, with a site, a key and a directory that nobody will miss. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { patienceMs } from '../support/patience.ts'

export type Service = {
  port: number
  subdomain: string
  apiKey: string
  /** The certificate that it shows, as PEM. */
  certificate: string
  /** A further test site, with a key of its own. */
  makeSite(subdomain: string): Promise<Pick<Service, 'subdomain' | 'apiKey'>>
  /** Asks it to stop, and throws if it did not end well. */
  stop(): Promise<void>
}

const run = promisify(execFile)
const program = join(import.meta.dirname, '../../bin/kalends')

/** With a PostgreSQL of its own unless one is given: whatever the environment names is somebody's. */
export async function startService({ databaseUrl = '' }: { databaseUrl?: string } = {}): Promise<Service> {
  const directory = mkdtempSync(join(tmpdir(), 'kalends-example-'))
  const site = { subdomain: 'acme', apiKey: 'example-key' }
  const env = {
    ...process.env,
    PORT: '0',
    DATA_DIR: directory,
    DATABASE_URL: databaseUrl,
    TLS_CERT_FILE: '',
    TLS_KEY_FILE: '',
    SITE_SUBDOMAIN: site.subdomain,
    API_KEY: site.apiKey,
    DEMO_DATA: '0',
    LOG_LEVEL: 'warn',
  }
  const child = spawn(program, ['serve'], { stdio: ['ignore', 'pipe', 'pipe'], env })
  const ended = once(child, 'exit')
  let output = ''
  const port = await new Promise<number>((ready, failed) => {
    const timer = setTimeout(() => failed(new Error(`the service was not ready in time:\n${output}`)), patienceMs)
    const listen = (chunk: Buffer): void => {
      output += chunk
      const found = /ready at https:\/\/localhost:(\d+)/.exec(output)?.[1]
      if (found === undefined) return
      clearTimeout(timer)
      ready(Number(found))
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    child.once('exit', () => failed(new Error(`the service did not start:\n${output}`)))
  }).catch((error: unknown) => {
    child.kill('SIGKILL')
    rmSync(directory, { recursive: true, force: true })
    throw error
  })
  return {
    ...site,
    port,
    certificate: readFileSync(join(directory, 'tls/cert.pem'), 'utf8'),
    makeSite: async (subdomain) => {
      const apiKey = `key-of-${subdomain}`
      await run(program, ['site', 'create', '--subdomain', subdomain, '--api-key', apiKey], { env })
      return { subdomain, apiKey }
    },
    stop: async () => {
      child.kill('SIGTERM')
      const [code] = await ended
      rmSync(directory, { recursive: true, force: true })
      if (code !== 0) throw new Error(`the service ended with ${code}:\n${output}`)
    },
  }
}
