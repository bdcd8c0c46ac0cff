/** The way of a webhook from the act that wrote it to the merchant: numbered, due, sent, recorded. */
import type { Webhook } from '../billing/webhook.ts'
import type { Connection, Database } from './database.ts'
import { bigints, instantArray, plainArray, type Sql, sql, textArray } from './sql.ts'

/** A site that has unnumbered webhooks. The index over them holds nothing else, and is empty most of the time. */
export const listSitesToNumber = async (connection: Connection): Promise<number[]> =>
  (
    await connection.arrays(sql`
      select s.id from sites s
      where exists (select from webhooks w where w.site_id = s.id and w.sequence is null) order by s.id`)
  ).map(([id]) => id as number)

/**
 * Numbers webhooks whose acts have committed, and makes them due: the sequences of the site and of each endpoint have no gaps, whatever
 * was rolled back. Gives the endpoints that have something new.
 */
export const numberWebhooks = (
  db: Database,
  siteId: number,
  { now, limit }: { now: Temporal.Instant; limit: number },
): Promise<{ endpointId: number; count: number }[]> =>
  db.transaction(async (tx) => {
    // One at a time: the second one must not look before the first one has committed.
    const locked = tx.run(sql`
      insert into webhook_settings (site_id) values (${siteId})
      on conflict (site_id) do update set numbered = webhook_settings.numbered`)
    const numbered = tx.arrays(sql`
      with fresh as materialized (
        select u.id, u.endpoint_id, row_number() over (order by u.id) as place,
          row_number() over (partition by u.endpoint_id order by u.id) as endpoint_place
        from (
          select w.id, w.endpoint_id from webhooks w
          where w.site_id = ${siteId} and w.sequence is null order by w.id limit ${limit}) u),
      of_site as (
        update webhook_settings s set numbered = s.numbered + (select count(*) from fresh)
        where s.site_id = ${siteId} returning s.numbered - (select count(*) from fresh) as before),
      of_endpoint as (
        update webhook_endpoints e set numbered = e.numbered + c.count
        from (select f.endpoint_id, count(*) from fresh f group by f.endpoint_id) c
        where e.site_id = ${siteId} and e.id = c.endpoint_id returning e.id, e.numbered - c.count as before, c.count, e.status),
      given as (
        update webhooks w set sequence = s.before + f.place, endpoint_sequence = e.before + f.endpoint_place,
          next_attempt_at = case when e.status = 'deleted' then null else ${now}::timestamptz end
        from fresh f join of_endpoint e on e.id = f.endpoint_id cross join of_site s
        where w.site_id = ${siteId} and w.id = f.id)
      select e.id, e.count from of_endpoint e`)
    const [, rows] = await Promise.all([locked, numbered])
    return rows.map(([endpointId, count]) => ({ endpointId: endpointId as number, count: count as number }))
  })

/** What sending needs to know. */
export type DueWebhook = Pick<
  Webhook,
  'id' | 'endpointId' | 'body' | 'sequence' | 'endpointSequence' | 'tries' | 'triedSince' | 'replays'
>

/** An earlier webhook of the same subscription that is still to be accepted goes first. */
const isFirstOfItsSubscription = sql`
  and (w.subscription_id is null or not exists (
    select from webhooks p
    where p.site_id = w.site_id and p.subscription_id = w.subscription_id and p.endpoint_id = w.endpoint_id
      and p.id < w.id and p.next_attempt_at is not null))`

/** The longest due first; `busy` are those that are being sent or recorded. */
export const listDueWebhooks = async (
  connection: Connection,
  { siteId, id: endpointId, ordered }: { siteId: number; id: number; ordered: boolean },
  { now, busy, limit }: { now: Temporal.Instant; busy: Iterable<number>; limit: number },
): Promise<DueWebhook[]> => {
  const rows = await connection.arrays(sql`
    select w.id, w.endpoint_id, w.body, w.sequence, w.endpoint_sequence, w.tries, w.tried_since, w.replays
    from webhooks w
    where w.site_id = ${siteId} and w.endpoint_id = ${endpointId} and w.next_attempt_at <= ${now}
      and w.id <> all(${bigints([...busy])}::bigint[]) ${ordered ? isFirstOfItsSubscription : sql``}
    order by w.next_attempt_at, w.id limit ${limit}`)
  return rows.map((row) => ({
    id: row[0] as number,
    endpointId: row[1] as number,
    body: row[2] as string,
    sequence: row[3] as number,
    endpointSequence: row[4] as number,
    tries: row[5] as number,
    triedSince: row[6] as Temporal.Instant | null,
    replays: row[7] as number,
  }))
}

