/** What the official SDK can ask, as its own source says it: operations, and the fields of what they send. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const source = join(import.meta.dirname, '../../node_modules/@maxio-com/advanced-billing-sdk/src')
const read = (folder: string, file: string): string => readFileSync(join(source, folder, file), 'utf8')

export type Operation = {
  readonly name: string
  readonly method: string
  /** Without suffix, a name for each part that differs: `/subscriptions/:subscriptionId`. */
  readonly path: string
  /** Of the body, by the name of its model; undefined where there is none. */
  readonly model: string | undefined
}

/** As the SDK's source says it: `async readSite(...) { ... createRequest('GET', '/site.json')`. */
function operationsIn(text: string): Operation[] {
  return [...text.matchAll(/\n {2}async (\w+)\(([\s\S]*?)\n {2}\}\n/g)].map(([, name = '', body = '']) => {
    const [, method = '', fixed] = /createRequest\(\s*'(\w+)'(?:,\s*'([^']*)')?/.exec(body) ?? []
    const built = /appendTemplatePath`([^`]*)`/.exec(body)?.[1]
    const path = (fixed ?? built ?? '').replace(/\.json$/, '').replaceAll(/\$\{mapped\.(\w+)\}/g, ':$1')
    const [, model] = /body: \[body, (?:optional\()?(\w+)Schema/.exec(body) ?? []
    return { name, method, path, model }
  })
}

export const operations: readonly Operation[] = readdirSync(join(source, 'controllers'))
  .filter((file) => file.endsWith('Controller.ts'))
  .flatMap((file) => operationsIn(read('controllers', file)))

/** The schema of each model and container, by its name: all the text that it is declared with. */
const schemas = new Map(
  ['models', 'models/containers'].flatMap((folder) =>
    readdirSync(join(source, folder))
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) =>
        [...read(folder, file).matchAll(/export const (\w+)Schema[\s\S]*?\n\);?\n/g)].map(
          ([text, name = '']): [string, string] => [name, text],
        ),
      ),
  ),
)

/** The wire names of the fields that a model has, with those inside: `subscription.customer_attributes.phone`. */
export function fieldsOf(model: string, path = '', within: readonly string[] = []): string[] {
  const text = schemas.get(model) ?? ''
  if (within.includes(model)) return []
  const fields = [...text.matchAll(/\b\w+: \[\s*'([^']+)',([\s\S]*?)\](?=,?\s*[\n}])/g)]
  if (fields.length === 0) {
    // A choice between models, or a plain value.
    return [...text.matchAll(/\b(\w+)Schema\b/g)].flatMap(([, name = '']) =>
      name === model ? [] : fieldsOf(name, path, [...within, model]),
    )
  }
  return fields.flatMap(([, name = '', type = '']) => {
    const at = path === '' ? name : `${path}.${name}`
    const inner = [...type.matchAll(/\b(\w+)Schema\b/g)].flatMap(([, one = '']) =>
      fieldsOf(one, at, [...within, model]),
    )
    return inner.length === 0 ? [at] : inner
  })
}
