/** Statements: of the site or of one subscription, whole or only their ids; one; and how many there are. */
import { notFound } from '../billing/refusal.ts'
import { statementSorts } from '../billing/statement.ts'
import { getLetterhead } from '../store/letterheads.ts'
import { findStatementDetails } from '../store/statement-details.ts'
import { findStatementCount, listStatementIds, listStatements } from '../store/statement-lists.ts'
import { printedStatement } from '../views/printed-statement.ts'
import { presentStatement, statementShape } from '../views/statement.ts'
import { idsOnly, list, pdf, resource } from '../wire/answer.ts'
import { readDirection, readPage } from '../wire/paging.ts'
import type { Route } from '../wire/request.ts'
import { type Context, type Handler, idFrom, type SiteRequest, subscriptionFrom } from './handler.ts'
import { readWord } from './list-input.ts'
import { Problems } from './problems.ts'

/** Lists of ids come in pages of this size; nobody can ask for another. */
const idsPerPage = 10_000

/** Throws `InputErrors` with every problem at once. */
function readPart({ query }: SiteRequest, sizes?: Parameters<typeof readPage>[1]) {
  const problems = new Problems()
  const page = problems.gather(() => readPage(query, sizes))
  const sort = problems.gather(() => readWord(query, 'sort', statementSorts, 'created_at'))
  const direction = problems.gather(() => readDirection(query, 'asc'))
  problems.tell()
  const { perPage, offset } = page!
  return { sort: sort!, direction: direction!, perPage, offset }
}

const listed = async (request: SiteRequest, subscriptionId: number | null) => {
  const { app, site } = request.context
  const found = await listStatements(app.db, site.id, { subscriptionId }, readPart(request))
  const shown = found.map((details) => presentStatement(details, site))
  return list('statements', 'statement', shown, statementShape)
}

const listedIds = async (request: SiteRequest, subscriptionId: number | null) => {
  const { app, site } = request.context
  const { per_page: _, ...query } = request.query
  const part = readPart({ ...request, query }, { perPageDefault: idsPerPage, perPageMax: idsPerPage })
  return idsOnly('statement_ids', await listStatementIds(app.db, site.id, { subscriptionId }, part))
}

const ofSite: Handler = (request) => listed(request, null)
const ofSubscription: Handler = async (request) => listed(request, await subscriptionFrom(request))
const idsOfSite: Handler = (request) => listedIds(request, null)
const idsOfSubscription: Handler = async (request) => listedIds(request, await subscriptionFrom(request))

const counted: Handler = async ({ context: { app, site } }) =>
  resource(200, 'count', await findStatementCount(app.db, site.id), 'integer')

const read: Handler = async (request) => {
  if (request.format === 'pdf') return showsStatementPages(request)
  const { app, site } = request.context
  const details = await findStatementDetails(app.db, site.id, idFrom(request, 'statement_id'))
  if (details === undefined) throw notFound()
  return resource(200, 'statement', presentStatement(details, site), statementShape)
}

export const showsStatementPages: Handler = async (request) => {
  const { app, site } = request.context
  const details = await findStatementDetails(app.db, site.id, idFrom(request, 'statement_id'))
  if (details === undefined) throw notFound()
  const letterhead = await getLetterhead(app.db, site.id)
  return pdf(await app.pdf.render(printedStatement(details, site, letterhead)), `statement-${details.statement.id}`)
}

export const statementRoutes: readonly Route<Context>[] = [
  { method: 'GET', path: '/statements', handler: ofSite },
  { method: 'GET', path: '/statements/ids', handler: idsOfSite },
  { method: 'GET', path: '/statements/count', handler: counted },
  { method: 'GET', path: '/statements/:statement_id', handler: read, pdf: true },
  { method: 'GET', path: '/subscriptions/:subscription_id/statements', handler: ofSubscription },
  { method: 'GET', path: '/subscriptions/:subscription_id/statements/ids', handler: idsOfSubscription },
]
