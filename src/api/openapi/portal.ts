/** What is said of the customers' portal, as merchants see it. */
import { customerShape } from '../../views/customer.ts'
import { invitationShape, managementLinkShape, portalSettingsShape } from '../../views/portal.ts'
import { enableInput } from '../portal.ts'
import { portalSettingsInput } from '../portal-settings.ts'
import { about, bareValue, one, sent } from './description.ts'
import { schemaOf } from './named-shapes.ts'
import { asQuery } from './parameters.ts'

const path = '/portal/customers/:customer_id'
const invitation = bareValue('invitation', schemaOf(invitationShape))
const settings = one('portal_settings', portalSettingsShape)

export const portalDescriptions = about('Portal', {
  [`POST ${path}/enable`]: {
    id: 'enablePortal',
    summary: 'Opens the portal to a customer, and invites them if asked.',
    query: asQuery(enableInput),
    answers: one('customer', customerShape),
  },
  [`GET ${path}/management_link`]: {
    id: 'fetchManagementLink',
    summary: 'Gives the signed address that opens the portal for one customer.',
    refuses: [422, 429],
    answers: bareValue('management_link', schemaOf(managementLinkShape)),
  },
  [`POST ${path}/invitations/invite`]: {
    id: 'inviteToPortal',
    summary: 'Sends a customer an invitation to the portal.',
    answers: invitation,
  },
  [`DELETE ${path}/invitations/revoke`]: {
    id: 'revokeInvitation',
    summary: 'Revokes the invitations of a customer: links that were sent open nothing any more.',
    answers: invitation,
  },
  'GET /portal/settings': {
    id: 'readPortalSettings',
    summary: 'Shows what customers may do in the portal, and how it looks.',
    answers: settings,
  },
  'PUT /portal/settings': {
    id: 'updatePortalSettings',
    summary: 'Changes what customers may do in the portal, and how it looks.',
    input: sent('portal_settings', portalSettingsInput),
    answers: settings,
  },
})
