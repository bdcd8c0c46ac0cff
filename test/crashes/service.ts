/** The real service as a child process that tests start, ask, and kill without warning. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { after } from 'node:test'
import { readConfig } from '../../src/host/config.ts'
import { type TlsMaterial, tlsMaterial } from '../../src/host/tls.ts'
import { testSecret } from '../support/seals.ts'

const root = join(import.meta.dirname, '..', '..')

export const apiKey = 'crash-tests-key'

export type Reply = { status: number; headers: readonly string[]; text: string }

export type Service = {
  readonly pid: number
  /** The port, once it serves; rejects when it ends before that. */
  readonly port: Promise<number>
  /** The signal or exit code that ended it, once it has ended. */
  readonly ended: Promise<string>
  /** Everything that it said so far, on both streams. */
  said(): string
  /** Closes the far ends of both of its streams, as a terminal does that is closed. */
  closeOutput(): void
  /** Rejects when the connection breaks before the answer is complete. */
  ask(line: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  /** A power cut: nothing is finished, nothing is written any more. */
  kill(): Promise<void>
  /** SIGTERM; gives how it ended. */
  stop(): Promise<string>
}

export type ServiceOptions = {
  /** Undefined lets it run the embedded PostgreSQL in `dataDir`. */
  databaseUrl?: string
  dataDir?: string
  /** Where it stops itself, as KALENDS_FAIL_POINT takes it. */
  failPoint?: string
  /** A module that serves in another way than `bin/kalends serve` does. */
  program?: string
  logLevel?: string
  smtpUrl?: string
  demoData?: boolean
  /** Both where nothing else is said; `port` never comes without `api`. */
  role?: 'api' | 'workers'
}

let commonDataDir: string | undefined

/** Certificate and key are made once for all services of a process. */
export function sharedDataDir(): string {
  if (commonDataDir === undefined) {
    const dataDir = mkdtempSync(join(tmpdir(), 'kalends-crash-tests-'))
    process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }))
    commonDataDir = dataDir
  }
  return commonDataDir
}

let commonTls: Promise<TlsMaterial> | undefined

export const sharedTls = (): Promise<TlsMaterial> => {
  commonTls ??= tlsMaterial(readConfig({ DATA_DIR: sharedDataDir() }))
  return commonTls
}

export async function startService(options: ServiceOptions): Promise<Service> {
  await sharedTls()
  const dataDir = options.dataDir ?? sharedDataDir()
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env
  const environment = {
    ...inherited,
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: options.databaseUrl ?? '',
    SECRET_KEY: testSecret,
    API_KEY: apiKey,
    DEMO_DATA: options.demoData === true ? '1' : '0',
    LOG_LEVEL: options.logLevel ?? 'warn',
    ...(options.smtpUrl !== undefined && { SMTP_URL: options.smtpUrl }),
    KALENDS_FAIL_POINT: options.failPoint ?? '',
  }
  const [program, args] =
    options.program === undefined
      ? [join(root, 'bin/kalends'), ['serve', ...(options.role === undefined ? [] : ['--role', options.role])]]
      : [join(root, 'bin/node'), [join(root, options.program)]]
  const child = spawn(program, args, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  const service = attend(child, dataDir)
  living.add(service)
  void service.ended.then(() => living.delete(service))
  return service
}

const living = new Set<Service>()

/** A service that a failed test left running would keep its file from ending. */
after(async () => {
  await Promise.all([...living].map((service) => service.kill()))
})

function attend(child: ChildProcess & { stdout: Readable | null; stderr: Readable | null }, dataDir: string): Service {
  let said = ''
  const ended = new Promise<string>((resolve) => {
    child.once('close', (code, signal) => resolve(signal ?? String(code)))
    child.once('error', (error) => resolve(error.message))
  })
  const port = new Promise<number>((resolve, reject) => {
    const listen = (chunk: Buffer): void => {
      said += chunk.toString('utf8')
      const found = /ready at https:\/\/localhost:(\d+)/.exec(said)?.[1]
      if (found !== undefined) resolve(Number(found))
    }
    child.stdout?.on('data', listen)
    child.stderr?.on('data', listen)
    void ended.then((how) => reject(new Error(`the service ended (${how}) before it was ready:\n${said}`)))
  })
  // Who never asks does not care that it never became ready.
  port.catch(() => {})
  const end = async (signal: NodeJS.Signals): Promise<string> => {
    child.kill(signal)
    return ended
  }
  return {
    pid: child.pid ?? 0,
    port,
    ended,
    said: () => said,
    closeOutput: () => {
      child.stdout?.destroy()
      child.stderr?.destroy()
    },
    ask: async (line, body, headers = {}) => ask(await port, agentFor(dataDir), line, body, headers),
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
  }
}

/** Trusts the certificate of a data directory; each request has a connection of its own. */
export const agentFor = (dataDir: string): https.Agent =>
  new https.Agent({ keepAlive: false, ca: readFileSync(join(dataDir, 'tls/cert.pem')) })

/** A tree is sent as JSON, a string as it stands. */
export function ask(
  port: number,
  agent: https.Agent,
  line: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const [method = 'GET', path = '/'] = line.split(' ')
  const payload = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
  const options: https.RequestOptions = {
    agent,
    host: '127.0.0.1',
    servername: 'localhost',
    port,
    method,
    path,
    headers: {
      Host: `localhost:${port}`,
      Authorization: `Basic ${Buffer.from(`${apiKey}:X`).toString('base64')}`,
      ...(payload === undefined
        ? {}
        : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(payload)) }),
      ...headers,
    },
  }
  return new Promise((resolve, reject) => {
    const request = https.request(options, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.on('error', reject)
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.rawHeaders, text }))
    })
    request.on('error', reject)
    request.end(payload)
  })
}
