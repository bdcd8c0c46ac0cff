/** Adds fields to the customers or the subscriptions of a site. */
import {
  type MetafieldTerms,
  metafieldsMax,
  metafieldTerms,
  newMetafield,
  type ResourceType,
  tooManyMetafields,
} from '../billing/metafield.ts'
import { invalid } from '../billing/refusal.ts'
import type { Transaction } from '../store/database.ts'
import { nextIds } from '../store/ids.ts'
import { listMetafieldNames, lockMetafield, metafields } from '../store/metadata.ts'
import { lockSite } from '../store/sites.ts'
import { type App, siteAndNow, write } from './app.ts'
import { refuseTaken } from './refuse-taken.ts'
import { changeMetafield } from './update-metafields.ts'

export type NewMetafield = Partial<MetafieldTerms> & { name: string }

/**
 * Changes those whose names a site has already, and makes the others; tells the ids of all. Refuses one name twice, and more fields
 * than a site may have.
 */
export const createMetafields = (
  app: App,
  siteId: number,
  type: ResourceType,
  asked: readonly NewMetafield[],
  tell: (ids: number[]) => void,
): Promise<number> =>
  write(app, async (tx) => {
    const { now } = await siteAndNow(app, tx, siteId)
    await lockSite(tx, siteId)
    const taken = await listMetafieldNames(tx, siteId, type)
    const changed: number[] = []
    const fresh: NewMetafield[] = []
    for (const one of asked) {
      const before = taken.has(one.name) ? await lockMetafield(tx, siteId, type, one.name) : undefined
      if (before !== undefined) await changeMetafield(tx, before, one, now)
      if (before === undefined) fresh.push(one)
      else changed.push(before.id)
    }
    const terms = fresh.map((one) => metafieldTerms(newMetafield(one.name), one))
    tell([...changed, ...(await insertMetafields(tx, siteId, type, now, () => terms))])
    return siteId
  }).catch(refuseTaken)

/** `wanted` is asked with the names that are taken. The site is locked: a limit that two pass at once is none. */
export async function insertMetafields(
  tx: Transaction,
  siteId: number,
  resourceType: ResourceType,
  now: Temporal.Instant,
  wanted: (taken: ReadonlySet<string>) => readonly MetafieldTerms[],
): Promise<number[]> {
  await lockSite(tx, siteId)
  const taken = await listMetafieldNames(tx, siteId, resourceType)
  const terms = wanted(taken)
  if (taken.size + terms.length > metafieldsMax) {
    throw invalid(tooManyMetafields)
  }
  const ids = await nextIds(tx, ...terms.map(() => 'metafields' as const))
  const rows = terms.map((one, place) => ({
    ...one,
    siteId,
    id: ids[place]!,
    resourceType,
    createdAt: now,
    updatedAt: now,
  }))
  await metafields.insert(tx, siteId, rows)
  return ids
}
