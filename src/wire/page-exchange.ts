/** One request for a page from its first line to its answer, with the headers that keep a page to itself. */
import { traceOf } from '../host/error-trace.ts'
import type { Incoming, Outgoing, Running } from './exchange.ts'
import { type Page, type PageHead, type PageRoute, readForm, readPageHead } from './page.ts'

/** Everything that a page shows comes from its own site; it runs no scripts and can be put in no frame. */
const contentPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const guarding = {
  'content-security-policy': contentPolicy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // With no referrer at all, browsers would send forms without their origin.
  'referrer-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
}

/** A name of this machine alone would be held to HTTPS for everything else that is served there. */
const isLocal = (host: string): boolean => /^(?:localhost|.*\.localhost|[\d.]+|\[.*\])(?::\d+)?$/.test(host)

const sendPage = <Context>(running: Running<Context>, reply: Outgoing, page: Page, host: string): Outgoing => {
  reply.code(page.status).headers(guarding).header('x-request-id', reply.request.id)
  if (!isLocal(host)) reply.header('strict-transport-security', 'max-age=31536000')
  if (page.headers !== undefined) reply.headers(page.headers)
  for (const cookie of page.cookies ?? []) reply.header('set-cookie', cookie)
  if (running.isClosing && reply.request.raw.httpVersionMajor === 1) reply.header('connection', 'close')
  const { content } = page
  if (content.kind === 'empty') return reply.send()
  if (content.kind === 'html') return reply.header('content-type', 'text/html; charset=utf-8').send(content.text)
  const { bytes } = content
  return reply.header('content-type', content.type).send(typeof bytes === 'string' ? bytes : Buffer.from(bytes))
}

/** The page that tells what went wrong; should that go wrong too, a plain sentence. */
export const sendFailure = async <Context>(
  running: Running<Context>,
  request: Incoming,
  reply: Outgoing,
  error: unknown,
): Promise<Outgoing> => {
  const head = readPageHead(request)
  const { pages, log } = running.options
  try {
    if (pages !== undefined) return sendPage(running, reply, await pages.failed(error, head), head.host)
  } catch (second) {
    log.error({ error: traceOf(second), id: head.id }, 'request failed')
  }
  const text = 'Something went wrong on our side.'
  return sendPage(
    running,
    reply,
    { status: 500, content: { kind: 'file', type: 'text/plain', bytes: text } },
    head.host,
  )
}

export const servePage = async <Context>(
  running: Running<Context>,
  route: PageRoute,
  request: Incoming,
  reply: Outgoing,
): Promise<Outgoing> => {
  const head: PageHead = readPageHead(request)
  const form = await readForm(request, running.limits)
  return sendPage(running, reply, await route.handler({ ...head, form }), head.host)
}
