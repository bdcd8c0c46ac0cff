/** The one place where what went wrong becomes a status: a refusal is shown, a bug is a number and a line in the log. */
import { Refusal, type RefusalKind } from '../billing/refusal.ts'
import { databaseTroubleOf } from '../host/database-trouble.ts'
import { traceOf } from '../host/error-trace.ts'
import type { Log } from '../host/log.ts'
import { type Answer, errors, missing, plain, soleError, typedErrors } from '../wire/answer.ts'
import { InputErrors } from '../wire/input.ts'
import type { RequestHead } from '../wire/request.ts'
import { TooManyWrongKeys } from './wrong-keys.ts'

type WithShapeOfItsOwn = 'unauthorized' | 'not_found' | 'forbidden_fields' | 'portal_enabled' | 'link_exhausted'

const statuses: Record<Exclude<RefusalKind, WithShapeOfItsOwn>, number> = {
  malformed: 400,
  forbidden: 403,
  conflict: 409,
  gone: 410,
  invalid: 422,
  too_many_requests: 429,
  unavailable: 503,
}

const troubles = {
  away: {
    logged: 'the database does not answer',
    sentence: 'The service cannot reach its database just now. Please try again in a moment.',
  },
  full: {
    logged: 'the database has no room left',
    sentence: 'The service has no room left to write. Please try again later.',
  },
  busy: {
    logged: 'the database has too much to do',
    sentence: 'The database of the service has too much to do just now. Please try again in a moment.',
  },
}

/** A bug's message never reaches the caller: it may quote anything. The request id leads to it in the log. */
export const errorMapper =
  (log: Log) =>
  (error: unknown, request: RequestHead): Answer => {
    if (error instanceof InputErrors) return errors(422, error.messages)
    if (error instanceof Refusal) return refused(error)
    if (error instanceof TooManyWrongKeys) {
      const { seconds } = error
      const sentence = `Too many wrong API keys came from your address. Please wait ${seconds} seconds.`
      return errors(429, [sentence], { 'Retry-After': String(seconds) })
    }
    const trouble = databaseTroubleOf(error)
    if (trouble !== undefined) {
      const { logged, sentence } = troubles[trouble]
      log.error({ request: request.id, method: request.method, error: traceOf(error) }, logged)
      return errors(503, [sentence], { 'Retry-After': '5' })
    }
    log.error({ request: request.id, method: request.method, error: traceOf(error) }, 'a request failed')
    return errors(500, [`Something went wrong on our side. Please quote request ${request.id}.`])
  }

function refused({ kind, messages }: Refusal): Answer {
  switch (kind) {
    case 'unauthorized':
      return plain(401, 'HTTP Basic: Access denied.\n', { 'WWW-Authenticate': 'Basic realm="Application"' })
    case 'not_found':
      return missing()
    case 'forbidden_fields':
      return plain(400, messages.join(' '))
    case 'portal_enabled':
      return typedErrors(422, messages)
    case 'link_exhausted':
      return soleError(429, messages.join(' '))
    default:
      return errors(statuses[kind], messages)
  }
}
