/** Subscriptions loaded with everything that a decision looks at, in a fixed number of statements for any number of them. */
import { isInvoiced } from '../billing/invoicing.ts'
import { minorUnitOf } from '../billing/money.ts'
import type { Site } from '../billing/site.ts'
import type { UnsettledStatement } from '../billing/statement.ts'
import type { CardOnFile, PricingFacts, Subscription, SubscriptionFacts } from '../billing/subscription.ts'
import { type TaxAddress, type TaxedCustomer, taxesFor } from '../billing/tax.ts'
import type { Connection } from './database.ts'
import { listInvoicingFacts } from './invoices.ts'
import { paidSince } from './paid-since.ts'
import { readTerms, termsList, termsWidth } from './product-terms.ts'
import { bigints, fragment, sql } from './sql.ts'
import { listSubscribedComponents } from './subscription-components.ts'
import { listAppliedCoupons } from './subscription-coupons.ts'
import { subscriptions } from './tables.ts'
import { listTaxes } from './taxes.ts'

/** Everything that decisions about these subscriptions look at, in one statement; missing ids are left out. */
export async function listFacts(
  connection: Connection,
  site: Site,
  ids: readonly number[],
): Promise<Map<number, SubscriptionFacts>> {
  const [priced, rows] = await Promise.all([
    listPricingFacts(connection, site.id, ids),
    listTerms(connection, site.id, ids),
  ])
  const facts = rows.map((row) => readFacts(site, row, priced))
  const invoiced = facts
    .filter(({ subscription }) => isInvoiced(subscription))
    .map(({ subscription }) => subscription.id)
  const invoicing = await listInvoicingFacts(connection, site.id, invoiced)
  return new Map(
    facts.map((known) => {
      const { id } = known.subscription
      const invoices = invoicing.get(id)
      return [id, invoices === undefined ? known : { ...known, invoicing: invoices }]
    }),
  )
}

/** The subscriptions with the terms they were sold at, and of customer and card what decisions look at. */
const listTerms = (connection: Connection, siteId: number, ids: readonly number[]): Promise<unknown[][]> =>
  connection.arrays(sql`
    select ${subscriptions.list('s')}, ${fragment(termsList)}, c.first_name, c.last_name,
      f.id, f.current_vault, f.vault_token, f.masked_card_number, f.expiration_month, f.expiration_year, f.card_type,
      f.payment_type, f.masked_bank_account_number,
      (select json_agg(json_build_object('id', t.id, 'owed', t.ending_balance_in_cents - ${paidSince(sql`t`)}) order by t.id)
        from statements t
        where t.site_id = s.site_id and t.subscription_id = s.id and t.closed_at is not null and t.settled_at is null),
      c.country, c.state, f.billing_country, f.billing_state, c.tax_exempt, c.vat_number
    from subscriptions s
    join products p on p.site_id = s.site_id and p.id = s.product_id
    join product_versions v on v.site_id = s.site_id and v.product_id = s.product_id and v.version_number = s.product_version_number
    join customers c on c.site_id = s.site_id and c.id = s.customer_id
    left join payment_profiles f
      on f.site_id = s.site_id and f.customer_id = s.customer_id and f.id = s.payment_profile_id and f.deleted_at is null
    where s.site_id = ${siteId} and s.id = any(${bigints(ids)}::bigint[]) and s.deleted_at is null`)

type PricedSubscriptions = Awaited<ReturnType<typeof listPricingFacts>>

/** What makes these subscriptions cost more or less than their products; most sites have nothing of it. */
async function listPricingFacts(connection: Connection, siteId: number, ids: readonly number[]) {
  const [components, siteTaxes, coupons, nextProducts] = await Promise.all([
    listSubscribedComponents(connection, siteId, ids),
    listTaxes(connection, siteId),
    listAppliedCoupons(connection, siteId, ids),
    listNextProducts(connection, siteId, ids),
  ])
  return { components, siteTaxes, coupons, nextProducts }
}

/** The terms of the products that subscriptions switch to next. */
async function listNextProducts(connection: Connection, siteId: number, ids: readonly number[]) {
  const rows = await connection.arrays(sql`
    select s.id, ${fragment(termsList)} from subscriptions s
    join products p on p.site_id = s.site_id and p.id = s.next_product_id
    join product_versions v on v.site_id = p.site_id and v.product_id = p.id and v.version_number = p.version_number
    where s.site_id = ${siteId} and s.id = any(${bigints(ids)}::bigint[]) and s.next_product_id is not null`)
  return new Map(rows.map((row) => [row[0] as number, readTerms(row, 1)]))
}

function readPricing(
  site: Site,
  { id }: Subscription,
  priced: PricedSubscriptions,
  customer: TaxedCustomer,
): PricingFacts {
  return {
    components: priced.components.get(id) ?? [],
    coupons: priced.coupons.get(id) ?? [],
    taxes: taxesFor(priced.siteTaxes, customer, site.country),
    nextProduct: priced.nextProducts.get(id) ?? null,
    minorUnit: minorUnitOf(site.currency),
  }
}

function readFacts(site: Site, row: readonly unknown[], priced: PricedSubscriptions): SubscriptionFacts {
  const subscription = subscriptions.read(row)
  const product = readTerms(row, subscriptions.width)
  const rest = row.slice(subscriptions.width + termsWidth)
  const [
    firstName,
    lastName,
    id,
    currentVault,
    vaultToken,
    maskedCardNumber,
    expirationMonth,
    expirationYear,
    cardType,
    paymentType,
    maskedBankAccountNumber,
  ] = rest
  const card = {
    id,
    currentVault,
    vaultToken,
    maskedCardNumber,
    expirationMonth,
    expirationYear,
    cardType,
    paymentType,
    maskedBankAccountNumber,
  } as CardOnFile
  return {
    site,
    subscription,
    product,
    customer: { id: subscription.customerId, firstName: firstName as string, lastName: lastName as string },
    card: id === null ? null : card,
    pricing: readPricing(site, subscription, priced, readTaxedCustomer(rest.slice(12))),
    unsettledStatements: (rest[11] as UnsettledStatement[] | null) ?? [],
  }
}

function readTaxedCustomer([
  country,
  state,
  billingCountry,
  billingState,
  taxExempt,
  vatNumber,
]: readonly unknown[]): TaxedCustomer {
  return {
    address: { country, state } as TaxAddress,
    billing: { country: billingCountry, state: billingState } as TaxAddress,
    taxExempt: taxExempt as boolean,
    vatNumber: vatNumber as string | null,
  }
}
