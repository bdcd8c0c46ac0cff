/** Tells what came of a story as a table like a bank's statement, with numbers of its own in place of ids. */
import { formatInvoiceNumber } from '../../src/billing/invoice.ts'
import { formatDollars } from '../../src/billing/money.ts'
import type { Connection } from '../../src/store/database.ts'
import type { EventRecord } from '../../src/store/events.ts'
import type { InvoiceRecord } from '../../src/store/invoice-records.ts'
import type { TransactionRecord } from '../../src/store/transaction-records.ts'
import type { Story } from './story.ts'
import { readLifeDeed } from './story-acts.ts'
import { type Records, readRecords, readSiteEvents } from './story-records.ts'
import type { Deeds, Happened } from './story-run.ts'

/** One line of the table: when, and in which place among the lines of its moment. */
type Line = { at: Temporal.Instant; place: number; text: string }
const places = { deed: 0, period: 1, row: 2, event: 3, statement: 4 } as const

export async function tellStory(db: Connection, story: Story, happened: Happened): Promise<string> {
  const { siteId, subscriptions, deeds } = happened
  const { attempts, intervalHours, finalAction } = story.dunning
  const dunning = `${attempts} attempts, ${intervalHours} hours apart, then ${finalAction}`
  const parts = [`${story.title}\n${story.timeZone}; ${dunning}`]
  for (const [name, id] of subscriptions) {
    const records = await readRecords(db, siteId, id)
    const others = [...subscriptions.keys()].filter((other) => other !== name)
    parts.push(tellSubscription(name, records, story.timeZone, deedsAbout(deeds, others)))
  }
  const refused = deeds.filter(({ refusal }) => refusal !== null)
  const siteEvents = (await readSiteEvents(db, siteId)).filter(({ key }) => key !== 'customer_create')
  if (refused.length + siteEvents.length > 0) parts.push(tellSite(refused, siteEvents, story.timeZone))
  return `${parts.join('\n\n')}\n`
}

/** The acts that are not about one of the other subscriptions; refused ones are told with the site. */
const deedsAbout = (deeds: Deeds, others: readonly string[]): Deeds =>
  deeds.filter(
    ({ line, refusal }) =>
      refusal === null && !others.some((other) => nameOf(line) === other) && !/^(the end|so far)$/.test(line),
  )

/** Whom an act is about: the name it gives a new subscription, or the one that it speaks of. */
const nameOf = (line: string): string | undefined =>
  readLifeDeed(line, () => Temporal.Instant.fromEpochMilliseconds(0))?.name ??
  (/^sign up .* as ([\w-]+)/.exec(line) ??
    /^(?:sign up|price|card of|cancel|credit|charge|adjust|payment of|refund|allocate|use|add coupon \S+ to|add .+ beside the coupons of|have .+ on|remove \S+(?: coupon)? of) ([\w-]+)/.exec(
      line,
    ))?.[1]

function tellSubscription(name: string, records: Records, timeZone: string, deeds: Deeds): string {
  const whose = `${records.customerName}'s subscription to ${records.productName}`
  const rowNumbers = new Map(records.transactions.map(({ transaction }, index) => [transaction.id, index + 1]))
  const statementNumbers = new Map(records.statements.map(({ id }, index) => [id, index + 1]))
  const lines: Line[] = [
    ...deeds.map(({ at, line }) => ({ at, place: places.deed, text: `> ${line}` })),
    ...records.periods.map((period) => ({
      at: period.assessedAt,
      place: places.period,
      text: `  period ${period.number}: ${day(period.startedAt, timeZone)} to ${day(period.endsAt, timeZone)}`,
    })),
    ...records.transactions.map((record) => tellRow(record, rowNumbers)),
    ...records.events.map((event) => tellEvent(event, whose, rowNumbers, statementNumbers)),
    ...records.statements.flatMap((statement) => tellStatement(statement, statementNumbers)),
  ]
  const moments = Map.groupBy(
    lines.toSorted((left, right) => Temporal.Instant.compare(left.at, right.at) || left.place - right.place),
    ({ at }) => at.epochMilliseconds,
  )
  const told = [...moments.values()].flatMap((moment) => [
    day(moment[0]!.at, timeZone),
    ...moment.map(({ text }) => `  ${text}`),
  ])
  const title = `== ${name}: ${whose}`
  return [
    title,
    ...told,
    ...tellEnd(records, rowNumbers, statementNumbers, timeZone),
    ...records.invoices.map((one) => tellInvoice(one, rowNumbers, timeZone)),
  ].join('\n')
}

