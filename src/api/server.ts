/** The merchant API as a server: routes, credentials, errors, its description and the health check, on one HTTPS port. */
import type { App } from '../actions/app.ts'
import { findHealth } from '../store/health.ts'
import { bare } from '../wire/answer.ts'
import type { Pages } from '../wire/page.ts'
import { createServer, type WireServer } from '../wire/server.ts'
import { authenticator } from './authenticate.ts'
import { tellingIgnored } from './ignored-fields.ts'
import { errorMapper } from './map-error.ts'
import { descriptions } from './openapi/descriptions.ts'
import { documentServer, openApiDocument } from './openapi/document.ts'
import { routes } from './routes.ts'

const description = documentServer(() => openApiDocument(routes, descriptions))

/** `pages` are what browsers are served on the same port. */
export const createApiServer = (
  app: App,
  tls: { cert: string | Buffer; key: string | Buffer },
  pages?: Pages,
): WireServer => {
  const authenticate = authenticator(app)
  return createServer({
    tls,
    routes: tellingIgnored(routes, descriptions),
    authenticate,
    mapError: errorMapper(app.log),
    log: app.log,
    ...(pages && { pages }),
    plain: {
      '/openapi.json': (headers) => description(headers['if-none-match']),
      '/healthz': async () => {
        const healthy = await findHealth(app.db)
        return bare(healthy ? 200 : 503, 'health', { status: healthy ? 'ok' : 'the database does not answer' })
      },
    },
    observe: (seen) => {
      // What was written may be a setting of the site: the next request of this process sees it.
      if (seen.method !== 'GET' && seen.method !== 'HEAD') authenticate.forget()
      app.metrics.answered(seen)
      app.log.debug(seen, 'answered')
    },
  })
}
