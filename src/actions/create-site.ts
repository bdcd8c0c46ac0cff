/** Makes a site, and keys that open it. */
import { isTimeZone } from '../billing/calendar.ts'
import { invalid } from '../billing/refusal.ts'
import { currencies } from '../billing/site.ts'
import { hashKey, isApiKey, randomKey, randomToken } from '../host/secrets.ts'
import { violatedConstraint } from '../store/database.ts'
import { findSiteBySubdomain, insertApiKey, insertSite } from '../store/sites.ts'
import type { App } from './app.ts'

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
      await insertApiKey(tx, id, hashKey(apiKey), now)
      return id
    })
    return { siteId, apiKey }
  } catch (error) {
    throw nameOfTaken(error)
  }
}

/** A further key of a site, in clear for the last time. */
export async function createKey(
  app: Pick<App, 'db' | 'clock'>,
  subdomain: string,
  apiKey: string = randomKey(),
): Promise<string> {
  const site = await findSiteBySubdomain(app.db, subdomain)
  if (site === undefined) throw invalid(`There is no site with the subdomain '${subdomain}'.`)
  refuseUnusable(apiKey)
  await insertApiKey(app.db, site.id, hashKey(apiKey), app.clock.now()).catch((error: unknown) => {
    throw nameOfTaken(error)
  })
  return apiKey
}

function refuseUnusable(apiKey: string): void {
  if (!isApiKey(apiKey)) throw invalid('API key: must be 1 to 255 printable ASCII characters without spaces or colons.')
}

function nameOfTaken(error: unknown): unknown {
  const constraint = violatedConstraint(error)
  if (constraint === 'a_subdomain_names_one_site')
    return invalid('Subdomain: must be unique - that value has been taken.')
  if (constraint === 'api_keys_pkey') return invalid('API key: must be unique - that value has been taken.')
  return error
}
