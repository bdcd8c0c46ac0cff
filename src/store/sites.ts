/** Sites, their keys and their clocks. */
import type { Site } from '../billing/site.ts'
import type { SiteClock } from '../billing/site-clock.ts'
import type { Connection } from './database.ts'
import { type Sql, sql } from './sql.ts'
import { mayBeDue } from './subscriptions.ts'

export type SiteRow = Site & { clock: SiteClock }

const siteList = sql`s.id, s.subdomain, s.name, s.live, s.currency, s.time_zone, s.sealed_shared_key, s.dunning_attempts,
  s.dunning_interval_in_hours, s.dunning_final_action, s.component_upgrade_scheme, s.component_downgrade_scheme,
  s.created_at, s.clock_set_to, s.clock_set_at, s.clock_advancing_to, s.clock_moved_by, s.country,
  s.upcoming_renewal_notice_days, s.trial_end_notice_days, s.expiring_card_notices, s.relationship_invoicing_enabled,
  not exists (select from letter_settings l where l.site_id = s.id and 'payment_failed' = any(l.switched_off))`

const readSite = (row: readonly unknown[]): SiteRow =>
  ({
    id: row[0],
    subdomain: row[1],
    name: row[2],
    live: row[3],
    currency: row[4],
    timeZone: row[5],
    sealedSharedKey: row[6],
    dunning: { attempts: row[7], intervalHours: row[8], finalAction: row[9] },
    componentUpgradeScheme: row[10],
    componentDowngradeScheme: row[11],
    createdAt: row[12],
    country: row[17],
    notices: { renewalDays: row[18], trialDays: row[19], expiringCards: row[20] },
    relationshipInvoicingEnabled: row[21],
    sendsFailedPaymentLetters: row[22],
    clock: { setTo: row[13], setAt: row[14], advancingTo: row[15], movedBy: row[16] },
  }) as SiteRow

const oneSite = async (connection: Connection, condition: Sql): Promise<SiteRow | undefined> => {
  const [row] = await connection.arrays(sql`select ${siteList} from sites s where ${condition}`)
  return row && readSite(row)
}

export const findSite = (connection: Connection, id: number) => oneSite(connection, sql`s.id = ${id}`)

export const findSiteBySubdomain = (connection: Connection, subdomain: string) =>
  oneSite(connection, sql`s.subdomain = ${subdomain}`)

/** The site that a key opens, and what is known of the key; undefined for one that is unknown or revoked. */
export async function findSiteByKeyHash(
  connection: Connection,
  keyHash: string,
): Promise<{ site: SiteRow; keyId: number; lastUsedAt: Temporal.Instant | null } | undefined> {
  const [row] = await connection.arrays(sql`
    select ${siteList}, k.id, k.last_used_at from api_keys k join sites s on s.id = k.site_id
    where k.key_hash = ${keyHash} and k.revoked_at is null`)
  if (row === undefined) return undefined
  const [keyId, lastUsedAt] = row.slice(-2)
  return { site: readSite(row), keyId: keyId as number, lastUsedAt: lastUsedAt as Temporal.Instant | null }
}

/** Of every key that opens a site. */
export const listKeyHashes = async (connection: Connection): Promise<string[]> =>
  (await connection.arrays(sql`select k.key_hash from api_keys k where k.revoked_at is null`)).map(
    ([keyHash]) => keyHash as string,
  )

/** Locks the row: who moves a site's clock does so alone. */
export const lockSite = (connection: Connection, id: number) => oneSite(connection, sql`s.id = ${id} for update`)

export const listSites = async (connection: Connection): Promise<SiteRow[]> =>
  (await connection.arrays(sql`select ${siteList} from sites s order by s.id`)).map(readSite)

/** Tells whether a process has the key that the installation's secrets are sealed with. */
export const findAnySealedKey = async (connection: Connection): Promise<string | undefined> =>
  (await connection.arrays(sql`select s.sealed_shared_key from sites s order by s.id limit 1`))[0]?.[0] as
    | string
    | undefined

export const countSites = async (connection: Connection): Promise<number> =>
  (await connection.arrays(sql`select count(*) from sites`))[0]![0] as number

export async function insertSite(
  connection: Connection,
  site: Pick<Site, 'subdomain' | 'name' | 'live' | 'currency' | 'timeZone' | 'sealedSharedKey' | 'createdAt'>,
): Promise<number> {
  const [row] = await connection.arrays(sql`
    insert into sites (subdomain, name, live, currency, time_zone, sealed_shared_key, created_at)
    values (${site.subdomain}, ${site.name}, ${site.live}, ${site.currency}, ${site.timeZone}, ${site.sealedSharedKey}, ${site.createdAt})
    returning id`)
  return row![0] as number
}

