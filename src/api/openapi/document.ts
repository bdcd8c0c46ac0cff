/** The whole API as one OpenAPI document, made from its routes, inputs and shapes; the text is made once. */
import { createHash } from 'node:crypto'
import { type Answer, empty } from '../../wire/answer.ts'
import type { Route } from '../../wire/request.ts'
import type { Context } from '../handler.ts'
import { type Descriptions, tags } from './description.ts'
import { errorsSchema, failureResponses } from './failures.ts'
import { namedSchemas } from './named-shapes.ts'
import { inputRegister, operationOf, templateOf } from './operation.ts'
import { sharedParameters } from './parameters.ts'

const about = `Every route answers in JSON and in XML: by the suffix of the path (\`.json\`, \`.xml\`), else by \`Accept\`, else as the
body was sent. The paths here stand without a suffix. PATCH is read as PUT, and a GET also answers HEAD.

Money is in whole cents. Times carry the offset of the site's zone. In a body a field that is absent is left alone, and null or a
blank clears it; numbers and flags may also be sent as text. In XML a list has \`type="array"\`, numbers, flags and times have
\`type="integer"\`, \`type="boolean"\` and \`type="datetime"\`, and what is null has \`nil="true"\`.

The user name of HTTP Basic is the API key; the password may be anything. Every answer has an \`X-Request-Id\`.
A field that no input knows is ignored; a request with the header \`Kalends-Ignored\` is told in that header of its answer which ones.`

const anybody = [{}]

/** Served to anybody, and not in the table of routes. */
const plainPaths = {
  '/healthz': {
    get: {
      operationId: 'readHealth',
      tags: ['Site'],
      summary: 'Tells whether the service and its database answer.',
      security: anybody,
      responses: Object.fromEntries(
        [
          ['200', 'They do.'],
          ['503', 'The database does not.'],
        ].map(([status, description]) => [
          status,
          {
            description,
            content: {
              'application/json': {
                schema: { type: 'object', properties: { status: { type: 'string' } }, required: ['status'] },
              },
            },
          },
        ]),
      ),
    },
  },
  '/openapi.json': {
    get: {
      operationId: 'readDescription',
      tags: ['Site'],
      summary: 'Gives this document.',
      security: anybody,
      responses: {
        200: { description: 'This document.', content: { 'application/json': { schema: { type: 'object' } } } },
        304: { description: 'The one that is known already.' },
      },
    },
  },
}

/** A route without a description is left out; a test sees to it that there is none. */
export function openApiDocument(routes: readonly Route<Context>[], descriptions: Descriptions) {
  const paths: { [template: string]: object } = {}
  const inputs = inputRegister()
  for (const { method, path, pdf = false } of routes) {
    const description = descriptions[`${method} ${path}`]
    if (description === undefined) continue
    const template = templateOf(path)
    const operation = operationOf({ method, path, pdf, description }, inputs)
    paths[template] = { ...paths[template], [method.toLowerCase()]: operation }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Kalends',
      summary: 'Subscription billing: sign-ups, renewals, dunning, ledger, statements and invoices.',
      description: about,
      version: '0.1.0',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths: { ...paths, ...plainPaths },
    components: {
      schemas: { ...namedSchemas(), ...inputs.schemas(), Errors: errorsSchema },
      responses: failureResponses,
      parameters: sharedParameters,
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'basic', description: 'The API key as the user name, with any password.' },
      },
    },
  }
}

/** Answers with the document, which is made when it is first asked for; 304 to those who have it. */
export function documentServer(
  make: () => object,
): (ifNoneMatch: string | readonly string[] | undefined) => Promise<Answer> {
  let made: { bytes: Buffer; etag: string } | undefined
  return async (ifNoneMatch) => {
    made ??= withTag(Buffer.from(JSON.stringify(make())))
    const headers = { etag: made.etag, 'cache-control': 'public, max-age=300' }
    const { etag } = made
    const known = String(ifNoneMatch ?? '').split(',')
    const isKnown = known.some((tag) => tag.trim().replace(/^W\//, '') === etag)
    if (isKnown) return empty(304, headers)
    return {
      status: 200,
      headers,
      content: { kind: 'bytes', type: 'application/json; charset=utf-8', bytes: made.bytes },
    }
  }
}

const withTag = (bytes: Buffer) => ({
  bytes,
  etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
})
