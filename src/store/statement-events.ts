/** Which events are on which statement: the same on the page of a statement and in the webhook that tells of its closing. */
import type { Connection } from './database.ts'
import type { EventRecord } from './events.ts'
import { bigints, sql } from './sql.ts'
import { events } from './tables.ts'

const isTelling = sql`x.key in ('statement_closed', 'statement_settled')`
/** The second word of the sentence names the statement. */
const named = sql`case when ${isTelling} then split_part(x.message, ' ', 2) end`
/** What tells of no statement is known by its moment. */
const at = sql`case when ${isTelling} then null else x.created_at end`
const isClosing = sql`${isTelling} or (x.key = 'subscription_state_change'
  and x.event_specific_data ->> 'new_subscription_state' = 'trial_ended')`

/** Changes no rows; it keeps PostgreSQL from looking for a key among the events of the whole site. */
const ofOne = sql`offset 0`

/**
 * By the ids of the statements, each in order. What tells of a closing parts the events of a statement from those of the next one and is on
 * neither, so that nothing is on two, however much happens in one second. A free trial that ends for good closes its statement without a
 * word: the change of state is the last of it, and what happens until a reactivation opens the next one is on none. In the transaction
 * of the act that closes a statement it finds what it finds later, once the events of the act are written.
 */
export async function listEventsOfStatements(
  connection: Connection,
  siteId: number,
  ids: readonly number[],
): Promise<Map<number, EventRecord[]>> {
  if (ids.length === 0) return new Map()
  const rows = await connection.arrays(sql`
    with asked as materialized (
      select s.id, s.subscription_id, s.opened_at, s.closed_at, b.id as before_id, b.closed_at as closed_before
      from unnest(${bigints(ids)}::bigint[]) as u (id)
      join statements s on s.site_id = ${siteId} and s.id = u.id
      left join lateral (
        select t.id, t.closed_at from statements t
        where t.site_id = ${siteId} and t.subscription_id = s.subscription_id and t.id < s.id
        order by t.id desc limit 1) b on true),
    closings as materialized (
      select d.subscription_id, m.named, m.at, min(m.id) as id
      from (select distinct a.subscription_id from asked a) d
      cross join lateral (
        select x.id, ${named} as named, ${at} as at, ${isClosing} as is_closing from events x
        where x.site_id = ${siteId} and x.subscription_id = d.subscription_id ${ofOne}) m
      where m.is_closing
      group by d.subscription_id, m.named, m.at)
    select ${events.list('e')}, e.id, a.id from asked a
    left join closings told on told.subscription_id = a.subscription_id and told.named = a.id::text
    left join closings untold on untold.subscription_id = a.subscription_id and untold.at = a.closed_at
    left join closings told_before on told_before.subscription_id = a.subscription_id and told_before.named = a.before_id::text
    left join closings untold_before on untold_before.subscription_id = a.subscription_id and untold_before.at = a.closed_before
    join events e on e.site_id = ${siteId} and e.subscription_id = a.subscription_id
      and e.id > coalesce(told_before.id, untold_before.id, 0)
      and e.id < coalesce(told.id, untold.id + 1, 9223372036854775807)
      and (a.before_id is null or told_before.id is not null or e.created_at >= a.opened_at)
    order by e.id`)
  const told = rows.map((row) => ({ ...events.read(row), id: row[events.width] as number }))
  const grouped = Map.groupBy(told.entries(), ([place]) => rows[place]![events.width + 1] as number)
  return new Map([...grouped].map(([id, entries]) => [id, entries.map(([, event]) => event)]))
}
