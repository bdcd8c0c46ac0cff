/** The API's description as tests need it: the operation that a request means, and whether what was said is what was described. */
import { descriptions } from '../../src/api/openapi/descriptions.ts'
import { openApiDocument } from '../../src/api/openapi/document.ts'
import { routes } from '../../src/api/routes.ts'
import { checkerOf, type Schema } from './json-schema.ts'

type Content = { readonly [type: string]: { readonly schema: Schema } }
type Response = { readonly $ref?: string; readonly description: string; readonly content?: Content }
export type Operation = {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly parameters?: readonly Schema[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: { readonly [status: string]: Response }
}
export type Document = {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } }
  readonly components: { readonly [kind: string]: { readonly [name: string]: Schema } }
} & Schema

/** As it is served: what JSON leaves out is not there. */
export const document: Document = JSON.parse(JSON.stringify(openApiDocument(routes, descriptions)))

/** Where a value is not what a schema of the document says; a field that is not described is refused. */
export const violations = checkerOf(document.components.schemas!)

/** What `#/components/schemas/Subscription` names. Throws when there is no such thing. */
export function resolve(reference: string): Schema {
  const [root, ...names] = reference.split('/')
  let found: unknown = root === '#' ? document : undefined
  for (const name of names) found = (found as Schema | undefined)?.[name]
  if (found === undefined) throw new Error(`${reference} names nothing`)
  return found as Schema
}

const templates = Object.keys(document.paths)
  .map((template) => ({ template, form: new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }))
  // What is written out comes before what may be anything.
  .sort((a, b) => a.template.split('{').length - b.template.split('{').length)

/** The operation of `POST /subscriptions.json?page=2`; undefined when there is none. */
function operationOf(line: string): Operation | undefined {
  const [method = '', target = ''] = line.split(' ')
  const path = (target.split('?', 1)[0] ?? '').replace(/\.(json|xml|pdf)$/, '')
  const found = templates.find(({ form }) => form.test(path))
  const name = method === 'PATCH' ? 'put' : method.toLowerCase()
  return found && document.paths[found.template]?.[name]
}

type Said = { readonly status: number; readonly type: string | undefined; readonly text: string }

/** Where an answer is not what the document says of it; nothing when there is no such operation. */
export function answerViolations(line: string, { status, type, text }: Said): string[] {
  const operation = operationOf(line)
  if (operation === undefined) return []
  const found = operation.responses[status]
  if (found === undefined) return [`${line}: ${status} is not described`]
  const { content } = (found.$ref === undefined ? found : resolve(found.$ref)) as Response
  if (text === '') return []
  const media = content?.[type?.split(';', 1)[0] ?? '']
  if (media === undefined) return [`${line}: ${status} as ${type} is not described`]
  if (!type?.startsWith('application/json')) return []
  return violations(media.schema, JSON.parse(text)).map((one) => `${line}: ${status} ${one}`)
}

/** Where a body is not what the document says that may be sent. */
export function inputViolations(line: string, body: unknown): string[] {
  const schema = operationOf(line)?.requestBody?.content['application/json']?.schema
  if (schema === undefined) return [`${line}: no body is described`]
  return violations(schema, body).map((one) => `${line}: ${one}`)
}
