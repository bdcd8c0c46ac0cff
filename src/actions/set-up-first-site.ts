/** Makes the first site of a new installation and says, once, how to reach it. */
import type { Config } from '../host/config.ts'
import { countSites } from '../store/sites.ts'
import type { App } from './app.ts'
import { createSite } from './create-site.ts'

/** Undefined when there is a site already. The greeting has the key in clear, for the only time: it is to be said before anything can fail. */
export async function setUpFirstSite(
  app: App,
  config: Config,
): Promise<{ siteId: number; greeting: string } | undefined> {
  if ((await countSites(app.db)) > 0) return undefined
  const made = await createSite(app, {
    subdomain: config.siteSubdomain,
    live: false,
    timeZone: 'UTC',
    currency: 'USD',
    apiKey: config.apiKey,
  }).catch(async (error: unknown) => {
    // Of several processes that start at once on a new database, one makes the site.
    if ((await countSites(app.db)) > 0) return undefined
    throw error
  })
  return made && { siteId: made.siteId, greeting: greet(made.apiKey, config) }
}

function greet(apiKey: string, config: Config): string {
  const port = config.port === 0 ? '<port>' : config.port
  const certificate = config.tlsCertFile ?? `${config.dataDir}/tls/cert.pem`
  return `
  Welcome to Kalends. This is shown once.

    Address   https://localhost:${port}   (site ${config.siteSubdomain}, a test site with a clock that you can move)
    API key   ${apiKey}
    Data      ${config.databaseUrl === undefined ? config.dataDir : `the PostgreSQL of DATABASE_URL; certificate and secrets in ${config.dataDir}`}

  Try it, once it is ready:

    curl --cacert '${certificate}' -u '${apiKey}:X' https://localhost:${port}/subscriptions.json
`
}
