/** The terms of a product's versions, as decisions read them. */
import type { Interval } from '../billing/calendar.ts'
import type { CustomNames, ProductTerms, TrialType } from '../billing/catalog.ts'
import { type Cents, cents } from '../billing/money.ts'
import type { Connection } from './database.ts'
import { fragment, type Sql, sql } from './sql.ts'

export const termsList = `p.id, v.version_number, p.name, v.price_in_cents, v.interval_count, v.interval_unit, v.initial_charge_in_cents,
  v.initial_charge_after_trial, v.trial_price_in_cents, v.trial_interval, v.trial_interval_unit, v.trial_type,
  v.expiration_interval, v.expiration_interval_unit, p.require_credit_card, p.taxable, p.handle,
  v.subscription_id, v.price_name, v.price_handle`
export const termsWidth = 20

/** Reads the terms of one version; a trial without a type obliges to payment. */
export function readTerms(row: readonly unknown[], at: number): ProductTerms {
  const interval = (count: number, unit: number) => ({ count: row[at + count], unit: row[at + unit] }) as Interval
  return {
    productId: row[at] as number,
    versionNumber: row[at + 1] as number,
    name: row[at + 2] as string,
    price: row[at + 3] as Cents,
    interval: interval(4, 5),
    initialCharge: row[at + 6] as Cents | null,
    initialChargeAfterTrial: row[at + 7] as boolean,
    trial:
      row[at + 9] === null
        ? null
        : {
            price: (row[at + 8] as Cents | null) ?? cents(0),
            interval: interval(9, 10),
            type: (row[at + 11] as TrialType | null) ?? 'payment_expected',
          },
    expiration: row[at + 12] === null ? null : interval(12, 13),
    requireCreditCard: row[at + 14] as boolean,
    taxable: row[at + 15] as boolean,
    handle: row[at + 16] as string | null,
    custom: row[at + 17] === null ? null : ({ name: row[at + 18], handle: row[at + 19] } as CustomNames),
  }
}

/** The terms on sale now of one product that is not archived, by id or handle; undefined when the site sells no such product. */
export async function findProductTerms(
  connection: Connection,
  siteId: number,
  by: { id: number } | { handle: string },
): Promise<ProductTerms | undefined> {
  const condition: Sql = 'id' in by ? sql`p.id = ${by.id}` : sql`p.handle = ${by.handle}`
  const [row] = await connection.arrays(sql`
    select ${fragment(termsList)} from products p
    join product_versions v on v.site_id = p.site_id and v.product_id = p.id and v.version_number = p.version_number
    where p.site_id = ${siteId} and ${condition} and p.archived_at is null`)
  return row && readTerms(row, 0)
}
