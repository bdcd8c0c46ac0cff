/** A statement as HTML: a bare table to be put into a page of one's own, and a page that stands by itself and prints well. */
import { html, raw } from 'hono/html'
import type { StatementContent, StatementLine } from './statement-content.ts'

/** Text is escaped unless it was made by `html` or `raw`; nothing in a statement is awaited. */
type Html = ReturnType<typeof html>

/** The table alone, without any style. Every part can be found by an id that begins with `billing_statement_`. */
export const basicStatementHtml = (content: StatementContent): string => String(table(content))

export const statementHtml = (content: StatementContent): string =>
  String(html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Statement ${content.id} of ${content.merchantName}</title>
<style>${raw(style)}</style>
</head>
<body>
${table(content)}
</body>
</html>
`)

const style = `
body { margin: 2rem auto; max-width: 46rem; padding: 0 1rem; font: 15px/1.5 system-ui, sans-serif; color: #1c2430; }
table { border-collapse: collapse; width: 100%; }
#billing_statement > tbody > tr > td { padding: 0 0 1.5rem; }
h1 { font-size: 1.4rem; margin: 0; }
h2 { font-size: 1rem; margin: 0 0 .5rem; padding-bottom: .25rem; border-bottom: 2px solid #1c2430; }
th { text-align: left; font-weight: 600; padding: .25rem .75rem .25rem 0; vertical-align: top; }
td { padding: .25rem .75rem .25rem 0; vertical-align: top; overflow-wrap: anywhere; }
.amount { text-align: right; padding-right: 0; white-space: nowrap; font-variant-numeric: tabular-nums; }
.at { white-space: nowrap; }
.lines tbody tr { border-top: 1px solid #d9dee6; }
.lines tfoot tr { border-top: 2px solid #1c2430; font-weight: 600; }
.card, .product, .activity span { color: #5a6675; }
address { font-style: normal; }
@media print { body { margin: 0; } tr { break-inside: avoid; } thead { display: table-header-group; } }
`

const table = (content: StatementContent): Html => html`<table id="billing_statement">
<tbody>
<tr><td id="billing_statement_header"><h1>${content.merchantName}</h1><span class="product">${content.product}</span></td></tr>
<tr><td id="billing_statement_summary_section"><h2>Summary</h2>${summary(content)}</td></tr>
<tr><td id="billing_statement_account_section"><h2>Account Information</h2>${account(content)}</td></tr>
<tr><td id="billing_statement_charges_section"><h2>Current Charges and Adjustments</h2>${charges(content)}</td></tr>
<tr><td id="billing_statement_payments_section"><h2>Payments</h2>${payments(content.payments)}</td></tr>
${
  content.futurePayments.length === 0
    ? ''
    : html`<tr><td id="billing_statement_future_payments_section"><h2>Later Payments</h2>${payments(content.futurePayments)}</td></tr>`
}
<tr><td id="billing_statement_activity_section"><h2>Period Activity</h2>${activity(content)}</td></tr>
<tr><td id="billing_statement_memo">${content.closing}</td></tr>
</tbody>
</table>`

const summary = ({ summary }: StatementContent): Html => html`<table>
<tbody>
${summary.map(
  ([label, value]) =>
    html`<tr><th scope="row">${label}</th><td id="billing_statement_${label.toLowerCase().replaceAll(' ', '_')}">${value}</td></tr>
`,
)}</tbody>
</table>`

const account = ({ account, shippingAddress, billingAddress }: StatementContent): Html => html`<table>
<tbody>
<tr><th scope="row">Name</th><td id="billing_statement_customer_name">${account.name}</td></tr>
${account.organization === null ? '' : html`<tr><th scope="row">Organization</th><td id="billing_statement_customer_organization">${account.organization}</td></tr>`}
<tr><th scope="row">E-mail</th><td id="billing_statement_customer_email">${account.email}</td></tr>
${account.phone === null ? '' : html`<tr><th scope="row">Phone</th><td id="billing_statement_customer_phone">${account.phone}</td></tr>`}
${address('Shipping Address', 'shipping', shippingAddress)}
${address('Billing Address', 'billing', billingAddress)}
</tbody>
</table>`

const address = (title: string, id: string, lines: readonly string[]): Html | string =>
  lines.length === 0
    ? ''
    : html`<tr><th scope="row">${title}</th><td id="billing_statement_${id}_address"><address>${lines.map((line) => html`${line}<br>`)}</address></td></tr>`

const charges = ({ charges, chargesTotal }: StatementContent): Html =>
  charges.length === 0
    ? html`<p>No charges this period</p>`
    : html`<table class="lines">
${head('Charges')}
<tbody>
${charges.map(line)}</tbody>
<tfoot><tr><th scope="row" colspan="3">Totals</th><td class="amount" id="billing_statement_charges_total">${chargesTotal}</td></tr></tfoot>
</table>`

const payments = (lines: readonly StatementLine[]): Html =>
  lines.length === 0
    ? html`<p>No payments this period</p>`
    : html`<table class="lines">
${head('Amount')}
<tbody>
${lines.map(line)}</tbody>
</table>`

const head = (amount: string): Html =>
  html`<thead><tr><th scope="col">Date/Time</th><th scope="col">Type</th><th scope="col">Detail</th><th scope="col" class="amount">${amount}</th></tr></thead>`

const line = ({ at, type, detail, card, amount }: StatementLine): Html =>
  html`<tr><td class="at">${at}</td><td>${type}</td><td>${detail}${card === null ? '' : html`<br><span class="card">${card}</span>`}</td><td class="amount">${amount}</td></tr>
`

const activity = ({ activity }: StatementContent): Html =>
  activity.length === 0
    ? html`<p>No activity this period</p>`
    : html`<table class="lines activity">
<tbody>
${activity.map(
  ({ at, title, message }) => html`<tr><td class="at">${at}</td><td>${title}<br><span>${message}</span></td></tr>
`,
)}</tbody>
</table>`
