/** Takes the right to ask from an API key, for good. */
import { invalid, notFound } from '../billing/refusal.ts'
import { lockApiKeys, markApiKeyRevoked } from '../store/api-keys.ts'
import { type App, write } from './app.ts'

/**
 * Every process refuses the key within a second. `askedWith` is the key of the request, null for an operator: a key cannot revoke
 * itself, so that nobody locks a site by mistake, and of two that revoke each other one stays.
 */
export const revokeApiKey = (
  app: App,
  siteId: number,
  id: number,
  { askedWith }: { askedWith: number | null },
): Promise<number> =>
  write(app, async (tx) => {
    const ids = await lockApiKeys(tx, siteId)
    if (!ids.includes(id)) throw notFound()
    if (id === askedWith) throw invalid('API key: cannot revoke itself. Revoke it with another key.')
    if (askedWith !== null && ids.length === 1) {
      throw invalid('API key: cannot be revoked, since it is the last one of the site.')
    }
    await markApiKeyRevoked(tx, siteId, id, app.clock.now())
    return id
  })
