/** The table of every page that a site's customers can open. Read this first. */
import type { App } from '../actions/app.ts'
import { notFound } from '../billing/refusal.ts'
import type { Page, PageRequest, PageRoute, Pages } from '../wire/page.ts'
import { findAsset } from './look.ts'
import { cancel, cancelPage, keep } from './pages/cancel.ts'
import { cardPage, changeCard } from './pages/card.ts'
import { detailsPage, saveDetails } from './pages/details.ts'
import { invoiceFile, statementFile } from './pages/documents.ts'
import { historyPage } from './pages/history.ts'
import { overview } from './pages/overview.ts'
import { pay, reactivate, reactivatePage } from './pages/pay.ts'
import { failed } from './pages/problem.ts'
import { changeProduct, productPage } from './pages/product.ts'
import { logOut, openBy } from './pages/session.ts'
import { subscriptionPage } from './pages/subscription.ts'
import { type Visit, visited } from './visit.ts'

type Line = readonly [method: PageRoute['method'], path: string, handler: (visit: Visit) => Promise<Page>]

const subscription = '/account/subscriptions/:subscription_id'

const inside: readonly Line[] = [
  ['GET', '/account', overview],
  ['GET', subscription, subscriptionPage],
  ['POST', `${subscription}/pay`, pay],
  ['GET', `${subscription}/card`, cardPage],
  ['POST', `${subscription}/card`, changeCard],
  ['GET', `${subscription}/product`, productPage],
  ['POST', `${subscription}/product`, changeProduct],
  ['GET', `${subscription}/cancel`, cancelPage],
  ['POST', `${subscription}/cancel`, cancel],
  ['POST', `${subscription}/keep`, keep],
  ['GET', `${subscription}/reactivate`, reactivatePage],
  ['POST', `${subscription}/reactivate`, reactivate],
  ['GET', '/account/history', historyPage],
  ['GET', '/account/invoices/:file', invoiceFile],
  ['GET', '/account/statements/:file', statementFile],
  ['GET', '/account/details', detailsPage],
  ['POST', '/account/details', saveDetails],
  ['POST', '/account/log_out', logOut],
]

const asset = async ({ params }: PageRequest): Promise<Page> => {
  const found = findAsset(params.name ?? '')
  if (found === undefined) throw notFound()
  return found
}

export const portalPages = (app: App): Pages => ({
  prefixes: ['/manage', '/account'],
  routes: [
    { method: 'GET', path: '/manage/:customer_id/:time/:signature', handler: openBy(app, 'management') },
    { method: 'GET', path: '/manage/invitation/:customer_id/:time/:signature', handler: openBy(app, 'invitation') },
    { method: 'GET', path: '/manage/letter/:customer_id/:time/:signature', handler: openBy(app, 'letter') },
    { method: 'GET', path: '/account/assets/:name', handler: asset },
    ...inside.map(([method, path, handler]) => ({ method, path, handler: visited(app, handler) })),
  ],
  failed: failed(app),
})
