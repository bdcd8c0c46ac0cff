/** The API keys of a site: list, make, revoke. */
import { createApiKey } from '../actions/create-api-key.ts'
import { revokeApiKey } from '../actions/revoke-api-key.ts'
import { randomKey } from '../host/secrets.ts'
import { findApiKey, listApiKeys } from '../store/api-keys.ts'
import { apiKeyShape, newApiKeyShape, presentApiKey } from '../views/api-key.ts'
import { empty, list, resource } from '../wire/answer.ts'
import { object, readInput, text, wrapped } from '../wire/input.ts'
import { readPage } from '../wire/paging.ts'
import type { Route } from '../wire/request.ts'
import { type Act, acts, type Context, type Handler, idFrom } from './handler.ts'

export const apiKeyInput = object({ name: text('Name') })

const listPage: Handler = async ({ context: { app, site, keyId }, query }) => {
  const found = await listApiKeys(app.db, site.id, readPage(query))
  const presented = found.map((key) => presentApiKey(key, site.timeZone, keyId))
  return list('api_keys', 'api_key', presented, apiKeyShape)
}

/** The answer alone has the key in clear, so where it is kept for an Idempotency-Key it is sealed. */
const create: Handler = (request) => {
  const { keyId } = request.context
  const key = randomKey()
  const make: Act = (app, { context: { site }, body }) => {
    const { name } = readInput(apiKeyInput, wrapped(body, 'api_key'))
    return createApiKey(app, site.id, { text: key, name: name?.trim() || null })
  }
  const answer = acts(
    make,
    async (connection, site, id) => {
      const made = await findApiKey(connection, site.id, id)
      return made && resource(201, 'api_key', { ...presentApiKey(made, site.timeZone, keyId), key }, newApiKeyShape)
    },
    { isSecret: true },
  )
  return answer(request)
}

const revoke: Act = (app, request) => {
  const { site, keyId } = request.context
  return revokeApiKey(app, site.id, idFrom(request, 'api_key_id'), { askedWith: keyId })
}

export const apiKeyRoutes: readonly Route<Context>[] = [
  { method: 'GET', path: '/api_keys', handler: listPage },
  { method: 'POST', path: '/api_keys', handler: create },
  { method: 'DELETE', path: '/api_keys/:api_key_id', handler: acts(revoke, async () => empty(204)) },
]
