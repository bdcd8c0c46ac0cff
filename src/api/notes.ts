/** The notes about a subscription: write, list, read, rewrite, delete. */
import { createNote } from '../actions/create-note.ts'
import { deleteNote } from '../actions/delete-note.ts'
import { updateNote } from '../actions/update-note.ts'
import type { NoteTerms } from '../billing/note.ts'
import { notFound } from '../billing/refusal.ts'
import { findNote, listNotes, type NoteKey } from '../store/notes.ts'
import { noteShape, presentNote } from '../views/note.ts'
import { empty, list, resource } from '../wire/answer.ts'
import { boolean, longTextMax, object, readInput, text, wrapped, wrappedChange } from '../wire/input.ts'
import { readPage } from '../wire/paging.ts'
import type { Route } from '../wire/request.ts'
import {
  type Act,
  acts,
  type Context,
  type Handler,
  idFrom,
  type Show,
  type SiteRequest,
  subscriptionFrom,
} from './handler.ts'

export const noteInput = object({
  body: text('Body', { required: true, max: longTextMax }),
  sticky: boolean('Sticky'),
})
export const noteChangeInput = noteInput.partial()

/** Throws `InputErrors` with every problem at once. */
function readNewNote(body: unknown): NoteTerms {
  const note = readInput(noteInput, wrapped(body, 'note'))
  return { body: note.body, sticky: note.sticky ?? false }
}

/** What was sent and nothing else. Throws `InputErrors` with every problem at once. */
function readNoteChange(sent: unknown): Partial<NoteTerms> {
  const { body, sticky } = readInput(noteChangeInput, wrappedChange(sent, 'note', 'Note'))
  return { ...(body !== undefined && { body }), ...(sticky !== undefined && { sticky: sticky ?? false }) }
}

const keyFrom = (request: SiteRequest): NoteKey => ({
  subscriptionId: idFrom(request, 'subscription_id'),
  id: idFrom(request, 'note_id'),
})

const show =
  (subscriptionId: number, status = 200): Show =>
  async (connection, site, id) => {
    const note = await findNote(connection, site.id, { subscriptionId, id })
    return note && resource(status, 'note', presentNote(note, site.timeZone), noteShape)
  }

const read: Handler = async (request) => {
  const { app, site } = request.context
  const { subscriptionId, id } = keyFrom(request)
  const answer = await show(subscriptionId)(app.db, site, id, app)
  if (answer === undefined) throw notFound()
  return answer
}

const listPage: Handler = async (request) => {
  const { app, site } = request.context
  const found = await listNotes(app.db, site.id, await subscriptionFrom(request), readPage(request.query))
  const presented = found.map((note) => presentNote(note, site.timeZone))
  return list('notes', 'note', presented, noteShape)
}

const create: Act = async (app, request) =>
  createNote(app, request.context.site.id, await subscriptionFrom(request), readNewNote(request.body))

const update: Act = async (app, request) => {
  const { site } = request.context
  const key = keyFrom(request)
  if ((await findNote(app.db, site.id, key)) === undefined) throw notFound()
  return updateNote(app, site.id, key, readNoteChange(request.body))
}

const remove: Act = (app, request) => deleteNote(app, request.context.site.id, keyFrom(request))

const writes =
  (act: Act): Handler =>
  async (request) =>
    acts(act, show(idFrom(request, 'subscription_id'), 201))(request)

const path = '/subscriptions/:subscription_id/notes'

export const noteRoutes: readonly Route<Context>[] = [
  { method: 'GET', path, handler: listPage },
  { method: 'POST', path, handler: writes(create) },
  { method: 'GET', path: `${path}/:note_id`, handler: read },
  { method: 'PUT', path: `${path}/:note_id`, handler: writes(update) },
  { method: 'DELETE', path: `${path}/:note_id`, handler: acts(remove, async () => empty(200)) },
]
