/** What every route may answer instead of what was asked for. */
import type { Method } from '../../wire/request.ts'
import type { Description } from './description.ts'

const errors = {
  'application/json': { schema: { $ref: '#/components/schemas/Errors' } },
  'application/xml': {
    schema: {
      type: 'array',
      items: { type: 'string', xml: { name: 'error' } },
      xml: { name: 'errors', wrapped: true },
    },
  },
}

/** Sentences in a list, but for three older forms that clients know. */
export const errorsSchema = {
  type: 'object',
  properties: {
    errors: {
      description: 'One sentence for each thing that is wrong, in the order of the fields.',
      anyOf: [
        { type: 'array', items: { type: 'string' } },
        { type: 'array', items: { type: 'object', properties: { kind: {}, component_id: {}, on: {}, message: {} } } },
        { type: 'object', additionalProperties: { type: 'string' } },
        { type: 'string' },
      ],
    },
  },
  required: ['errors'],
}

const text = { 'text/plain': { schema: { type: 'string' } } }

const failures = {
  400: { name: 'Malformed', description: 'The request cannot be read.', content: { ...errors, ...text } },
  401: { name: 'Unauthorized', description: 'There is no such API key, or it is another site’s.', content: text },
  403: { name: 'Forbidden', description: 'This site may not do that.', content: errors },
  404: {
    name: 'NotFound',
    description: 'The site has no such thing. Some lookups answer without a body, or in plain text.',
    content: { ...errors, ...text },
  },
  406: {
    name: 'NotAcceptable',
    description: 'The route does not answer in the format that was asked for.',
    content: errors,
  },
  408: { name: 'TooSlow', description: 'The body took too long to arrive.', content: errors },
  409: {
    name: 'Conflict',
    description:
      'A duplicate, a repeated request whose first one is still being worked on, or a site that is busy. Nothing was done.',
    content: errors,
  },
  413: {
    name: 'TooLarge',
    description: 'The body is larger than 1 MiB, too deep or has too many parts.',
    content: errors,
  },
  415: { name: 'UnsupportedType', description: 'The body is neither JSON nor XML in UTF-8.', content: errors },
  422: {
    name: 'Invalid',
    description:
      'The request was understood and refused: what is wrong is named. Nothing was done, but for a failed payment.',
    content: errors,
  },
  429: {
    name: 'TooMany',
    description: 'Too many requests of this kind, or too many wrong API keys from one address.',
    content: errors,
  },
  500: { name: 'Failure', description: 'A fault on our side, with the number of the request.', content: errors },
  503: {
    name: 'Unavailable',
    description: 'The database cannot be reached, or a PDF not be made, just now; ask again in a moment.',
    content: errors,
  },
} as const

/** The shared answers, by the names that they have in the document. */
export const failureResponses = Object.fromEntries(
  Object.values(failures).map(({ name, ...response }) => [name, response]),
)

type Facts = { readonly method: Method; readonly path: string }

/** Which of them this route may give, by status. */
export function failuresOf({ method, path }: Facts, { query = [], refuses = [] }: Description): object {
  const isWriting = method !== 'GET'
  const statuses: (keyof typeof failures)[] = [
    400,
    401,
    ...(path.includes(':') ? [404 as const] : []),
    406,
    ...(isWriting ? ([408, 409, 413, 415] as const) : []),
    ...(isWriting || query.length > 0 ? [422 as const] : []),
    429,
    500,
    503,
    ...refuses,
  ]
  const references = statuses.map((status) => [
    String(status),
    { $ref: `#/components/responses/${failures[status].name}` },
  ])
  return Object.fromEntries(references)
}
