/** What lists of the catalog and of customers are narrowed by: ids, and a window of their creation or of their last change. */
import { latestInstant } from '../billing/calendar.ts'
import { bigints, fragment, type Sql, sql } from './sql.ts'

/** Null is no limit; both ends of the window belong to it. */
export type Narrowing = {
  ids: readonly number[] | null
  dateField: 'created_at' | 'updated_at'
  since: Temporal.Instant | null
  until: Temporal.Instant | null
}

export const everything: Narrowing = { ids: null, dateField: 'created_at', since: null, until: null }

const firstMoment = Temporal.Instant.from('1970-01-01T00:00:00Z')

/** Conditions on the table that has this alias. */
export function narrowedBy(alias: string, { ids, dateField, since, until }: Narrowing): Sql[] {
  const at = fragment(`${alias}.${dateField}`)
  return [
    ...(ids === null ? [] : [sql`${fragment(`${alias}.id`)} = any(${bigints(ids)}::bigint[])`]),
    ...(since === null && until === null
      ? []
      : [sql`${at} between ${since ?? firstMoment} and ${until ?? latestInstant}`]),
  ]
}
