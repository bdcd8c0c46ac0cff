/** Serves a table of routes over the one port, and stops without dropping a request. */

import { randomUUID } from 'node:crypto'
import type { Http2SecureServer, Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import fastify, { type FastifyInstance } from 'fastify'
import { Admission } from './admission.ts'
import { servedMethod } from './allowed.ts'
import {
  admit,
  answerError,
  endAfterAnswer,
  type Incoming,
  type Outgoing,
  offeredBy,
  openExchange,
  type Running,
  send,
  serveRoute,
  working,
} from './exchange.ts'
import { RequestFault } from './fault.ts'
import { listenOn } from './listen.ts'
import { createListener, refuseBrokenRequest } from './listener.ts'
import { type RawRequest, routedMethod } from './opening.ts'
import { type Pages, pagePath } from './page.ts'
import { sendFailure, servePage } from './page-exchange.ts'
import { type ServerOptions, serverLimits, type WireServer } from './server-options.ts'
import { isRoutable, readTarget } from './target.ts'

export * from './server-options.ts'

type App = FastifyInstance<Http2SecureServer, Http2ServerRequest, Http2ServerResponse>

/**
 * What the router sees: the method that was meant, and the path without suffix and query. A path that means nothing never reaches a
 * route. Pages have neither suffixes nor other methods than a browser's.
 */
const rewriteUrl = (plain: object, pages: Pages | undefined, raw: RawRequest): string => {
  const page = pagePath(pages, raw.url)
  if (page !== undefined) return isRoutable(page) ? page : unknownPage(page)
  raw.method = routedMethod(servedMethod(raw.method), raw.headers['x-http-method-override'])
  const whole = raw.url.split('?', 1)[0] ?? ''
  if (Object.hasOwn(plain, whole)) return whole
  const { path } = readTarget(raw.url)
  return isRoutable(path) && !Object.hasOwn(plain, path) ? path : '/'
}

/** Under the same prefix, so that it is answered by a page. */
const unknownPage = (path: string): string => `/${path.split('/', 2)[1]}/-/-/-/-/-`

const createApp = <Context>(running: Running<Context>): App => {
  const { options, limits, sockets } = running
  const plain = options.plain ?? {}
  const app: App = fastify({
    http2: true,
    https: {},
    serverFactory: (handler) => createListener(options.tls, limits, handler, sockets),
    rewriteUrl: (raw) => rewriteUrl(plain, options.pages, raw),
    clientErrorHandler: refuseBrokenRequest,
    genReqId: () => randomUUID(),
    routerOptions: { maxParamLength: limits.url_characters },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
  })
  // Bodies are read by us, after the caller is known; the framework would look at their type before.
  for (const method of ['POST', 'PUT', 'DELETE']) app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
  app.decorateRequest('opening', null)
  app.decorateRequest('caller', null)
  app.decorateRequest('leave', null)
  app.addHook('onRequest', (request, reply) => admit(running, request, reply))
  app.addHook('onRequest', (request) => openExchange(running, request))
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof RequestFault && error.endsConnection) endAfterAnswer(reply)
    return request.routeOptions.config.isPage
      ? sendFailure(running, request, reply, error)
      : send(running, reply, answerError(running, error, request), request.opening?.head.format ?? 'json')
  })
  app.setNotFoundHandler(async () => {
    throw new RequestFault(404, 'Not found.')
  })
  return app
}

const addRoutes = <Context>(app: App, running: Running<Context>): void => {
  const { options } = running
  for (const route of options.routes) {
    app.route({
      method: route.method,
      url: route.path,
      config: { offered: offeredBy(route) },
      handler: (request, reply) => working(request, () => serveRoute(running, route, request, reply)),
    })
  }
  for (const [path, handler] of Object.entries(options.plain ?? {})) {
    const config = { isPlain: true }
    app.get(path, { config }, async (request, reply) => send(running, reply, await handler(request.headers), 'json'))
  }
  if (options.pages !== undefined) addPages(app, running, options.pages)
  const { observe } = options
  if (observe === undefined) return
  app.addHook('onResponse', async ({ id, method, routeOptions }, reply) =>
    observe({
      id,
      method,
      route: routeOptions.url ?? '',
      status: reply.statusCode,
      duration_in_ms: reply.elapsedTime,
    }),
  )
}

/** Whatever else begins as pages do is a page that does not exist. */
const addPages = <Context>(app: App, running: Running<Context>, pages: Pages): void => {
  const config = { isPage: true }
  for (const route of pages.routes) {
    const { method, path: url } = route
    const handler = (request: Incoming, reply: Outgoing) =>
      working(request, () => servePage(running, route, request, reply))
    app.route({ method, url, config, handler })
  }
  for (const prefix of pages.prefixes) {
    const handler = (request: Incoming, reply: Outgoing) =>
      working(request, () => sendFailure(running, request, reply, undefined))
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
      app.route({ method, url: `${prefix}/*`, config, handler })
      const isTaken = pages.routes.some((route) => route.method === method && route.path === prefix)
      if (!isTaken) app.route({ method, url: prefix, config, handler })
    }
  }
}

const closeApp = async <Context>(app: App, running: Running<Context>, grace_in_ms: number): Promise<void> => {
  running.isClosing = true
  const cut = setTimeout(() => {
    for (const socket of running.sockets) socket.destroy()
  }, grace_in_ms)
  await app.close()
  clearTimeout(cut)
}

/** Nothing is listened to before `listen`. */
export const createServer = <Context>(options: ServerOptions<Context>): WireServer => {
  const limits = { ...serverLimits, ...options.limits }
  const running: Running<Context> = {
    options,
    limits,
    sockets: new Set(),
    admission: new Admission(limits),
    isClosing: false,
  }
  const app = createApp(running)
  addRoutes(app, running)
  return {
    listen: (host, port) => listenOn(app, host, port, 'HOST, PORT'),
    close: (grace_in_ms = 30_000) => closeApp(app, running, grace_in_ms),
  }
}
