/** Rewrites a note about a subscription. */
import type { NoteTerms } from '../billing/note.ts'
import { notFound } from '../billing/refusal.ts'
import { lockNote, type NoteKey, notes } from '../store/notes.ts'
import { type App, siteAndNow, write } from './app.ts'

export const updateNote = (app: App, siteId: number, key: NoteKey, change: Partial<NoteTerms>): Promise<number> =>
  write(app, async (tx) => {
    const [{ now }, note] = await Promise.all([siteAndNow(app, tx, siteId), lockNote(tx, siteId, key)])
    if (note === undefined) throw notFound()
    await notes.update(tx, siteId, ['body', 'sticky', 'updatedAt'], [{ ...note, ...change, updatedAt: now }])
    return note.id
  })
