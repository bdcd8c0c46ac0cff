/** Reason codes: create, list, read, change, delete. */
import { createReasonCode, type NewReasonCode } from '../actions/create-reason-code.ts'
import { deleteReasonCode } from '../actions/delete-reason-code.ts'
import { updateReasonCode } from '../actions/update-reason-code.ts'
import type { ReasonCodeTerms } from '../billing/reason-code.ts'
import { findReasonCode, listReasonCodes } from '../store/reason-codes.ts'
import { presentReasonCode, reasonCodeShape } from '../views/reason-code.ts'
import { bare, list, namedError, resource } from '../wire/answer.ts'
import { integer, isTree, longTextMax, object, readInput, text, wrapped, wrappedChange } from '../wire/input.ts'
import { readPage } from '../wire/paging.ts'
import type { Route } from '../wire/request.ts'
import { type Act, acts, type Context, changes, type Handler, idFrom, type Show, shows } from './handler.ts'

const required = true

export const reasonCodeInput = object({
  code: text('Code', { required }),
  description: text('Description', { required, max: longTextMax }),
  position: integer('Position', { min: 0, max: 1_000_000 }),
})
export const reasonCodeChangeInput = reasonCodeInput.partial()

/** Throws `InputErrors` with every problem at once. */
function readNewReasonCode(body: unknown): NewReasonCode {
  const { code, description, position } = readInput(reasonCodeInput, wrapped(body, 'reason_code'))
  return { code, description, position: position ?? null }
}

/** What was sent and nothing else; a position of null stays what it is. Throws `InputErrors` with every problem at once. */
function readReasonCodeChange(body: unknown): Partial<ReasonCodeTerms> {
  const { code, description, position } = readInput(
    reasonCodeChangeInput,
    wrappedChange(body, 'reason_code', 'Reason code'),
  )
  return {
    ...(code !== undefined && { code }),
    ...(description !== undefined && { description }),
    ...(typeof position === 'number' && { position }),
  }
}

const show =
  (status: number): Show =>
  async (connection, site, id) => {
    const reasonCode = await findReasonCode(connection, site.id, id)
    const headers = status === 201 ? { Location: `/reason_codes/${id}` } : undefined
    return (
      reasonCode &&
      resource(status, 'reason_code', presentReasonCode(reasonCode, site.timeZone), reasonCodeShape, headers)
    )
  }

const listPage: Handler = async ({ context: { app, site }, query }) => {
  const found = await listReasonCodes(app.db, site.id, readPage(query))
  const presented = found.map((reasonCode) => presentReasonCode(reasonCode, site.timeZone))
  return list('reason_codes', 'reason_code', presented, reasonCodeShape)
}

const createOne: Act = (app, { context: { site }, body }) => createReasonCode(app, site.id, readNewReasonCode(body))
const createAndShow = acts(createOne, show(201))

/** Without its root a request names nothing that could be wrong, and is refused under the name of the root. */
const create: Handler = async (request) => {
  const hasRoot = isTree(request.body) && Object.hasOwn(request.body, 'reason_code')
  return hasRoot ? createAndShow(request) : namedError(422, 'reason_code', "can't be blank")
}

const update: Act = async (app, request) =>
  updateReasonCode(app, request.context.site.id, idFrom(request, 'reason_code_id'), readReasonCodeChange(request.body))

const remove: Act = (app, request) => deleteReasonCode(app, request.context.site.id, idFrom(request, 'reason_code_id'))

export const reasonCodeRoutes: readonly Route<Context>[] = [
  { method: 'GET', path: '/reason_codes', handler: listPage },
  { method: 'POST', path: '/reason_codes', handler: create },
  { method: 'GET', path: '/reason_codes/:reason_code_id', handler: shows('reason_code_id', show(200)) },
  { method: 'PUT', path: '/reason_codes/:reason_code_id', handler: changes('reason_code_id', update, show(200)) },
  {
    method: 'DELETE',
    path: '/reason_codes/:reason_code_id',
    handler: acts(remove, async () => bare(200, 'result', { ok: 'ok' })),
  },
]