export type SiteSettings = Pick<
  Site,
  | 'name'
  | 'timeZone'
  | 'country'
  | 'currency'
  | 'dunning'
  | 'notices'
  | 'componentUpgradeScheme'
  | 'componentDowngradeScheme'
  | 'relationshipInvoicingEnabled'
>

export const updateSiteSettings = (connection: Connection, siteId: number, settings: SiteSettings) =>
  connection.run(sql`
    update sites set name = ${settings.name}, time_zone = ${settings.timeZone}, country = ${settings.country},
      currency = ${settings.currency},
      dunning_attempts = ${settings.dunning.attempts}, dunning_interval_in_hours = ${settings.dunning.intervalHours},
      dunning_final_action = ${settings.dunning.finalAction}, component_upgrade_scheme = ${settings.componentUpgradeScheme},
      component_downgrade_scheme = ${settings.componentDowngradeScheme},
      upcoming_renewal_notice_days = ${settings.notices.renewalDays}, trial_end_notice_days = ${settings.notices.trialDays},
      expiring_card_notices = ${settings.notices.expiringCards},
      relationship_invoicing_enabled = ${settings.relationshipInvoicingEnabled}
    where id = ${siteId}`)

/** The currency, which nobody changes until the transaction ends. */
export const lockCurrency = async (connection: Connection, siteId: number): Promise<string> =>
  (await connection.arrays(sql`select s.currency from sites s where s.id = ${siteId} for key share`))[0]![0] as string

/** Whether a price that is in use, or the fixed amount of a coupon, has cents. */
export const hasPricesWithCents = async (connection: Connection, siteId: number): Promise<boolean> =>
  (
    await connection.arrays(sql`
      select exists (
        select from product_versions v join products p on p.site_id = v.site_id and p.id = v.product_id
        where v.site_id = ${siteId} and (v.price_in_cents % 100 <> 0 or v.initial_charge_in_cents % 100 <> 0
            or v.trial_price_in_cents % 100 <> 0)
          and (v.version_number = p.version_number or exists (
            select from subscriptions s where s.site_id = v.site_id and s.product_id = v.product_id
              and s.product_version_number = v.version_number)))
        or exists (select from coupons c where c.site_id = ${siteId} and c.amount_in_cents % 100 <> 0)`)
  )[0]![0] as boolean

/** Whether any amount was ever written to a ledger of the site. */
export const hasMovedMoney = async (connection: Connection, siteId: number): Promise<boolean> =>
  (
    await connection.arrays(sql`
      select exists (select from transactions t where t.site_id = ${siteId} and t.amount_in_cents <> 0)`)
  )[0]![0] as boolean

const clockFields = ({ setTo, setAt, advancingTo, movedBy }: SiteClock): Sql =>
  sql`clock_set_to = ${setTo}, clock_set_at = ${setAt}, clock_advancing_to = ${advancingTo}, clock_moved_by = ${movedBy}`

export const updateSiteClock = (connection: Connection, siteId: number, clock: SiteClock) =>
  connection.run(sql`
    update sites set ${clockFields(clock)}
    where id = ${siteId}`)

/** Shows how far a move has come, or that it has arrived; false when the move is no longer this process's. */
export const showSiteClock = async (
  connection: Connection,
  siteId: number,
  movedBy: number,
  clock: SiteClock,
): Promise<boolean> =>
  (await connection.run(sql`
    update sites set ${clockFields(clock)}
    where id = ${siteId} and clock_moved_by = ${movedBy} and clock_advancing_to is not null`)) === 1

/** Hands a move from one process to another; false when somebody else was quicker, or the clock has arrived. */
export const takeOverSiteClock = async (
  connection: Connection,
  siteId: number,
  from: number | null,
  to: number | null,
): Promise<boolean> =>
  (await connection.run(sql`
    update sites set clock_moved_by = ${to}
    where id = ${siteId} and clock_moved_by is not distinct from ${from}::bigint and clock_advancing_to is not null`)) ===
  1

/** Sites whose clock is on its way. */
export const listAdvancingSites = async (connection: Connection): Promise<SiteRow[]> =>
  (
    await connection.arrays(sql`select ${siteList} from sites s where s.clock_advancing_to is not null order by s.id`)
  ).map(readSite)

/** Sites with a subscription that is due by their own clocks, judged at `wall`; sites whose clock is on its way are left out. */
export const listSitesWithDueWork = async (connection: Connection, wall: Temporal.Instant): Promise<SiteRow[]> =>
  (
    await connection.arrays(sql`
    select ${siteList} from sites s
    where s.clock_advancing_to is null and exists (
      select from subscriptions u
      where u.site_id = s.id and ${mayBeDue('u')} and u.collecting_attempt_id is null
        and u.next_assessment_at <= coalesce(s.clock_set_to + (${wall}::timestamptz - s.clock_set_at), ${wall}::timestamptz))
    order by s.id`)
  ).map(readSite)