/** What became of one attempt. */
export type Attempted = {
  id: number
  /** How often it had been replayed when it was sent: what was asked for since then still stands. */
  replays: number
  sentAt: Temporal.Instant
  /** When the answer came, or was given up. */
  answeredAt: Temporal.Instant
  url: string
  accepted: boolean
  statusCode: number | null
  error: string | null
  durationMs: number
  /** Attempts since the last replay, and the first of them by the wall clock. */
  tries: number
  triedSince: Temporal.Instant
  nextAttemptAt: Temporal.Instant | null
}

/**
 * All in one statement, by the site's clock. A webhook that is gone meanwhile is left out. No moment is before the one at which it was
 * written, though the clock may have been put forward while the answer was awaited.
 */
export const recordAttempts = (
  connection: Connection,
  siteId: number,
  attempted: readonly Attempted[],
): Promise<number> => {
  const each = <Value>(read: (one: Attempted) => Value): Value[] => attempted.map(read)
  return connection.run(sql`
    with given as (
      select u.*, to_timestamp(u.answered) as answered_at from unnest(
        ${bigints(each(({ id }) => id))}::bigint[], ${bigints(each(({ replays }) => replays))}::int[],
        ${list(instantArray(each(({ sentAt }) => sentAt)))}::bigint[],
        ${list(instantArray(each(({ answeredAt }) => answeredAt)))}::bigint[], ${list(textArray(each(({ url }) => url)))}::text[],
        ${list(plainArray(each(({ accepted }) => accepted)))}::boolean[], ${bigints(each(({ statusCode }) => statusCode))}::int[],
        ${list(textArray(each(({ error }) => error)))}::text[], ${bigints(each(({ durationMs }) => durationMs))}::int[],
        ${bigints(each(({ tries }) => tries))}::int[], ${list(instantArray(each(({ triedSince }) => triedSince)))}::bigint[],
        ${list(instantArray(each(({ nextAttemptAt }) => nextAttemptAt)))}::bigint[]
      ) as u (id, replays, sent, answered, url, accepted, status_code, error, duration, tries, since, next)),
    changed as (
      update webhooks w set attempts = w.attempts + 1, ${changedFields}
      from given g where w.site_id = ${siteId} and w.id = g.id
      returning w.id, w.attempts, w.last_sent_at)
    insert into webhook_attempts (site_id, webhook_id, number, sent_at, accepted, status_code, error, duration_in_ms)
    select ${siteId}::bigint, c.id, c.attempts, c.last_sent_at, g.accepted, g.status_code, g.error, g.duration
    from changed c join given g on g.id = c.id`)
}

const list = (literal: string): { literal: string } => ({ literal })

/**
 * An attempt that was under way when its webhook was replayed stays on record as one, and the replay is sent all the same. One that was
 * under way when its endpoint was deleted is the last.
 */
const changedFields: Sql = sql`
  last_sent_at = greatest(to_timestamp(g.sent), w.created_at), last_sent_url = g.url, successful = g.accepted,
  last_error = case when g.accepted then null else g.error end,
  last_error_at = case when g.accepted then null else greatest(g.answered_at, w.created_at) end,
  accepted_at = case when w.replays <> g.replays then null when g.accepted then greatest(g.answered_at, w.created_at) end,
  tries = case when w.replays = g.replays then g.tries else w.tries end,
  tried_since = case when w.replays = g.replays then to_timestamp(g.since) else w.tried_since end,
  next_attempt_at = case
    when w.replays = g.replays and w.next_attempt_at is not null then to_timestamp(g.next) else w.next_attempt_at end`

/** The endpoint is back: what waits for its next retry is sent now. */
export const catchUp = (
  connection: Connection,
  siteId: number,
  endpointId: number,
  now: Temporal.Instant,
): Promise<number> =>
  connection.run(sql`
    update webhooks set next_attempt_at = ${now}
    where site_id = ${siteId} and endpoint_id = ${endpointId} and next_attempt_at > ${now}`)

/** Queues webhooks to be sent again, from the first step of the schedule; gives those of the ids that are queued. */
export const replayWebhooks = (
  connection: Connection,
  siteId: number,
  ids: readonly number[],
  now: Temporal.Instant,
): Promise<number> =>
  connection.run(sql`
    update webhooks set accepted_at = null, tries = 0, tried_since = null, replays = replays + 1,
      next_attempt_at = case when sequence is null then null else ${now}::timestamptz end
    where site_id = ${siteId} and id = any(${bigints(ids)}::bigint[]) and endpoint_id in (
      select e.id from webhook_endpoints e where e.site_id = ${siteId} and e.status <> 'deleted')`)

/** Nothing more is sent to an endpoint that is gone. */
export const forgetDue = (connection: Connection, siteId: number, endpointId: number): Promise<number> =>
  connection.run(sql`
    update webhooks set next_attempt_at = null
    where site_id = ${siteId} and endpoint_id = ${endpointId} and next_attempt_at is not null`)
