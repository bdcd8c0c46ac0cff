/** Makes a component that can be had with the products of a family. */
import type { Component } from '../billing/component.ts'
import { insertComponent } from '../store/components.ts'
import { nextIds } from '../store/ids.ts'
import { type App, siteAndNow, write } from './app.ts'
import { refuseTaken } from './refuse-taken.ts'

export type CreateComponent = Omit<
  Component,
  'siteId' | 'id' | 'productFamilyId' | 'archivedAt' | 'createdAt' | 'updatedAt'
>

/** The family must be one of the site. Refuses a name that another component of the family has and a handle that any of the site has. */
export async function createComponent(
  app: App,
  siteId: number,
  familyId: number,
  command: CreateComponent,
): Promise<number> {
  const [{ now }, [newId]] = await Promise.all([siteAndNow(app, app.db, siteId), nextIds(app.db, 'components')])
  const id = newId!
  const origin = { siteId, id, productFamilyId: familyId, createdAt: now, updatedAt: now, archivedAt: null }
  return write(app, async (tx) => {
    await insertComponent(tx, { ...command, ...origin })
    return id
  }).catch(refuseTaken)
}
