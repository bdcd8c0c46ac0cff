/** Values for the fields of a customer or a subscription that is being made: judged beforehand, written with it. */
import type { FieldOwner } from '../billing/event.ts'
import {
  decideMetadata,
  type MetadataChanges,
  type MetadatumChange,
  metafieldProblems,
  type ResourceType,
} from '../billing/metafield.ts'
import type { Connection, Transaction } from '../store/database.ts'
import { findMetafields, lockMetafieldsShared, saveMetadata } from '../store/metadata.ts'
import { insertMissing } from './set-metadata.ts'

/** What is wrong with them, in words; empty when they can be written. Asks nothing where nothing is given. */
export async function findMetafieldProblems(
  connection: Connection,
  siteId: number,
  type: ResourceType,
  asked: readonly MetadatumChange[],
): Promise<string[]> {
  if (asked.length === 0) return []
  const names = asked.map(({ name }) => name)
  const { fields, count } = await findMetafields(connection, siteId, type, names)
  return metafieldProblems(fields, count, asked)
}

/** What is saved for an owner once it is on record. */
export type GivenMetadata = { owner: FieldOwner; changes: MetadataChanges }

/**
 * Makes the fields that do not exist yet, and decides what is to be saved, with the events that tell of it. Call it before anything
 * else of the owner is locked. Refuses what a field, changed since it was judged, does not offer.
 */
export async function prepareMetadata(
  tx: Transaction,
  owner: FieldOwner,
  asked: readonly MetadatumChange[],
): Promise<GivenMetadata[]> {
  if (asked.length === 0) return []
  const { siteId, resourceType, at } = owner
  const names = asked.map(({ name }) => name)
  await insertMissing(tx, siteId, resourceType, names, at)
  const fields = await lockMetafieldsShared(tx, siteId, resourceType, names)
  const known = { owner, fields: new Map(fields.map((field) => [field.name, field])), before: [] }
  return [{ owner, changes: decideMetadata(known, asked) }]
}

/** Writes what was prepared, in the transaction that wrote the owners. */
export async function saveGivenMetadata(tx: Transaction, given: readonly GivenMetadata[]): Promise<void> {
  await Promise.all(given.map(({ owner, changes }) => saveMetadata(tx, owner, changes)))
}
