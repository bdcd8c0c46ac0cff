/** The host names that belong to one site, beside its subdomain. */
import type { Connection } from './database.ts'
import { sql, texts } from './sql.ts'

export const listSiteHosts = async (connection: Connection, siteId: number): Promise<string[]> =>
  (await connection.arrays(sql`select h.host from site_hosts h where h.site_id = ${siteId} order by h.host`)).map(
    ([host]) => host as string,
  )

/** Replaces all of them. */
export async function replaceSiteHosts(tx: Connection, siteId: number, hosts: readonly string[]): Promise<void> {
  await tx.run(sql`delete from site_hosts where site_id = ${siteId}`)
  await tx.run(sql`
    insert into site_hosts (site_id, host) select ${siteId}::bigint, u.host from unnest(${texts(hosts)}::text[]) u (host)`)
}

/** The id of the site that a host names: as one of its own names, else by its subdomain; undefined where it names none. */
export async function findSiteIdByHost(
  connection: Connection,
  host: string,
  subdomain: string | undefined,
): Promise<number | undefined> {
  const [row] = await connection.arrays(sql`
    select coalesce(
      (select h.site_id from site_hosts h where h.host = ${host}),
      (select s.id from sites s where s.subdomain = ${subdomain ?? null}))`)
  return (row?.[0] as number | null) ?? undefined
}