type Numbers = ReadonlyMap<number, number>

function tellRow({ transaction, paymentId, refundedAmount }: TransactionRecord, rowNumbers: Numbers): Line {
  const { type, kind, memo, amount, startingBalance, endingBalance, success, createdAt, cardNumber } = transaction
  const notes = [
    ...(success ? [] : ['failed']),
    ...(paymentId === null ? [] : [`${type === 'refund' ? 'of' : 'paid by'} row ${rowNumbers.get(paymentId)}`]),
    ...(refundedAmount ? [`${formatDollars(refundedAmount)} refunded`] : []),
    ...(cardNumber === null ? [] : [`card ${cardNumber.slice(-6).replace(/^X+-|^-/, '')}`]),
  ]
  const text = [
    `  row ${String(rowNumbers.get(transaction.id)).padEnd(3)}`,
    (kind === null ? type : `${type}/${kind}`).padEnd(18),
    memo.padEnd(46),
    formatDollars(amount).padStart(9),
    `${formatDollars(startingBalance).padStart(10)} -> ${formatDollars(endingBalance)}`.padEnd(24),
    notes.join(', '),
  ].join(' ')
  return { at: createdAt, place: places.row, text: text.trimEnd() }
}

/** Sentences name whose subscription it is; the table says so once. */
function tellEvent(event: EventRecord, whose: string, rowNumbers: Numbers, statementNumbers: Numbers): Line {
  const message = event.message
    .replace(/^Statement (\d+)/, (_, id) => `Statement #${statementNumbers.get(Number(id))}`)
    .replace(whose, '...')
    .replace(/^(Invoice issued for) subscription \d+$/, '$1 ...')
  const { account_transaction_id: money, refund_id: refund } = event.eventSpecificData ?? {}
  const row = refund ?? money
  const about = row === undefined ? '' : row === null ? ' (no row)' : ` (row ${rowNumbers.get(Number(row))})`
  return { at: event.createdAt, place: places.event, text: `  ${event.key}: ${message}${about}` }
}

function tellStatement(statement: Records['statements'][number], numbers: Numbers): Line[] {
  const { openedAt, closedAt, settledAt, startingBalance, endingBalance, total } = statement
  const name = `  statement #${numbers.get(statement.id)}`
  const place = places.statement
  const lines = [{ at: openedAt, place, text: `${name} opened at ${formatDollars(startingBalance)}` }]
  if (closedAt !== null && endingBalance !== null) {
    const settled = settledAt?.equals(closedAt) ? ' and settled' : ''
    const text = `${name} closed${settled} at ${formatDollars(endingBalance)}, total ${formatDollars(total)}`
    lines.push({ at: closedAt, place, text })
    if (settledAt !== null && settled === '') lines.push({ at: settledAt, place, text: `${name} settled` })
  }
  return lines
}

