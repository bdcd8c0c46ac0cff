/** Deletes a tax: it falls on nothing any more. Its row is kept for the charges on which it once fell. */
import { notFound } from '../billing/refusal.ts'
import { lockTax, taxes } from '../store/taxes.ts'
import { type App, siteAndNow, write } from './app.ts'

export const deleteTax = (app: App, siteId: number, taxId: number): Promise<number> =>
  write(app, async (tx) => {
    const [{ now }, tax] = await Promise.all([siteAndNow(app, tx, siteId), lockTax(tx, siteId, taxId)])
    if (tax === undefined) throw notFound()
    await taxes.update(tx, siteId, ['deletedAt'], [{ ...tax, deletedAt: now }])
    return taxId
  })
