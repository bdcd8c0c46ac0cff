/** An SDK of another language, driven in a process of its own: one call a line in, what came of it a line out. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Installed } from './installed-sdks.ts'
import { operations, plainName } from './operations.ts'
import type { Heard, Place, Sdk } from './sdk.ts'

/** Throws when the driver does not start. */
export async function openProcessSdk({ language, command, environment }: Installed, place: Place): Promise<Sdk> {
  const directory = mkdtempSync(join(tmpdir(), 'kalends-conformance-'))
  const certificate = join(directory, 'cert.pem')
  writeFileSync(certificate, place.certificate)
  const [program = '', ...words] = command
  const child = spawn(program, words, {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...environment,
      PORT: String(place.port),
      SUBDOMAIN: place.subdomain,
      API_KEY: place.apiKey,
      CERTIFICATE_FILE: certificate,
      // The service is on this machine.
      no_proxy: '*',
    },
  })
  let complaints = ''
  child.stderr.on('data', (chunk: Buffer) => {
    complaints = `${complaints}${chunk}`.slice(-4000)
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const hear = async (): Promise<unknown> => {
    const { value, done } = await lines.next()
    if (done) throw new Error(`the driver of ${language} ended: ${complaints}`)
    return JSON.parse(value)
  }
  const { operations: known } = (await hear()) as { operations: string[] }
  const names = new Set(known.map(plainName))
  return {
    language,
    operations: known,
    knows: (operation) => names.has(plainName(operation)),
    call: async (operation, given) => {
      const takes = operations.find(({ name }) => name === operation)?.takes ?? Object.keys(given)
      const inOrder = { ...Object.fromEntries(takes.map((name) => [name, given[name] ?? null])), ...given }
      child.stdin.write(`${JSON.stringify({ operation, arguments: inOrder })}\n`)
      return (await hear()) as Heard
    },
    leave: () => {
      child.stdin.end()
      child.kill()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
