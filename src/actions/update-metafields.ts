/** Renames fields of customers or subscriptions, and changes where they are shown and what may stand in them from now on. */
import { type MetafieldTerms, metafieldTerms, type ResourceType } from '../billing/metafield.ts'
import { invalid } from '../billing/refusal.ts'
import type { Transaction } from '../store/database.ts'
import { lockMetafield, type MetafieldRow, metafields } from '../store/metadata.ts'
import { type App, siteAndNow, write } from './app.ts'
import { refuseTaken } from './refuse-taken.ts'

/** `currentName` is the name by which the field is known until now. */
export type MetafieldChange = Partial<MetafieldTerms> & { currentName: string }

/** One after the other, all or none; tells their ids. Values that stand in a field stay. Refuses names that are unknown or taken. */
export const updateMetafields = (
  app: App,
  siteId: number,
  type: ResourceType,
  changes: readonly MetafieldChange[],
  tell: (ids: number[]) => void,
): Promise<number> =>
  write(app, async (tx) => {
    const { now } = await siteAndNow(app, tx, siteId)
    const ids: number[] = []
    for (const { currentName, ...change } of changes) {
      const before = await lockMetafield(tx, siteId, type, currentName)
      if (before === undefined) throw invalid('Name: there is no metafield of that name.')
      await changeMetafield(tx, before, change, now)
      ids.push(before.id)
    }
    tell(ids)
    return siteId
  }).catch(refuseTaken)

/** `before` is locked by the same transaction. */
export async function changeMetafield(
  tx: Transaction,
  before: MetafieldRow,
  change: Partial<MetafieldTerms>,
  now: Temporal.Instant,
): Promise<void> {
  const terms = metafieldTerms(before, change)
  const fields = ['name', 'inputType', 'choices', 'scope', 'updatedAt'] as const
  await metafields.update(tx, before.siteId, fields, [{ ...before, ...terms, updatedAt: now }])
}
