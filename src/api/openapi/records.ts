/** What is said of the record of what was billed and what happened. */
import { billStatuses } from '../../billing/bill.ts'
import { billDates } from '../../billing/bill-list.ts'
import { invoiceSorts, invoiceStates } from '../../billing/invoice.ts'
import { transactionTypes } from '../../billing/ledger.ts'
import { statementSorts } from '../../billing/statement.ts'
import { billShape } from '../../views/bill.ts'
import { billEventsShape } from '../../views/bill-event.ts'
import { billPartNames } from '../../views/bill-parts.ts'
import { eventShape } from '../../views/event.ts'
import { invoiceShape } from '../../views/invoice.ts'
import { statementShape } from '../../views/statement.ts'
import { transactionShape } from '../../views/transaction.ts'
import { knownEventTypes } from '../later-invoices-input.ts'
import { about, bareOne, either, listUnder, many, one, plainValue } from './description.ts'
import { asked, days, daysOrMoments, direction, flag, id, idWindow, paged, shared, word, words } from './parameters.ts'

const count = plainValue('count', { type: 'integer' })
const ids = [
  {
    status: 200,
    json: {
      type: 'object',
      properties: { statement_ids: { type: 'array', items: { type: 'integer' } } },
      required: ['statement_ids'],
    },
    xml: {
      type: 'array',
      items: { type: 'integer', xml: { name: 'id' } },
      xml: { name: 'statement_ids', wrapped: true },
    },
  },
]

const kinds = [...transactionTypes, 'info_transaction', 'payment_authorization']
const transactionFilter = [words('kinds', kinds, 'Only these types.'), ...idWindow, ...days('since_date', 'until_date')]
const transactionList = [
  ...paged(),
  direction('desc'),
  word('order_by', ['id', 'created_at'], 'What decides the order.', 'created_at'),
  ...transactionFilter,
]
const transactions = many('transactions', 'transaction', transactionShape)

const statementOrder = [word('sort', statementSorts, 'What decides the order.', 'created_at'), direction('asc')]
const statements = many('statements', 'statement', statementShape)

const eventFilter = [
  ...idWindow,
  asked(
    'filter',
    'Only these keys, with commas between them. Kinds that only this service has are listed where they are named here.',
  ),
  word('date_field', ['created_at'], 'What the window is about.', 'created_at'),
  ...daysOrMoments,
]
const eventList = [...paged(), direction('desc'), ...eventFilter]
const events = many('events', 'event', eventShape)

const ofSubscription = '/subscriptions/:subscription_id'

export const recordDescriptions = about('Records', {
  'GET /transactions': {
    id: 'listTransactions',
    summary: "Lists the rows of the site's ledger, the newest first.",
    query: transactionList,
    answers: transactions,
  },
  'GET /transactions/count': {
    id: 'countTransactions',
    summary: 'Counts the transactions of the site, narrowed as the list is.',
    query: transactionFilter,
    answers: count,
  },
  'GET /transactions/:transaction_id': {
    id: 'readTransaction',
    summary: 'Shows one transaction.',
    answers: one('transaction', transactionShape),
  },
  [`GET ${ofSubscription}/transactions`]: {
    id: 'listTransactionsOfSubscription',
    summary: 'Lists the transactions of a subscription, the newest first.',
    query: transactionList,
    answers: transactions,
  },
  'GET /statements': {
    id: 'listStatements',
    summary: 'Lists the statements of the site.',
    query: [...paged(), ...statementOrder],
    answers: statements,
  },
  'GET /statements/ids': {
    id: 'listStatementIds',
    summary: 'Lists the ids of the statements of the site, 10,000 on a page.',
    query: [shared('Page'), ...statementOrder],
    answers: ids,
  },
  'GET /statements/count': {
    id: 'countStatements',
    summary: 'Counts the statements of the site.',
    answers: count,
  },
  'GET /statements/:statement_id': {
    id: 'readStatement',
    summary: 'Shows one statement: the activity of one period, also as text, as HTML and as PDF.',
    answers: one('statement', statementShape),
  },
  [`GET ${ofSubscription}/statements`]: {
    id: 'listStatementsOfSubscription',
    summary: 'Lists the statements of a subscription.',
    query: [...paged(), ...statementOrder],
    answers: statements,
  },
  [`GET ${ofSubscription}/statements/ids`]: {
    id: 'listStatementIdsOfSubscription',
    summary: 'Lists the ids of the statements of a subscription, 10,000 on a page.',
    query: [shared('Page'), ...statementOrder],
    answers: ids,
  },
  'GET /invoices': {
    id: 'listInvoices',
    summary: 'Lists the invoices of the site; in the later form, where the site has it, every bill.',
    query: [
      ...paged(),
      direction('desc'),
      word(
        'sort',
        [...invoiceSorts, 'due_date'],
        'What decides the order; the later form knows no amounts here.',
        'created_at',
      ),
      word('date_field', billDates, 'What the window is about; the earlier form knows no due date.', 'created_at'),
      ...daysOrMoments,
      words('status', [...invoiceStates, ...billStatuses], 'Only in these states, in the words of the form.'),
      id('subscription_id', 'Only of this subscription.'),
      asked('customer_ids', 'Only of these customers, with commas between their ids.'),
      asked('product_ids', 'Only those with a charge for one of these products, with commas between their ids.'),
      asked('number', 'Only those with these numbers, with commas between them.'),
      ...billPartNames.map((name) => flag(name, `Whether the later form includes the ${name.replaceAll('_', ' ')}.`)),
    ],
    answers: either(many('invoices', 'invoice', invoiceShape), listUnder('invoices', 'invoice', billShape)),
  },
  'GET /invoices/events': {
    id: 'listInvoiceEvents',
    summary: 'Lists what happened to invoices, the oldest first; only where the site has their later form.',
    query: [
      shared('Page'),
      asked('per_page', 'How many are on a page; more than 200 counts as 200.', {
        type: 'integer',
        minimum: 0,
        default: 100,
      }),
      id('since_id', 'Only those after this id; a date wins.'),
      asked('since_date', 'Only those from this day or moment on.'),
      asked('invoice_uid', 'Only those of this invoice.'),
      words('event_types', knownEventTypes, 'Only of these types.'),
      flag('with_change_invoice_status', 'Changes of the status alone are no events here.'),
    ],
    answers: bareOne('invoice_events', billEventsShape),
    refuses: [404],
  },
  'GET /invoices/:invoice_id': {
    id: 'readInvoice',
    summary: 'Shows one invoice, also as PDF; in the later form by its uid.',
    answers: either(one('invoice', invoiceShape), bareOne('invoice', billShape)),
  },
  'GET /invoices/:invoice_id/payments': {
    id: 'listPaymentsOfInvoice',
    summary: 'Lists the payments of an invoice.',
    answers: many('payments', 'payment', transactionShape),
  },
  'GET /invoices/:invoice_id/charges': {
    id: 'listChargesOfInvoice',
    summary: 'Lists the charges of an invoice.',
    answers: many('charges', 'charge', transactionShape),
  },
  'GET /events': {
    id: 'listEvents',
    summary: 'Lists what happened on the site, the newest first.',
    query: eventList,
    answers: events,
  },
  'GET /events/count': {
    id: 'countEvents',
    summary: 'Counts the events of the site, narrowed as the list is.',
    query: eventFilter,
    answers: count,
  },
  [`GET ${ofSubscription}/events`]: {
    id: 'listEventsOfSubscription',
    summary: 'Lists what happened to a subscription, the newest first.',
    query: eventList,
    answers: events,
  },
})
