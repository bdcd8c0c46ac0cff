/** A statement as plain text of 80 columns. */
import { atBothEnds, onOneLine, padEnd, padStart, wrap } from './columns.ts'
import type { StatementContent, StatementLine } from './statement-content.ts'

const width = 80
const messageWidth = 66
const labelWidth = 18
const atWidth = 18
const typeWidth = 7
const amountWidth = 12
const detailWidth = width - atWidth - typeWidth - amountWidth - 4

export function statementText(content: StatementContent): string {
  const lines = [
    ...atBothEnds(onOneLine(content.merchantName), `(${content.id})`, width),
    ...wrap(content.product, width).map((line) => padStart(line, width)),
    '='.repeat(width),
    ...boxed('Summary'),
    ...content.summary.map(([label, value]) => `  ${label.padEnd(labelWidth, '.')}: ${value}`),
    '',
    ...boxed('Account Information'),
    ...accountLines(content),
    ...boxed('Detail'),
    ...chargeLines(content),
    ...paymentLines('### Payments', content.payments, 'No payments this period'),
    ...(content.futurePayments.length === 0 ? [] : paymentLines('### Later Payments', content.futurePayments, '')),
    ...boxed('Period Activity'),
    ...activityLines(content),
    ...wrap(content.closing, width),
  ]
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`
}

const boxed = (title: string): string[] => ['-'.repeat(width), ` ${title}`, '-'.repeat(width), '']

function accountLines({ account, shippingAddress, billingAddress }: StatementContent): string[] {
  const said = [account.name, account.organization, account.email, account.phone].filter((text) => text !== null)
  const indented = (texts: readonly string[]): string[] =>
    texts
      .flatMap((text) => wrap(text, width - 2))
      .filter((text) => text !== '')
      .map((text) => `  ${text}`)
  const address = (title: string, texts: readonly string[]): string[] =>
    texts.length === 0 ? [] : [`### ${title}`, '', ...indented(texts), '']
  return [
    ...indented(said),
    '',
    ...address('Shipping Address', shippingAddress),
    ...address('Billing Address', billingAddress),
  ]
}

const header = (amountTitle: string): string[] => [
  row('Date/Time', 'Type', 'Detail', amountTitle),
  row('-'.repeat(atWidth), '-'.repeat(typeWidth), '-'.repeat(detailWidth), '-'.repeat(amountWidth)),
]

const row = (at: string, type: string, detail: string, amount: string): string =>
  `${padEnd(at, atWidth)}  ${padEnd(type, typeWidth)} ${padEnd(detail, detailWidth)} ${padStart(amount, amountWidth)}`

/** A detail that is too long goes on below; the card has a line of its own. */
function linesOf(line: StatementLine): string[] {
  const details = [...wrap(line.detail, detailWidth), ...(line.card === null ? [] : wrap(line.card, detailWidth))]
  return details.map((detail, place) =>
    place === 0 ? row(line.at, line.type, detail, line.amount) : row('', '', detail, ''),
  )
}

const chargeLines = ({ charges, chargesTotal }: StatementContent): string[] =>
  charges.length === 0
    ? ['### Current Charges and Adjustments', '', '  No charges this period', '']
    : [
        '### Current Charges and Adjustments',
        '',
        ...header('Charges'),
        ...charges.flatMap(linesOf),
        row('', '', '', '-'.repeat(amountWidth)),
        row('', '', 'Totals', chargesTotal),
        '',
      ]

const paymentLines = (title: string, payments: readonly StatementLine[], none: string): string[] =>
  payments.length === 0
    ? [title, '', `  ${none}`, '']
    : [title, '', ...header('Amount'), ...payments.flatMap(linesOf), '']

const activityLines = ({ activity }: StatementContent): string[] =>
  activity.length === 0
    ? ['  No activity this period', '']
    : activity.flatMap(({ at, title, message }) => [
        ...atBothEnds(`  ${title}`, at, width),
        ...wrap(message, messageWidth).map((line) => `    ${line}`),
        '',
      ])
