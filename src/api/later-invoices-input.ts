/** How lists of bills and of what happened to them are narrowed, read from the query. Every problem is told at once. */
import { billStatuses, readBillUid } from '../billing/bill.ts'
import { type BillEventType, type BillFilter, billDates, billEventTypes, billSorts } from '../billing/bill-list.ts'
import { type BillPartName, billPartNames } from '../views/bill-parts.ts'
import { InputErrors } from '../wire/input.ts'
import { readDirection, readId, readPage } from '../wire/paging.ts'
import type { Query } from '../wire/request.ts'
import { textFrom } from './handler.ts'
import {
  readDaysOrMoments,
  readIdFilter,
  readIds,
  readTexts,
  readTimeWindow,
  readWord,
  readWords,
  refuseFilters,
} from './list-input.ts'
import { Problems } from './problems.ts'

/** Which breakdowns a list includes: `line_items=true`. */
function readParts(query: Query): BillPartName[] {
  const problems = new Problems()
  const wanted = billPartNames.filter((name) => problems.gather(() => readFlag(query, name)))
  problems.tell()
  return wanted
}

const readFlag = (query: Query, name: string): boolean =>
  readWord(query, name, ['true', 'false', '1', '0'], null) === 'true' || textFrom(query, name)?.trim() === '1'

/** `000014` is the number of an invoice, `S500017` that of a statement. */
function readNumbers(query: Query): Pick<BillFilter, 'invoiceNumbers' | 'statementIds'> {
  const sent = readTexts(query, 'number')
  if (sent === null) return { invoiceNumbers: null, statementIds: null }
  const isNumber = (text: string) => /^S?\d{1,15}$/i.test(text)
  if (!sent.every(isNumber)) throw new InputErrors(['Number: is not the number of an invoice.'])
  const ofStatements = sent.filter((text) => /^s/i.test(text))
  return {
    invoiceNumbers: sent.filter((text) => !ofStatements.includes(text)).map(Number),
    statementIds: ofStatements.map((text) => Number(text.slice(1))),
  }
}

export function readBillList(query: Query, timeZone: string) {
  const problems = new Problems()
  const dateField = problems.gather(() => readWord(query, 'date_field', billDates, 'created_at'))
  const window = problems.gather(() => readDaysOrMoments(query, timeZone))
  const statuses = problems.gather(() => readWords(query, 'status', billStatuses)) ?? null
  const subscriptionId = problems.gather(() => readIdFilter(query, 'subscription_id')) ?? null
  const customerIds = problems.gather(() => readIds(query, 'customer_ids')) ?? null
  const productIds = problems.gather(() => readIds(query, 'product_ids')) ?? null
  const numbers = problems.gather(() => readNumbers(query))
  const page = problems.gather(() => readPage(query))
  const sort = problems.gather(() => readWord(query, 'sort', billSorts, 'created_at'))
  const direction = problems.gather(() => readDirection(query, 'desc'))
  const parts = problems.gather(() => readParts(query))
  problems.gather(() => refuseFilters(query, ['subscription_group_uid']))
  problems.tell()
  const filter: BillFilter = {
    dateField: dateField!,
    ...window!,
    statuses,
    subscriptionId,
    customerIds,
    productIds,
    ...numbers!,
  }
  return { filter, part: { ...page!, sort: sort!, direction: direction! }, parts: parts! }
}

/** What the later form knows beside what happens here: a list of them is empty. */
const otherEventTypes = [
  'apply_credit_note',
  'create_credit_note',
  'apply_debit_note',
  'create_debit_note',
  'void_invoice',
  'void_remainder',
  'backport_invoice',
  'change_invoice_status',
  'change_invoice_collection_method',
  'remove_payment',
  'change_chargeback_status',
] as const

export const knownEventTypes = [...billEventTypes, ...otherEventTypes] as const

function readUid(query: Query) {
  const text = textFrom(query, 'invoice_uid')
  if (text === undefined) return null
  const ref = readBillUid(text.trim())
  if (ref === undefined) throw new InputErrors(['Invoice uid: is not the uid of an invoice.'])
  return ref
}

/** With a date the id has no effect. A day begins at midnight of the site's zone. */
export function readBillEventFilter(query: Query, timeZone: string, sizes: Parameters<typeof readPage>[1]) {
  const problems = new Problems()
  const page = problems.gather(() => readPage(query, sizes))
  const since = problems.gather(() => readTimeWindow(query, timeZone, ['since_date', '']))?.since ?? null
  const sinceId = problems.gather(() => readId(query, 'since_id', 'Since id')) ?? null
  const ref = problems.gather(() => readUid(query)) ?? null
  const sent = problems.gather(() => readWords(query, 'event_types', knownEventTypes)) ?? null
  // There are no such events, with or without it.
  problems.gather(() => readFlag(query, 'with_change_invoice_status'))
  problems.tell()
  const types: BillEventType[] = billEventTypes.filter((type) => sent === null || sent.includes(type))
  return { filter: { afterId: since === null ? sinceId : null, since, ref, types }, page: page! }
}
