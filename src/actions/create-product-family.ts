/** Makes a product family. */
import type { ProductFamily } from '../billing/catalog.ts'
import { insertProductFamily } from '../store/catalog.ts'
import { nextIds } from '../store/ids.ts'
import { type App, siteAndNow, write } from './app.ts'
import { refuseTaken } from './refuse-taken.ts'

export type CreateProductFamily = Pick<ProductFamily, 'name' | 'description' | 'accountingCode'> & {
  /** Null makes one from the name. */
  handle: string | null
}

/** Refuses a handle that another family of the site has, also when it was made from the name. */
export async function createProductFamily(app: App, siteId: number, command: CreateProductFamily): Promise<number> {
  const [{ now }, [newId]] = await Promise.all([siteAndNow(app, app.db, siteId), nextIds(app.db, 'product_families')])
  const id = newId!
  const handle = command.handle ?? (handleFrom(command.name) || `family-${id}`)
  return write(app, async (tx) => {
    await insertProductFamily(tx, { ...command, siteId, id, handle, createdAt: now, updatedAt: now })
    return id
  }).catch(refuseTaken)
}

/** `Acme Projects` is `acme-projects`; empty for a name without a Latin letter or a digit. */
const handleFrom = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
