/** How an API key is shown: its text once, when it is made, and never again. */
import type { ApiKey } from '../store/api-keys.ts'
import type { Fields } from '../wire/shape.ts'
import { formatTimestamp } from '../wire/timestamp.ts'

export const apiKeyShape: Fields = {
  fields: {
    id: 'integer',
    name: 'string',
    prefix: 'string',
    is_current: 'boolean',
    created_at: 'datetime',
    last_used_at: 'datetime',
  },
}

export const newApiKeyShape: Fields = { fields: { ...apiKeyShape.fields, key: 'string' } }

/** `currentId` is that of the key that asks. */
export const presentApiKey = (key: ApiKey, timeZone: string, currentId: number) => ({
  id: key.id,
  name: key.name,
  prefix: key.prefix,
  is_current: key.id === currentId,
  created_at: formatTimestamp(key.createdAt, timeZone),
  last_used_at: key.lastUsedAt && formatTimestamp(key.lastUsedAt, timeZone),
})
