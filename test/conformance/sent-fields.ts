/** The fields of what the official SDK can send, by the names that they have in JSON, as its own source declares them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const models = join(import.meta.dirname, '../../node_modules/@maxio-com/advanced-billing-sdk/src/models')

/** What each schema of a model, or of a choice between models, is declared with. */
const schemas = new Map(
  ['', 'containers'].flatMap((folder) =>
    readdirSync(join(models, folder))
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => {
        const source = readFileSync(join(models, folder, file), 'utf8')
        const declared = source.matchAll(/export const (\w+)Schema[\s\S]*?\n\);?\n/g)
        return [...declared].map(([text, name = '']): [string, string] => [name, text])
      }),
  ),
)

const namedIn = (text: string): string[] => [...text.matchAll(/\b(\w+)Schema\b/g)].map(([, name = '']) => name)

/** `subscription.customer_attributes.phone`; the items of a list have no number, and a model inside itself is not gone into again. */
export function fieldsOf(model: string, path = '', around: readonly string[] = []): string[] {
  const text = schemas.get(model) ?? ''
  if (around.includes(model)) return []
  const inside = [...around, model]
  const fields = [...text.matchAll(/\b\w+: \[\s*'([^']+)',([\s\S]*?)\](?=,?\s*[\n}])/g)]
  if (fields.length === 0) return namedIn(text).flatMap((name) => fieldsOf(name, path, inside))
  return fields.flatMap(([, name = '', type = '']) => {
    const at = path === '' ? name : `${path}.${name}`
    const inner = namedIn(type).flatMap((one) => fieldsOf(one, at, inside))
    return inner.length === 0 ? [at] : inner
  })
}
