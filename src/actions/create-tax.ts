/** Makes a tax: from the next assessment on it falls on everything taxable that customers of its country or state buy. */
import type { Tax } from '../billing/tax.ts'
import { nextIds } from '../store/ids.ts'
import { taxes } from '../store/taxes.ts'
import { type App, siteAndNow, write } from './app.ts'

/** Country and state are in upper case. */
export type TaxTerms = Omit<Tax, 'siteId' | 'id'>

export async function createTax(app: App, siteId: number, terms: TaxTerms): Promise<number> {
  const [{ now }, [newId]] = await Promise.all([siteAndNow(app, app.db, siteId), nextIds(app.db, 'taxes')])
  const id = newId!
  return write(app, async (tx) => {
    await taxes.insert(tx, siteId, [{ ...terms, siteId, id, createdAt: now, updatedAt: now, deletedAt: null }])
    return id
  })
}
