/** The audit of webhooks: receivers can trust the numbers, and every attempt that is counted is on record. */
import { sql } from '../sql.ts'
import type { Pass } from './check.ts'

export const webhookRows: Pass = {
  rows: (siteId) => sql`
    select w.id, w.sequence, w.endpoint_sequence, w.attempts, w.successful, w.endpoint_id,
      w.sequence - lag(w.sequence) over (order by w.sequence) as step,
      w.endpoint_sequence - lag(w.endpoint_sequence) over (partition by w.endpoint_id order by w.endpoint_sequence) as endpoint_step,
      n.numbered, d.numbered as endpoint_numbered, w.event, w.event_id, w.subscription_id, e.key as event_key, e.subscription_id as told_of,
      coalesce(a.count, 0) as recorded, coalesce(a.last_accepted, false) as last_accepted
    from webhooks w
    left join webhook_settings n on n.site_id = ${siteId}
    left join webhook_endpoints d on d.site_id = ${siteId} and d.id = w.endpoint_id
    left join events e on e.site_id = ${siteId} and e.id = w.event_id
    left join (
      select t.webhook_id, count(*) as count, (array_agg(t.accepted order by t.number desc))[1] as last_accepted
      from webhook_attempts t where t.site_id = ${siteId} group by t.webhook_id) a on a.webhook_id = w.id
    where w.site_id = ${siteId}`,
  checks: [
    {
      sentence: 'webhooks: no number of a site or of an endpoint is given twice',
      about: sql`r.sequence is not null`,
      holds: sql`coalesce(r.step, 1) > 0 and coalesce(r.endpoint_step, 1) > 0`,
      words: sql`format('webhook %s is number %s of the site and %s of endpoint %s, as another one is',
        r.id, r.sequence, r.endpoint_sequence, r.endpoint_id)`,
    },
    {
      sentence: 'webhooks: each has numbers that its site and its endpoint have given',
      about: sql`r.sequence is not null`,
      holds: sql`r.sequence between 1 and r.numbered and r.endpoint_sequence between 1 and r.endpoint_numbered`,
      words: sql`format('webhook %s is number %s of the site, which gave %s, and %s of endpoint %s, which gave %s', r.id, r.sequence,
        coalesce(r.numbered, 0), r.endpoint_sequence, r.endpoint_id, coalesce(r.endpoint_numbered, 0))`,
    },
    {
      sentence: 'webhooks: each tells of an event of its own site and subscription, or is a test',
      holds: sql`case when r.event_id is null then r.event = 'test' and r.subscription_id is null
        else r.event = r.event_key and r.subscription_id is not distinct from r.told_of end`,
      words: sql`format('webhook %s tells %s of subscription %s, event %s is %s of subscription %s', r.id, r.event,
        coalesce(r.subscription_id::text, 'none'), coalesce(r.event_id::text, 'none'), coalesce(r.event_key, 'unknown'),
        coalesce(r.told_of::text, 'none'))`,
    },
    {
      sentence: 'webhooks: each attempt is on record, and the last one ended as the webhook says',
      holds: sql`r.attempts = r.recorded and r.successful = r.last_accepted`,
      words: sql`format('webhook %s counts %s attempts and is %s, %s are on record', r.id, r.attempts,
        case when r.successful then 'successful' else 'not successful' end, r.recorded)`,
    },
  ],
}

/** What is old is deleted and counted; with that count nothing is missing, though the numbers that are left have gaps. */
export const webhookNumbers: Pass = {
  rows: (siteId) => sql`
    select 'the site' as whose, n.numbered, n.forgotten, (
        select count(*) from webhooks w where w.site_id = ${siteId} and w.sequence is not null) as kept
    from webhook_settings n where n.site_id = ${siteId}
    union all
    select 'endpoint ' || d.id, d.numbered, d.forgotten, coalesce(k.kept, 0) from webhook_endpoints d
    left join (
      select w.endpoint_id, count(*) as kept from webhooks w
      where w.site_id = ${siteId} and w.sequence is not null group by w.endpoint_id) k on k.endpoint_id = d.id
    where d.site_id = ${siteId}`,
  checks: [
    {
      sentence: 'webhooks: each number that a site or an endpoint gave is on record or was forgotten',
      holds: sql`r.numbered = r.kept + r.forgotten and r.forgotten >= 0`,
      words: sql`format('%s gave %s numbers, %s are on record and %s were forgotten', r.whose, r.numbered, r.kept, r.forgotten)`,
    },
  ],
}
