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
import { listMetafieldNames, metafields } from '../store/metadata.ts'
import { lockSite } from '../store/sites.ts'
import { type App, siteAndNow, write } from './app.ts'
import { refuseTaken } from './refuse-taken.ts'

export type NewMetafield = Partial<MetafieldTerms> & { name: string }

/** Tells the ids of what was made. Refuses names that are taken, and more fields than a site may have. */
export const createMetafields = (
  app: App,
  siteId: number,
  type: ResourceType,
  asked: readonly NewMetafield[],
  tell: (ids: number[]) => void,
): Promise<number> =>
  write(app, async (tx) => {
    const { now } = await siteAndNow(app, tx, siteId)
    const terms = asked.map((one) => metafieldTerms(newMetafield(one.name), one))
    tell(await insertMetafields(tx, siteId, type, now, () => terms))
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
