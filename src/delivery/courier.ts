/** Carries webhooks to addresses that merchants name: guarded, limited in time and size, and never led elsewhere. */
import { STATUS_CODES } from 'node:http'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import { ForbiddenAddress, guardedLookup, isForbiddenHost, type Resolve, resolveName } from './addresses.ts'
import { endpointUrlProblem } from './endpoint-url.ts'
import { describeFailure } from './failures.ts'

export type Letter = { url: string; body: string; headers: Readonly<Record<string, string>> }

export type Receipt = {
  /** 200 and nothing else, in time. */
  accepted: boolean
  statusCode: number | null
  /** In words, for the merchant; null when it was accepted. */
  error: string | null
  retryAfter: string | null
  durationMs: number
}

export type Courier = {
  /** What is wrong with a URL that is about to be saved; null when nothing is. A name that leads nowhere yet may be saved. */
  refusalOf(url: string): Promise<string | null>
  /** Never rejects: whatever goes wrong is on the receipt. */
  post(letter: Letter): Promise<Receipt>
  close(): Promise<void>
}

export type CourierOptions = {
  allowPrivate: boolean
  /** How long a receiver may take for its answer, connecting included. */
  limitMs?: number
  resolve?: Resolve
  /** Authorities to trust beside those of Node, for tests. */
  ca?: string
}

const answerLimitMs = 15_000
const saveLookupLimitMs = 2000
/** An answer is judged by its status; its body is read so far only to use the connection again. */
const bodyMaxBytes = 16_384
const headersMaxBytes = 16_384

export function createCourier(options: CourierOptions): Courier {
  const { allowPrivate, limitMs = answerLimitMs, resolve = resolveName } = options
  const agent = new Agent({
    connect: connector(options),
    allowH2: false,
    // How many there are is decided where webhooks are handed out: receivers that share a host must not wait for one another.
    connections: null,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: headersMaxBytes,
    keepAliveTimeout: 4000,
  })
  return {
    refusalOf: async (url) => {
      const problem = endpointUrlProblem(url, { allowPrivate })
      if (problem !== null || allowPrivate) return problem
      return (await leadsInside(new URL(url).hostname, resolve)) ? 'must lead to a public address.' : null
    },
    post: (letter) => post(agent, letter, { allowPrivate, limitMs }),
    close: () => agent.destroy(),
  }
}

/** A host that is an address is never looked up, so it is judged here; names are judged by the lookup. */
function connector({
  allowPrivate,
  limitMs = answerLimitMs,
  resolve = resolveName,
  ca,
}: CourierOptions): buildConnector.connector {
  const connect = buildConnector({
    lookup: guardedLookup(resolve, allowPrivate),
    timeout: limitMs,
    // A webhook has its connection to itself: one that hangs or is cut off takes no other with it, as streams of HTTP/2 would.
    allowH2: false,
    rejectUnauthorized: true,
    ...(ca !== undefined && { ca }),
  })
  return (target, connected) => {
    if (!allowPrivate && isForbiddenHost(target.hostname)) {
      return connected(new ForbiddenAddress('the address is not public'), null)
    }
    connect(target, connected)
  }
}

async function leadsInside(hostname: string, resolve: Resolve): Promise<boolean> {
  return new Promise((done) => {
    const timer = setTimeout(() => done(false), saveLookupLimitMs)
    guardedLookup(resolve, false)(hostname, { all: true }, (error) => {
      clearTimeout(timer)
      done(error instanceof ForbiddenAddress)
    })
  })
}

function post(
  agent: Agent,
  { url, body, headers }: Letter,
  { allowPrivate, limitMs }: { allowPrivate: boolean; limitMs: number },
): Promise<Receipt> {
  const startedAt = performance.now()
  return new Promise((resolve) => {
    const end = (receipt: Omit<Receipt, 'durationMs'>): void =>
      resolve({ ...receipt, durationMs: Math.round(performance.now() - startedAt) })
    const fail = (error: string): void => end({ accepted: false, statusCode: null, error, retryAfter: null })
    const problem = endpointUrlProblem(url, { allowPrivate })
    if (problem !== null) return fail(`URL: ${problem}`)
    const { origin, pathname, search } = new URL(url)
    const request: Dispatcher.DispatchOptions = { origin, path: pathname + search, method: 'POST', headers, body }
    agent.dispatch(request, handlerOf({ limitMs, end, fail }))
  })
}

type Ends = { limitMs: number; end(receipt: Omit<Receipt, 'durationMs'>): void; fail(error: string): void }

/** The receipt is written when the status is known; what follows is read only within the limits of size and time. */
function handlerOf({ limitMs, end, fail }: Ends): Dispatcher.DispatchHandler {
  let controller: Dispatcher.DispatchController | undefined
  let isLate = false
  let read = 0
  const timer = setTimeout(() => {
    isLate = true
    fail(`No answer within ${limitMs / 1000} seconds`)
    controller?.abort(new Error('late'))
  }, limitMs)
  return {
    onRequestStart(started) {
      controller = started
      if (isLate) started.abort(new Error('late'))
    },
    onResponseStart(_, statusCode, headers) {
      if (statusCode < 200) return
      const accepted = statusCode === 200
      const retryAfter = headers['retry-after']
      end({
        accepted,
        statusCode,
        error: accepted ? null : statusText(statusCode),
        retryAfter: (typeof retryAfter === 'string' ? retryAfter : retryAfter?.[0]) ?? null,
      })
    },
    onResponseData(started, chunk) {
      read += chunk.length
      if (read > bodyMaxBytes) started.abort(new Error('read enough'))
    },
    onResponseEnd() {
      clearTimeout(timer)
    },
    onResponseError(_, error) {
      clearTimeout(timer)
      fail(describeFailure(error, limitMs))
    },
  }
}

const statusText = (code: number): string =>
  `${code} ${code === 404 ? 'Resource Not Found' : (STATUS_CODES[code] ?? '')}`.trim()
