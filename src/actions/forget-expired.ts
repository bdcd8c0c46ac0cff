/** Forgets idempotency keys and uniqueness tokens that can no longer be asked for. */
import { deleteExpired } from '../store/idempotency.ts'
import { listSites } from '../store/sites.ts'
import { keepHours, tokenMinutes } from './answer-once.ts'
import type { App } from './app.ts'

export async function forgetExpired(app: App): Promise<void> {
  const now = app.clock.now()
  for (const site of await listSites(app.db)) {
    await deleteExpired(app.db, site.id, now.subtract({ hours: keepHours }), now.subtract({ minutes: tokenMinutes }))
  }
}
