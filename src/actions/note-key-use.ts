/** Writes down that an API key was used, no more often than once an hour. */
import { markApiKeyUsed } from '../store/api-keys.ts'
import type { App } from './app.ts'

const everyHours = 1

/** A database that cannot be written to just now keeps nobody from reading. */
export async function noteKeyUse(
  { db, clock, log }: Pick<App, 'db' | 'clock' | 'log'>,
  siteId: number,
  { keyId, lastUsedAt }: { keyId: number; lastUsedAt: Temporal.Instant | null },
): Promise<void> {
  const at = clock.now()
  const unusedSince = at.subtract({ hours: everyHours })
  if (lastUsedAt !== null && Temporal.Instant.compare(lastUsedAt, unusedSince) >= 0) return
  await markApiKeyUsed(db, siteId, keyId, { at, unusedSince }).catch((error: unknown) => {
    log.warn({ err: error, siteId, key: keyId }, 'the use of a key could not be written down')
  })
}
