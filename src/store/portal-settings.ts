/** What sites have set for their portals; a site without a row has the defaults. */
import { defaultPortalSettings, type PortalSettings } from '../billing/portal-settings.ts'
import type { Connection, Transaction } from './database.ts'
import { sql } from './sql.ts'
import { Table } from './table.ts'

type Row = PortalSettings & { siteId: number; updatedAt: Temporal.Instant }

const portalSettings = new Table<Row>('portal_settings', {
  mayChangeCard: 'boolean',
  mayChangeProduct: 'boolean',
  productChange: 'text',
  mayCancelAtOnce: 'boolean',
  mayCancelAtPeriodEnd: 'boolean',
  mayReactivate: 'boolean',
  mayPay: 'boolean',
  mayEditAddress: 'boolean',
  accentColor: 'text',
  logoText: 'text',
  supportEmail: 'text',
  terms: 'text',
  baseUrl: 'text',
  updatedAt: 'instant',
})

export async function findPortalSettings(connection: Connection, siteId: number): Promise<PortalSettings> {
  const [row] = await connection.arrays(sql`
    select ${portalSettings.list('p')} from portal_settings p where p.site_id = ${siteId}`)
  if (row === undefined) return defaultPortalSettings
  const { siteId: _, updatedAt: __, ...settings } = portalSettings.read(row)
  return settings
}

/** The caller has locked the site. */
export async function savePortalSettings(
  tx: Transaction,
  siteId: number,
  settings: PortalSettings,
  now: Temporal.Instant,
): Promise<void> {
  await tx.run(sql`delete from portal_settings where site_id = ${siteId}`)
  await portalSettings.insert(tx, siteId, [{ ...settings, siteId, updatedAt: now }])
}