/** How an invoice stands in the end: its charges by their rows, then what lowered what is due. */
function tellInvoice({ invoice, charges, entries }: InvoiceRecord, rowNumbers: Numbers, timeZone: string): string {
  const rows = charges.map(({ transaction }) => rowNumbers.get(transaction.id)).join(' and ')
  const lowered = [
    ...(invoice.credit > 0 ? [`${formatDollars(invoice.credit)} was in credit`] : []),
    ...entries.map(
      ({ transaction, amount }) => `row ${rowNumbers.get(transaction.id)} takes off ${formatDollars(amount)}`,
    ),
  ]
  const paid = invoice.paidAt === null ? '' : ` ${day(invoice.paidAt, timeZone)}`
  return [
    `  invoice ${formatInvoiceNumber(invoice.number)}:  ${day(invoice.createdAt, timeZone)}, rows ${rows}`,
    `${formatDollars(invoice.total)}, due ${formatDollars(invoice.due)}: ${invoice.state}${paid}`,
    ...lowered,
  ].join('; ')
}

function tellEnd(
  { subscription, coupons }: Records,
  rowNumbers: Numbers,
  statementNumbers: Numbers,
  timeZone: string,
): string[] {
  const on = (at: Temporal.Instant | null): string => (at === null ? 'never' : day(at, timeZone))
  const { state, balance, totalRevenue, signupRevenue, signupPaymentId, dunningAttempts, retryAt } = subscription
  const { openStatementId, openStatementTotal } = subscription
  const facts: [string, string][] = [
    ['state', `${state}, balance ${formatDollars(balance)}, revenue ${formatDollars(totalRevenue)}`],
    ['sign-up', `${formatDollars(signupRevenue)}, row ${rowNumbers.get(signupPaymentId) ?? 'none'}`],
    [
      'period',
      `${subscription.periodNumber}: ${on(subscription.currentPeriodStartedAt)} to ${on(subscription.currentPeriodEndsAt)}`,
    ],
    ['next assessment', on(subscription.nextAssessmentAt)],
    ['activated', on(subscription.activatedAt)],
  ]
  if (subscription.trialStartedAt !== null)
    facts.push(['trial', `${on(subscription.trialStartedAt)} to ${on(subscription.trialEndedAt)}`])
  if (subscription.expiresAt !== null) facts.push(['expires', on(subscription.expiresAt)])
  if (dunningAttempts > 0 || retryAt !== null)
    facts.push(['dunning', `${dunningAttempts} attempts, retry ${on(retryAt)}`])
  if (subscription.cancelAtEndOfPeriod !== null)
    facts.push(['delayed cancel', `${subscription.cancelAtEndOfPeriod}, ${on(subscription.delayedCancelAt)}`])
  if (subscription.canceledAt !== null)
    facts.push(['canceled', `${on(subscription.canceledAt)} by ${subscription.cancellationMethod}`])
  if (subscription.cancellationMessage !== null) facts.push(['message', subscription.cancellationMessage])
  for (const { code, useCount, usesAllowed } of coupons)
    facts.push(['coupon', `${code}, used ${useCount} of ${usesAllowed ?? 'any number'}`])
  const open = openStatementId === null ? 'none' : `#${statementNumbers.get(openStatementId)}`
  facts.push(['open statement', `${open}, total ${formatDollars(openStatementTotal)}`])
  return ['in the end', ...facts.map(([name, value]) => `  ${`${name}:`.padEnd(17)}${value}`)]
}

function tellSite(refused: Deeds, events: readonly EventRecord[], timeZone: string): string {
  return [
    '== the site',
    ...refused.map(({ at, line, refusal }) => `${day(at, timeZone)}\n  > ${line}\n    refused: ${refusal}`),
    ...events.map(({ createdAt, key, message }) => `${day(createdAt, timeZone)}\n    ${key}: ${message}`),
  ].join('\n')
}

/** `2026-03-08 03:30 -04:00`, with the seconds where there are any. */
function day(at: Temporal.Instant, timeZone: string): string {
  const local = at.toZonedDateTimeISO(timeZone)
  const time = local.toPlainTime().toString({ smallestUnit: local.second === 0 ? 'minute' : 'second' })
  return `${local.toPlainDate()} ${time} ${local.offset}`
}
