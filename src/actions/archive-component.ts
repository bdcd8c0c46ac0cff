/** Takes a component off sale; subscriptions that have it keep it and go on paying for it. */
import { invalid, notFound } from '../billing/refusal.ts'
import { lockComponent, setComponentArchived } from '../store/components.ts'
import { type App, siteAndNow, write } from './app.ts'

/** Refuses one that is archived already. */
export const archiveComponent = (app: App, siteId: number, componentId: number): Promise<number> =>
  write(app, async (tx) => {
    const [{ now }, component] = await Promise.all([
      siteAndNow(app, tx, siteId),
      lockComponent(tx, siteId, componentId),
    ])
    if (component === undefined) throw notFound()
    if (component.archivedAt !== null) throw invalid('Component: is archived already.')
    await setComponentArchived(tx, siteId, componentId, now)
    return componentId
  })
