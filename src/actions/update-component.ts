/** Changes a component: what it is known by at any time, what it costs as long as no subscription has it. */
import { isDeepStrictEqual } from 'node:util'
import type { Component } from '../billing/component.ts'
import { refuseSoldChange } from '../billing/component-change.ts'
import { notFound } from '../billing/refusal.ts'
import { isComponentSold, lockComponent, updateComponentRow } from '../store/components.ts'
import { type App, siteAndNow, write } from './app.ts'
import type { CreateComponent } from './create-component.ts'
import { refuseTaken } from './refuse-taken.ts'

/** What a request changes, given the component as it stands; throws where the two together make no sense. */
export type ComponentChange = (component: Component) => CreateComponent

/** A change that changes nothing leaves no trace. Refuses a name or a handle that another component has. */
export const updateComponent = (
  app: App,
  siteId: number,
  componentId: number,
  change: ComponentChange,
): Promise<number> =>
  write(app, async (tx) => {
    const [{ now }, before] = await Promise.all([siteAndNow(app, tx, siteId), lockComponent(tx, siteId, componentId)])
    if (before === undefined) throw notFound()
    const after: Component = { ...before, ...change(before) }
    if (isDeepStrictEqual(after, before)) return componentId
    if (await isComponentSold(tx, siteId, componentId)) refuseSoldChange(before, after)
    await updateComponentRow(tx, { ...after, updatedAt: now })
    return componentId
  }).catch(refuseTaken)
