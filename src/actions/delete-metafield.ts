/** Deletes a field of customers or subscriptions, with all that stands in it. */
import { customFieldValueChange } from '../billing/event.ts'
import type { ResourceType } from '../billing/metafield.ts'
import { notFound } from '../billing/refusal.ts'
import { clearMetafield, deleteMetafield as deleteRow, listMetadataIn, lockMetafield } from '../store/metadata.ts'
import { type App, siteAndNow, write } from './app.ts'
import { commit } from './commit.ts'

export const deleteMetafield = (app: App, siteId: number, type: ResourceType, name: string): Promise<number> =>
  write(app, async (tx) => {
    const { now } = await siteAndNow(app, tx, siteId)
    const field = await lockMetafield(tx, siteId, type, name)
    if (field === undefined) throw notFound()
    const values = await listMetadataIn(tx, field, now)
    await clearMetafield(tx, siteId, field.id)
    await deleteRow(tx, siteId, field.id)
    const events = values.map(({ owner, value }) => customFieldValueChange(owner, field, value, null))
    await commit(app, tx, siteId, [{ events }])
    return field.id
  })
