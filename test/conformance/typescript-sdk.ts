/** The official SDK of TypeScript, driven by the names of its operations; its own schemas make typed arguments of trees. */
import { Agent } from 'node:https'
import { createRequire } from 'node:module'
import * as sdk from '@maxio-com/advanced-billing-sdk'
import { type Heard, type Place, type Sdk, type Tree, treeOf } from './sdk.ts'

type Schema = object
type Mapped = { errors: readonly unknown[] | false; result: unknown }
type Prepared = Record<string, [unknown, Schema]>

/** The SDK's own reader of schemas, which it does not hand out. */
const { validateAndMap } = createRequire(import.meta.resolve('@maxio-com/advanced-billing-sdk'))(
  '@apimatic/schema',
) as {
  validateAndMap(value: unknown, schema: Schema): Mapped
}

class Unsendable extends Error {}

export function openTypeScriptSdk({ port, subdomain, apiKey, certificate }: Place): Sdk {
  const httpsAgent = new Agent({ keepAlive: true, host: '127.0.0.1', port, servername: 'localhost', ca: certificate })
  const client = new sdk.Client({
    environment: sdk.Environment.US,
    site: subdomain,
    basicAuthCredentials: { username: apiKey, password: 'X' },
    httpClientOptions: { httpsAgent, retryConfig: { maxNumberOfRetries: 0 } },
    // The service is on this machine.
    unstable_httpClientOptions: { proxy: false },
  })
  let given: Record<string, unknown> = {}
  let sent: Tree = null
  const original = client.getRequestBuilderFactory()
  // Arguments are found by their names where the SDK prepares them, so that their order need not be known.
  client.getRequestBuilderFactory = () => (method, path) => {
    const request = original(method, path)
    const prepare = request.prepareArgs.bind(request) as (prepared: Prepared) => Record<string, unknown>
    const byName = (prepared: Prepared): Record<string, unknown> => {
      const typed = Object.entries(prepared).map(([name, [, schema]]) => [name, [typedAs(schema, given[name]), schema]])
      const mapped = prepare(Object.fromEntries(typed))
      sent = mapped.body ?? null
      return mapped
    }
    return Object.assign(request, { prepareArgs: byName })
  }
  const methods = methodsOf(client)
  return {
    language: 'TypeScript',
    operations: [...methods.keys()],
    knows: (operation) => methods.has(operation),
    call: async (operation, named) => {
      const method = methods.get(operation)
      if (method === undefined) return { outcome: 'unknown' }
      given = named
      sent = null
      const heard = await hear(method)
      return { ...heard, sent }
    },
    leave: () => httpsAgent.destroy(),
  }
}

const typedAs = (schema: Schema, value: unknown): unknown => {
  if (value === undefined) return undefined
  for (const one of typeof value === 'number' ? [value, String(value)] : [value]) {
    const { errors, result } = validateAndMap(one, schema)
    if (errors === false) return result
  }
  throw new Unsendable(`no schema takes ${JSON.stringify(value)}`)
}

type Method = (given: object) => Promise<sdk.ApiResponse<unknown>>

function methodsOf(client: sdk.Client): Map<string, Method> {
  const methods = new Map<string, Method>()
  for (const [name, Controller] of Object.entries(sdk)) {
    if (!name.endsWith('Controller') || typeof Controller !== 'function') continue
    const controller = new (Controller as unknown as new (client: sdk.Client) => Record<string, Method>)(client)
    for (const operation of Object.getOwnPropertyNames(Controller.prototype)) {
      if (operation !== 'constructor') methods.set(operation, (first) => controller[operation]!(first))
    }
  }
  return methods
}

async function hear(method: Method): Promise<Heard> {
  try {
    const { statusCode, body, result } = await method({})
    return { outcome: 'read', status: statusCode, raw: treeOf(body), typed: result }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    if (error instanceof sdk.ResponseValidationError) {
      return { outcome: 'unreadable', status: error.statusCode, raw: treeOf(error.body), error: message }
    }
    if (error instanceof sdk.ApiError) {
      return { outcome: 'refused', status: error.statusCode, raw: treeOf(error.body), error: message }
    }
    return { outcome: 'unsendable', error: message }
  }
}
