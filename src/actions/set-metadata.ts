/** Sets values in the fields of a customer or a subscription, and makes the fields that do not exist yet. */

import { maxOf } from '../billing/calendar.ts'
import {
  decideMetadata,
  type Metadatum,
  type MetadatumChange,
  type Metafield,
  newMetafield,
  type ResourceType,
} from '../billing/metafield.ts'
import { notFound, Refusal } from '../billing/refusal.ts'
import type { Transaction } from '../store/database.ts'
import {
  listMetadataOf,
  listMetafieldNames,
  lockFieldOwner,
  lockMetafieldsShared,
  type Resource,
  saveMetadata,
} from '../store/metadata.ts'
import { type App, siteAndNow, write } from './app.ts'
import { commit } from './commit.ts'
import { insertMetafields } from './create-metafields.ts'

/** Gives the id of the resource, and tells what it has now in the fields that were named. */
export const setMetadata = (
  app: App,
  siteId: number,
  resource: Resource,
  asked: readonly MetadatumChange[],
  tell: (metadata: Metadatum[]) => void,
): Promise<number> =>
  write(app, async (tx) => {
    const { now } = await siteAndNow(app, tx, siteId)
    const targets = new Set(asked.map(({ name }) => name))
    // Before the resource is locked: whoever empties a site locks it in this order too.
    await insertMissing(tx, siteId, resource.type, [...targets], now)
    const names = new Set(
      asked.flatMap(({ name, currentName }) => [name, ...(currentName === null ? [] : [currentName])]),
    )
    const known = await lockKnown(tx, siteId, resource, [...names], now)
    if ([...targets].some((name) => !known.fields.has(name))) {
      throw new Refusal('conflict', ['Metafield: was deleted meanwhile. Please try again.'])
    }
    const changes = decideMetadata(known, asked)
    await saveMetadata(tx, known.owner, changes)
    await commit(app, tx, siteId, [{ events: changes.events }])
    tell((await listMetadataOf(tx, siteId, resource)).filter(({ name }) => targets.has(name)))
    return resource.id
  })

/** Makes the fields that do not exist yet; locks the site only then. */
export async function insertMissing(
  tx: Transaction,
  siteId: number,
  type: ResourceType,
  names: readonly string[],
  now: Temporal.Instant,
): Promise<void> {
  const known = await listMetafieldNames(tx, siteId, type)
  if (names.every((name) => known.has(name))) return
  await insertMetafields(tx, siteId, type, now, (taken) =>
    names.filter((name) => !taken.has(name)).map((name) => newMetafield(name)),
  )
}

/** Everything that a change of metadata is decided on, locked. Refuses a resource that the site does not have. */
export async function lockKnown(
  tx: Transaction,
  siteId: number,
  resource: Resource,
  names: readonly string[],
  now: Temporal.Instant,
) {
  const locked = await lockFieldOwner(tx, siteId, resource)
  if (locked === undefined) throw notFound()
  const fields = await lockMetafieldsShared(tx, siteId, resource.type, names)
  const before = await listMetadataOf(tx, siteId, resource)
  const { updatedAt, ...owner } = locked
  return {
    owner: { ...owner, at: maxOf(now, updatedAt) },
    fields: new Map<string, Metafield>(fields.map((field) => [field.name, field])),
    before,
  }
}
