/** Writes down a note about a subscription. */
import type { NoteTerms } from '../billing/note.ts'
import { notFound } from '../billing/refusal.ts'
import { nextIds } from '../store/ids.ts'
import { notes } from '../store/notes.ts'
import { lockSubscriptions } from '../store/subscriptions.ts'
import { type App, siteAndNow, write } from './app.ts'

export const createNote = (app: App, siteId: number, subscriptionId: number, terms: NoteTerms): Promise<number> =>
  write(app, async (tx) => {
    const [locked] = await lockSubscriptions(tx, siteId, [subscriptionId])
    if (locked === undefined) throw notFound()
    const [{ now }, [newId]] = await Promise.all([siteAndNow(app, tx, siteId), nextIds(tx, 'notes')])
    const id = newId!
    await notes.insert(tx, siteId, [{ ...terms, siteId, id, subscriptionId, createdAt: now, updatedAt: now }])
    return id
  })
