/** Whether two ways of renewing wrote the same rows: otherwise their speeds could not be compared. */
import type { Place } from '../place.ts'
import type { DueSite } from './data.ts'

/** Each table, and the column that says whose row it is. */
const tables = {
  subscriptions: 'id',
  periods: 'subscription_id',
  statements: 'subscription_id',
  transactions: 'subscription_id',
  payment_attempts: 'subscription_id',
  events: 'subscription_id',
  'bogus_gateway.calls': 'subscription_id',
}

/** What the database's clock says, which is another time for each way. */
const told: Record<string, readonly string[]> = {
  payment_attempts: ['asked_at', 'next_check_at', 'last_call_at', 'settled_at'],
}

export type Rows = Record<string, { count: number; digest: string }>

/**
 * Counts the rows of a site and digests all that they say, whoever's they are counted from the site's first subscription on.
 * Ids, which differ from site to site, count as equal: they and nothing else have six digits or more in a row.
 */
export async function readRows({ pool }: Place, site: DueSite): Promise<Rows> {
  const rows: Rows = {}
  for (const [table, whose] of Object.entries(tables)) {
    const { rows: found } = await pool.query<{ count: number; digest: string }>(
      `select count(*)::int as count, coalesce(sum(hashtextextended(
          t.${whose} - $2 || regexp_replace((to_jsonb(t) - $3::text[])::text, '[0-9]{6,}', '#', 'g'), 0)), 0)::text as digest
        from ${table} t where t.site_id = $1`,
      [site.id, site.firstId, told[table] ?? []],
    )
    rows[table] = found[0]!
  }
  return rows
}

/** Throws with the names of the tables in which two sites differ. */
export function expectSame(these: Rows, those: Rows, what: string): void {
  const different = Object.keys(tables).filter(
    (table) => these[table]?.count !== those[table]?.count || these[table]?.digest !== those[table]?.digest,
  )
  if (different.length > 0) throw new Error(`${what} did not write the same rows: ${different.join(', ')} differ`)
}
