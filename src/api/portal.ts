/** The portal as merchants see it: opening it to a customer, invitations, and the link that leads there. */
import { enablePortal } from '../actions/enable-portal.ts'
import { checkManagementLink, fetchManagementLink } from '../actions/fetch-management-link.ts'
import { inviteToPortal } from '../actions/invite-to-portal.ts'
import { revokeInvitation } from '../actions/revoke-invitation.ts'
import { findCustomer, getUninvitedCount } from '../store/customers.ts'
import { customerShape, presentCustomer } from '../views/customer.ts'
import {
  invitationShape,
  managementLinkShape,
  presentInvitation,
  presentManagementLink,
  presentRevocation,
} from '../views/portal.ts'
import { bare, empty, resource } from '../wire/answer.ts'
import { boolean, object, readInput } from '../wire/input.ts'
import type { Route } from '../wire/request.ts'
import { type Act, acts, type Context, changes, type Handler, idFrom, type Show, textFrom } from './handler.ts'

export const enableInput = object({ auto_invite: boolean('Auto invite') })

const enable: Act = (app, request) => {
  const sent = readInput(enableInput, { auto_invite: textFrom(request.query, 'auto_invite') })
  const { site } = request.context
  return enablePortal(app, site.id, idFrom(request, 'customer_id'), { autoInvite: sent.auto_invite ?? false })
}

const showCustomer: Show = async (connection, site, id) => {
  const customer = await findCustomer(connection, site.id, id)
  return customer && resource(200, 'customer', presentCustomer(customer, site.timeZone), customerShape)
}

const invite: Act = (app, request) => inviteToPortal(app, request.context.site.id, idFrom(request, 'customer_id'))

const showInvitation: Show = async (connection, site, id) => {
  const [customer, uninvited] = await Promise.all([
    findCustomer(connection, site.id, id),
    getUninvitedCount(connection, site.id),
  ])
  return customer && bare(200, 'invitation', presentInvitation(customer, uninvited), invitationShape)
}

const revoke: Act = (app, request) => revokeInvitation(app, request.context.site.id, idFrom(request, 'customer_id'))

const showRevocation: Show = async (connection, site) =>
  bare(200, 'invitation', presentRevocation(await getUninvitedCount(connection, site.id)), invitationShape)

const fetchLink: Handler = async (request) => {
  const { app, site } = request.context
  const customerId = idFrom(request, 'customer_id')
  if (request.method === 'HEAD') {
    await checkManagementLink(app, site.id, customerId)
    return empty(200)
  }
  const { link, url } = await fetchManagementLink(app, site.id, customerId, app.publicUrl ?? `https://${request.host}`)
  return bare(200, 'management_link', presentManagementLink(link, url), managementLinkShape)
}

const path = '/portal/customers/:customer_id'

export const portalRoutes: readonly Route<Context>[] = [
  { method: 'POST', path: `${path}/enable`, handler: changes('customer_id', enable, showCustomer) },
  { method: 'GET', path: `${path}/management_link`, handler: fetchLink },
  { method: 'POST', path: `${path}/invitations/invite`, handler: acts(invite, showInvitation) },
  { method: 'DELETE', path: `${path}/invitations/revoke`, handler: acts(revoke, showRevocation) },
]
