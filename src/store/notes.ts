/** The notes about subscriptions. */
import type { Note } from '../billing/note.ts'
import type { Connection, Transaction } from './database.ts'
import { type Sql, sql } from './sql.ts'
import { Table } from './table.ts'

export const notes = new Table<Note>('notes', {
  id: 'bigint',
  subscriptionId: 'bigint',
  body: 'text',
  sticky: 'boolean',
  createdAt: 'instant',
  updatedAt: 'instant',
})

export type NoteKey = { subscriptionId: number; id: number }

const oneNote = (siteId: number, { subscriptionId, id }: NoteKey): Sql => sql`
  select ${notes.list('n')} from notes n join subscriptions s on s.site_id = n.site_id and s.id = n.subscription_id
  where n.site_id = ${siteId} and n.subscription_id = ${subscriptionId} and n.id = ${id} and s.deleted_at is null`

export async function findNote(connection: Connection, siteId: number, key: NoteKey): Promise<Note | undefined> {
  const [row] = await connection.arrays(oneNote(siteId, key))
  return row && notes.read(row)
}

/** Locked for a change, until the transaction ends. */
export async function lockNote(tx: Transaction, siteId: number, key: NoteKey): Promise<Note | undefined> {
  const [row] = await tx.arrays(sql`${oneNote(siteId, key)} for no key update of n`)
  return row && notes.read(row)
}

/** Sticky ones first, and newest first among each. */
export const listNotes = async (
  connection: Connection,
  siteId: number,
  subscriptionId: number,
  { perPage, offset }: { perPage: number; offset: number },
): Promise<Note[]> =>
  (
    await connection.arrays(sql`
      select ${notes.list('n')} from notes n where n.site_id = ${siteId} and n.subscription_id = ${subscriptionId}
      order by n.sticky desc, n.id desc limit ${perPage} offset ${offset}`)
  ).map((row) => notes.read(row))

export const deleteNoteRow = (tx: Transaction, siteId: number, id: number): Promise<number> =>
  tx.run(sql`delete from notes where site_id = ${siteId} and id = ${id}`)
