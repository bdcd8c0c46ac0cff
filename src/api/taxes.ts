/** Taxes: create, list, read, change, delete. */
import { createTax } from '../actions/create-tax.ts'
import { deleteTax } from '../actions/delete-tax.ts'
import { updateTax } from '../actions/update-tax.ts'
import { findTax, listTaxPage } from '../store/taxes.ts'
import { presentTax, taxShape } from '../views/tax.ts'
import { empty, list, resource } from '../wire/answer.ts'
import { wrapped, wrappedChange } from '../wire/input.ts'
import { readPage } from '../wire/paging.ts'
import type { Route } from '../wire/request.ts'
import { type Act, acts, type Context, changes, type Handler, idFrom, type Show, shows } from './handler.ts'
import { readNewTax, readTaxChange } from './tax-input.ts'

const show =
  (status: number): Show =>
  async (connection, site, id) => {
    const tax = await findTax(connection, site.id, id)
    const headers = status === 201 ? { Location: `/taxes/${id}` } : undefined
    return tax && resource(status, 'tax', presentTax(tax, site.timeZone), taxShape, headers)
  }

const listPage: Handler = async ({ context: { app, site }, query }) => {
  const found = await listTaxPage(app.db, site.id, readPage(query, { perPageDefault: 200 }))
  const presented = found.map((tax) => presentTax(tax, site.timeZone))
  return list('taxes', 'tax', presented, taxShape)
}

const create: Act = (app, { context: { site }, body }) => createTax(app, site.id, readNewTax(wrapped(body, 'tax')))

const update: Act = (app, request) =>
  updateTax(
    app,
    request.context.site.id,
    idFrom(request, 'tax_id'),
    readTaxChange(wrappedChange(request.body, 'tax', 'Tax')),
  )

const remove: Act = (app, request) => deleteTax(app, request.context.site.id, idFrom(request, 'tax_id'))

export const taxRoutes: readonly Route<Context>[] = [
  { method: 'GET', path: '/taxes', handler: listPage },
  { method: 'POST', path: '/taxes', handler: acts(create, show(201)) },
  { method: 'GET', path: '/taxes/:tax_id', handler: shows('tax_id', show(200)) },
  { method: 'PUT', path: '/taxes/:tax_id', handler: changes('tax_id', update, show(200)) },
  { method: 'DELETE', path: '/taxes/:tax_id', handler: acts(remove, async () => empty(200)) },
]
