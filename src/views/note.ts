/** How a note is shown. */
import type { Note } from '../billing/note.ts'
import type { Fields } from '../wire/shape.ts'
import { formatTimestamp } from '../wire/timestamp.ts'

export const noteShape: Fields = {
  fields: {
    id: 'integer',
    body: 'string',
    subscription_id: 'integer',
    sticky: 'boolean',
    created_at: 'datetime',
    updated_at: 'datetime',
  },
}

export const presentNote = (note: Note, timeZone: string) => ({
  id: note.id,
  body: note.body,
  subscription_id: note.subscriptionId,
  sticky: note.sticky,
  created_at: formatTimestamp(note.createdAt, timeZone),
  updated_at: formatTimestamp(note.updatedAt, timeZone),
})
