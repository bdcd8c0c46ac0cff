/** How a statement is shown: its fields, its rows and events, and the whole of it once more as text and as HTML. */
import type { StatementDetails } from '../store/statement-details.ts'
import type { StatementRow } from '../store/tables.ts'
import type { Fields } from '../wire/shape.ts'
import { formatTimestamp } from '../wire/timestamp.ts'
import { eventShape, presentEvent } from './event.ts'
import { type Merchant, statementContent } from './statement-content.ts'
import { basicStatementHtml, statementHtml } from './statement-html.ts'
import { statementText } from './statement-text.ts'
import { presentTransaction, transactionShape } from './transaction.ts'

export const statementShape: Fields = {
  fields: {
    id: 'integer',
    subscription_id: 'integer',
    opened_at: 'datetime',
    closed_at: 'datetime',
    settled_at: 'datetime',
    text_view: 'string',
    basic_html_view: 'string',
    html_view: 'string',
    future_payments: { list: transactionShape, item: 'future_payment' },
    starting_balance_in_cents: 'integer',
    ending_balance_in_cents: 'integer',
    total_in_cents: 'integer',
    memo: 'string',
    customer_first_name: 'string',
    customer_last_name: 'string',
    customer_organization: 'string',
    customer_shipping_address: 'string',
    customer_shipping_address_2: 'string',
    customer_shipping_city: 'string',
    customer_shipping_state: 'string',
    customer_shipping_country: 'string',
    customer_shipping_zip: 'string',
    customer_billing_address: 'string',
    customer_billing_address_2: 'string',
    customer_billing_city: 'string',
    customer_billing_state: 'string',
    customer_billing_country: 'string',
    customer_billing_zip: 'string',
    customer_tax_exempt: 'boolean',
    transactions: { list: transactionShape, item: 'transaction' },
    events: { list: eventShape, item: 'event' },
    created_at: 'datetime',
    updated_at: 'datetime',
  },
}

/** The statement's own fields, without what it lists. */
export function presentStatementFacts(statement: StatementRow, timeZone: string) {
  const optional = (at: Temporal.Instant | null) => at && formatTimestamp(at, timeZone)
  return {
    id: statement.id,
    subscription_id: statement.subscriptionId,
    opened_at: optional(statement.openedAt),
    closed_at: optional(statement.closedAt),
    settled_at: optional(statement.settledAt),
    starting_balance_in_cents: statement.startingBalance,
    ending_balance_in_cents: statement.endingBalance,
    total_in_cents: statement.total,
    memo: statement.memo,
    created_at: optional(statement.createdAt),
    updated_at: optional(statement.updatedAt),
  }
}

export function presentStatement(details: StatementDetails, merchant: Merchant) {
  const { timeZone } = merchant
  const { created_at, updated_at, ...facts } = presentStatementFacts(details.statement, timeZone)
  return {
    ...facts,
    ...presentViews(details, merchant),
    future_payments: details.futurePayments.map((record) => presentTransaction(record, timeZone)),
    ...presentCustomerOf(details),
    transactions: details.transactions.map((record) => presentTransaction(record, timeZone)),
    events: details.events.map((event) => presentEvent(event, timeZone)),
    created_at,
    updated_at,
  }
}

function presentViews(details: StatementDetails, merchant: Merchant) {
  const content = statementContent(details, merchant)
  return {
    text_view: statementText(content),
    basic_html_view: basicStatementHtml(content),
    html_view: statementHtml(content),
  }
}

const presentCustomerOf = ({ customer, billingAddress: billing }: StatementDetails) => ({
  customer_first_name: customer.firstName,
  customer_last_name: customer.lastName,
  customer_organization: customer.organization,
  customer_shipping_address: customer.address,
  customer_shipping_address_2: customer.address2,
  customer_shipping_city: customer.city,
  customer_shipping_state: customer.state,
  customer_shipping_country: customer.country,
  customer_shipping_zip: customer.zip,
  customer_billing_address: billing?.billingAddress ?? null,
  customer_billing_address_2: billing?.billingAddress2 ?? null,
  customer_billing_city: billing?.billingCity ?? null,
  customer_billing_state: billing?.billingState ?? null,
  customer_billing_country: billing?.billingCountry ?? null,
  customer_billing_zip: billing?.billingZip ?? null,
  customer_tax_exempt: customer.taxExempt,
})
