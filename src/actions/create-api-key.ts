/** Makes an API key of a site. */
import { invalid } from '../billing/refusal.ts'
import { hashKey, isApiKey, prefixOfKey } from '../host/secrets.ts'
import { insertApiKey } from '../store/api-keys.ts'
import { type Connection, violatedConstraint } from '../store/database.ts'
import { type App, write } from './app.ts'

/** Gives the key's id. Whoever asks has the text in clear and shows it once: only its hash and its first characters are kept. */
export const createApiKey = (
  app: App,
  siteId: number,
  { text, name }: { text: string; name: string | null },
): Promise<number> => write(app, (tx) => writeApiKey(tx, siteId, { text, name }, app.clock.now()))

/** Refuses a text that cannot be a key, or is one already, of whichever site, or was one. */
export async function writeApiKey(
  connection: Connection,
  siteId: number,
  { text, name }: { text: string; name: string | null },
  now: Temporal.Instant,
): Promise<number> {
  refuseUnusable(text)
  const key = { keyHash: hashKey(text), name, prefix: prefixOfKey(text), createdAt: now }
  return insertApiKey(connection, siteId, key).catch((error: unknown) => {
    if (violatedConstraint(error) !== 'api_keys_pkey') throw error
    throw invalid('API key: must be unique - that value has been taken.')
  })
}

export function refuseUnusable(apiKey: string): void {
  if (!isApiKey(apiKey)) throw invalid('API key: must be 1 to 255 printable ASCII characters without spaces or colons.')
}
