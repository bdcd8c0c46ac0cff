/** One route and its description as an operation of the document. */
import { inputSchema, type JsonSchema } from '../../wire/input-schema.ts'
import type { Method } from '../../wire/request.ts'
import type { Description, Input, Reply } from './description.ts'
import { failuresOf } from './failures.ts'
import { shared } from './parameters.ts'
import { named } from './shape-schema.ts'

export type Described = {
  readonly method: Method
  readonly path: string
  readonly pdf: boolean
  readonly description: Description
}

/** Inputs that several routes read are written once, under the name of the first of them. */
export type Inputs = {
  readonly reference: (input: Input, id: string) => JsonSchema
  readonly schemas: () => { readonly [name: string]: JsonSchema }
}

/** All fields of an input, without its root. */
export const fieldsOf = ({ fields, also }: Input): JsonSchema => {
  const parts = fields.map((part) => inputSchema(part))
  const required = parts.flatMap((part) => (part.required ?? []) as string[])
  return {
    type: 'object',
    properties: { ...Object.assign({}, ...parts.map((part) => part.properties)), ...also },
    ...(required.length > 0 && { required }),
  }
}

export function inputRegister(): Inputs {
  const names = new Map<Input, string>()
  return {
    reference: (input, id) => {
      const name = names.get(input) ?? `${id.charAt(0).toUpperCase()}${id.slice(1)}Input`
      names.set(input, name)
      return { $ref: `#/components/schemas/${name}` }
    },
    schemas: () => Object.fromEntries([...names].map(([input, name]) => [name, fieldsOf(input)])),
  }
}

/** `/a/:b` as `/a/{b}`. */
export const templateOf = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}')

const handles = 'An id, or `handle:` and a handle.'
const pathParameters: { readonly [name: string]: { schema: JsonSchema; description: string } } = {
  product_family_id: { schema: { type: 'string' }, description: handles },
  component_id: { schema: { type: 'string' }, description: handles },
  code: { schema: { type: 'string' }, description: 'A code.' },
  invoice_id: { schema: { type: 'string' }, description: 'The id of the invoice; in the later form its uid.' },
  handle: { schema: { type: 'string' }, description: 'A handle.' },
}

const parametersOf = ({ path, method, description: { query = [] } }: Described): object[] => {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...(pathParameters[name] ?? {
      schema: { type: 'integer', minimum: 1 },
      description: `The id of the ${name.replace(/_id$/, '').replaceAll('_', ' ')}.`,
    }),
  }))
  const inQuery = query.map((parameter) => ('$ref' in parameter ? parameter : { in: 'query', ...parameter }))
  const isWriting = method !== 'GET' && !path.endsWith('/preview')
  return [...inPath, ...inQuery, ...(isWriting ? [shared('IdempotencyKey'), shared('UniquenessToken')] : [])]
}

function bodyOf(input: Input, id: string, inputs: Inputs): object {
  const { root, item } = input
  const fields = inputs.reference(input, id)
  if (root !== null && item !== undefined) return listBody(root, item, fields)
  const isNeeded = input.fields.some((part) =>
    Object.values(part.shape).some((field) => !field.safeParse(undefined).success),
  )
  const json =
    root === null
      ? fields
      : { type: 'object', properties: { [root]: fields, ...input.beside }, required: isNeeded ? [root] : [] }
  return {
    required: isNeeded,
    content: {
      'application/json': { schema: json },
      'application/xml': { schema: root === null ? bareXml(input, fields) : named(fields, root) },
    },
  }
}

/** An XML document has a root always: the one field itself, or one around them all. */
function bareXml(input: Input, fields: JsonSchema): JsonSchema {
  const properties = fieldsOf(input).properties as { [name: string]: JsonSchema }
  const [only, ...others] = Object.keys(properties)
  const root = others.length === 0 ? only : input.xmlRoot
  return root === undefined ? named(fields, 'request') : named(properties[root] ?? {}, root)
}

const listBody = (root: string, item: string, fields: JsonSchema): object => ({
  required: true,
  content: {
    'application/json': {
      schema: { type: 'object', properties: { [root]: { type: 'array', items: fields } }, required: [root] },
    },
    'application/xml': {
      schema: { type: 'array', items: named(fields, item), xml: { name: root, wrapped: true } },
    },
  },
})

const pdfContent = { 'application/pdf': { schema: { type: 'string', format: 'binary' } } }

const usual: { readonly [status: number]: string } = {
  200: 'Done.',
  201: 'Made.',
  202: 'Under way.',
  204: 'Done; there is nothing to show.',
}

function responseOf({ status, description, json, xml, text }: Reply, pdf: boolean): object {
  const content = {
    ...(json && { 'application/json': { schema: json } }),
    ...(xml && { 'application/xml': { schema: xml } }),
    ...(text && { 'text/plain': { schema: { type: 'string', examples: [text] } } }),
    ...(pdf && pdfContent),
  }
  return {
    description: description ?? usual[status] ?? 'Done.',
    ...(Object.keys(content).length > 0 && { content }),
  }
}

export function operationOf(described: Described, inputs: Inputs): object {
  const { description, pdf } = described
  const { id, tag, summary, input, answers } = description
  const parameters = parametersOf(described)
  const replies = answers.map((reply) => [String(reply.status), responseOf(reply, pdf && reply.status === 200)])
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(parameters.length > 0 && { parameters }),
    ...(input && { requestBody: bodyOf(input, id, inputs) }),
    responses: { ...failuresOf(described, description), ...Object.fromEntries(replies) },
  }
}
