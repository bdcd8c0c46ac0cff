/** Empties a test site: the only statements that delete what is otherwise kept for good. */
import type { CleanupScope } from '../billing/site.ts'
import type { Transaction } from './database.ts'
import { forgetAllNumbers, lockNumbers } from './forgotten-webhooks.ts'
import { fragment, sql } from './sql.ts'

/** Rows before the rows that they refer to. */
const customersAndTheirs = [
  'letters',
  'webhook_attempts',
  'webhooks',
  'events',
  'card_notice_runs',
  'gateway_health',
  'portal_sessions',
  'portal_revocations',
  'management_links',
  'rate_counts',
  'metadata',
  'notes',
  'usages',
  'allocations',
  'subscription_components',
  'subscription_coupons',
  'invoice_entries',
  'invoice_lines',
  'invoices',
  'invoice_counters',
  'taxations',
  'external_payments',
  'coupon_redemptions',
  'transactions',
  'statements',
  'periods',
  'gathering_subscriptions',
  'subscriptions',
  'payment_profiles',
  'customers',
] as const
const catalog = [
  'link_keys',
  'metafields',
  'reason_codes',
  'price_brackets',
  'components',
  'taxes',
  'coupon_codes',
  'coupons',
  'product_versions',
  'products',
  'product_families',
] as const

/** Waits for what is being settled. Comes before the site is locked: who settles a sign-up holds its attempt and asks for the site. */
export async function clearAttempts(tx: Transaction, siteId: number): Promise<void> {
  await tx.run(sql`delete from late_approvals where site_id = ${siteId}`)
  await tx.run(sql`delete from payment_attempts where site_id = ${siteId}`)
}

/** Settings and API keys stay. The caller has locked the site, so nothing new appears meanwhile. */
export async function clearSite(tx: Transaction, siteId: number, scope: CleanupScope): Promise<void> {
  const tables = scope === 'all' ? [...customersAndTheirs, ...catalog] : customersAndTheirs
  await lockNumbers(tx, siteId)
  for (const table of tables) await tx.run(sql`delete from ${fragment(table)} where site_id = ${siteId}`)
  // The prices that subscriptions had for themselves go with them, also where the catalog stays.
  await tx.run(sql`delete from product_versions where site_id = ${siteId} and subscription_id is not null`)
  await forgetAllNumbers(tx, siteId)
  // Kept answers tell of what is gone; a request that is being answered now keeps its key.
  await tx.run(sql`delete from idempotency_keys where site_id = ${siteId} and answer is not null`)
}
