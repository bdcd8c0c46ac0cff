/** Changes a tax for every assessment from now on; what stands on ledgers keeps its name and rate. */
import { notFound } from '../billing/refusal.ts'
import { lockTax, taxes } from '../store/taxes.ts'
import { type App, siteAndNow, write } from './app.ts'
import type { TaxTerms } from './create-tax.ts'

export const updateTax = (app: App, siteId: number, taxId: number, change: Partial<TaxTerms>): Promise<number> =>
  write(app, async (tx) => {
    const [{ now }, tax] = await Promise.all([siteAndNow(app, tx, siteId), lockTax(tx, siteId, taxId)])
    if (tax === undefined) throw notFound()
    const fields = ['name', 'rate', 'country', 'state', 'updatedAt'] as const
    await taxes.update(tx, siteId, fields, [{ ...tax, ...change, updatedAt: now }])
    return taxId
  })
