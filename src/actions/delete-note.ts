/** Deletes a note about a subscription for good. */
import { notFound } from '../billing/refusal.ts'
import { deleteNoteRow, lockNote, type NoteKey } from '../store/notes.ts'
import { type App, write } from './app.ts'

export const deleteNote = (app: App, siteId: number, key: NoteKey): Promise<number> =>
  write(app, async (tx) => {
    const note = await lockNote(tx, siteId, key)
    if (note === undefined) throw notFound()
    await deleteNoteRow(tx, siteId, note.id)
    return note.id
  })
