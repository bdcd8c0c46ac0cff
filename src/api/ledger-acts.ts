/** Acts that write into a ledger, of a subscription or through an invoice: each answers with the row that it made. */
import type { App } from '../actions/app.ts'
import { findTransactionRecord } from '../store/transaction-records.ts'
import { entryShape, presentEntry } from '../views/entry.ts'
import { resource } from '../wire/answer.ts'
import { wrapped } from '../wire/input.ts'
import { actsOn, type Exists, type Handler, idFrom, type Show, type SiteRequest } from './handler.ts'

const showRow =
  (name: string): Show =>
  async (connection, site, id) => {
    const found = await findTransactionRecord(connection, site.id, id)
    return found && resource(201, name, presentEntry(found, site.timeZone), entryShape)
  }

/** Each act is sent under its own name, which stands first, or under another one by which clients know it. */
export const makesFor =
  (idName: string, exists: Exists) =>
  <Sent>(
    names: readonly [string, ...string[]],
    read: (tree: object) => Sent,
    act: (app: App, siteId: number, id: number, sent: Sent) => Promise<number>,
  ): Handler => {
    const make = async (app: App, request: SiteRequest): Promise<number> => {
      const { body, context } = request
      const used = names.find((name) => typeof body === 'object' && body !== null && Object.hasOwn(body, name))
      return act(app, context.site.id, idFrom(request, idName), read(wrapped(body, used ?? names[0])))
    }
    return actsOn(idName, exists, make, showRow(names[0]))
  }
