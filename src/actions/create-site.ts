/** Makes a site, and the first key that opens it. */
import { isTimeZone } from '../billing/calendar.ts'
import { invalid } from '../billing/refusal.ts'
import { currencies } from '../billing/site.ts'
import { randomKey, randomToken } from '../host/secrets.ts'
import { violatedConstraint } from '../store/database.ts'
import { insertSite } from '../store/sites.ts'
import type { App } from './app.ts'
import { refuseUnusable, writeApiKey } from './create-api-key.ts'

export type CreateSite = {
  subdomain: string
  live: boolean
  timeZone: string
  currency: string
  /** Random when absent. */
  apiKey: string | undefined
}

/** Gives the key in clear, for the last time: only its hash is kept. Refuses a subdomain or a key that is taken or cannot be used. */
export async function createSite(
  app: Pick<App, 'db' | 'clock' | 'seals'>,
  command: CreateSite,
): Promise<{ siteId: number; apiKey: string }> {
  const { subdomain, live, timeZone, currency } = command
  if (!/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(subdomain)) {
    throw invalid('Subdomain: may only contain lowercase letters, numbers and dashes.')
  }
  if (!isTimeZone(timeZone)) throw invalid(`Time zone: '${timeZone}' is not known.`)
  if (!currencies.some((known) => known === currency))
    throw invalid(`Currency: must be one of ${currencies.join(', ')}.`)
  const apiKey = command.apiKey ?? randomKey()
  refuseUnusable(apiKey)
  const now = app.clock.now()
  try {
    const siteId = await app.db.transaction(async (tx) => {
      const id = await insertSite(tx, {
        subdomain,
        name: subdomain,
        live,
        currency,
        timeZone,
        sealedSharedKey: app.seals.seal(randomToken(24)),
        createdAt: now,
      })
      await writeApiKey(tx, id, { text: apiKey, name: null }, now)
      return id
    })
    return { siteId, apiKey }
  } catch (error) {
    throw nameOfTaken(error)
  }
}

function nameOfTaken(error: unknown): unknown {
  const constraint = violatedConstraint(error)
  if (constraint === 'a_subdomain_names_one_site')
    return invalid('Subdomain: must be unique - that value has been taken.')
  return error
}
