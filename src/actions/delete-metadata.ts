/** Takes values out of the fields of a customer or a subscription; the fields stay. */
import { decideMetadataRemoval } from '../billing/metafield.ts'
import { notFound } from '../billing/refusal.ts'
import { type Resource, saveMetadata } from '../store/metadata.ts'
import { type App, siteAndNow, write } from './app.ts'
import { commit } from './commit.ts'
import { lockKnown } from './set-metadata.ts'

/** Refuses when the resource has a value in none of the fields named. */
export const deleteMetadata = (
  app: App,
  siteId: number,
  resource: Resource,
  names: readonly string[],
): Promise<number> =>
  write(app, async (tx) => {
    const { now } = await siteAndNow(app, tx, siteId)
    const known = await lockKnown(tx, siteId, resource, names, now)
    const changes = decideMetadataRemoval(known, names)
    if (changes === undefined) throw notFound()
    await saveMetadata(tx, known.owner, changes)
    await commit(app, tx, siteId, [{ events: changes.events }])
    return resource.id
  })
