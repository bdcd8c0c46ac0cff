/** Makes the first site of a new installation and says, once, how to reach it. */
import type { Config } from '../host/config.ts'
import { countSites } from '../store/sites.ts'
import type { App } from './app.ts'
import { createDemoData } from './create-demo-data.ts'
import { createSite } from './create-site.ts'

type Greeting = (port: number) => string

/** Undefined when there is a site already. The key is in clear here for the only time. */
export async function setUpFirstSite(app: App, config: Config): Promise<Greeting | undefined> {
  if ((await countSites(app.db)) > 0) return undefined
  const { siteId, apiKey } = await createSite(app, {
    subdomain: config.siteSubdomain,
    live: false,
    timeZone: 'UTC',
    currency: 'USD',
    apiKey: config.apiKey,
  })
  if (config.demoData) await createDemoData(app, siteId)
  return (port) => greet(port, apiKey, config)
}

function greet(port: number, apiKey: string, config: Config): string {
  const certificate = config.tlsCertFile ?? `${config.dataDir}/tls/cert.pem`
  return `
  Welcome to Kalends. This is shown once.

    Address   https://localhost:${port}   (site ${config.siteSubdomain}, a test site with a clock that you can move)
    API key   ${apiKey}
    Data      ${config.databaseUrl === undefined ? config.dataDir : `the PostgreSQL of DATABASE_URL; certificate and secrets in ${config.dataDir}`}

  Try it:

    curl --cacert '${certificate}' -u '${apiKey}:X' https://localhost:${port}/subscriptions.json
`
}
