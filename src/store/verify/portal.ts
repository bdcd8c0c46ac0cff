/** The audit of the portal: a link that is given out leads somebody somewhere. */
import { sql } from '../sql.ts'
import type { Pass } from './check.ts'

export const managementLinkRows: Pass = {
  rows: (siteId) => sql`
    select l.customer_id, l.created_at, c.portal_customer_created_at, c.deleted_at
    from management_links l left join customers c on c.site_id = l.site_id and c.id = l.customer_id
    where l.site_id = ${siteId}`,
  checks: [
    {
      sentence: 'portal: each newest link is for a customer to whom the portal is open, and was made since it is',
      holds: sql`r.deleted_at is null and r.portal_customer_created_at <= r.created_at`,
      words: sql`format('the link of customer %s was made at %s, the portal is open to them since %s',
        r.customer_id, r.created_at, coalesce(r.portal_customer_created_at::text, 'never'))`,
    },
  ],
}

export const portalVisitorRows: Pass = {
  rows: (siteId) => sql`
    select p.kind, p.customer_id, c.id as known_id
    from (
      select 'portal session' as kind, o.customer_id from portal_sessions o where o.site_id = ${siteId}
      union all
      select 'revocation', v.customer_id from portal_revocations v where v.site_id = ${siteId}) p
    left join customers c on c.site_id = ${siteId} and c.id = p.customer_id`,
  checks: [
    {
      sentence: 'portal: sessions and revocations are of customers of the site',
      holds: sql`r.known_id is not null`,
      words: sql`format('a %s is that of customer %s, whom the site does not have', r.kind, r.customer_id)`,
    },
  ],
}
