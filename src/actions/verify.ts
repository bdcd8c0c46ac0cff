/** Proves the books: recomputes every balance, total and identity from the rows, and says in words what does not agree. */
import { bogusGatewayName } from '../gateway/bogus.ts'
import { bogusCaptured } from '../gateway/bogus-captured.ts'
import { listSites } from '../store/sites.ts'
import { type Finding, inSnapshot, listFindings, type Pass } from '../store/verify/check.ts'
import { allocationRows, componentStock } from '../store/verify/components.ts'
import { appliedCoupons, couponRows, discountRows, taxRows } from '../store/verify/coupons-and-taxes.ts'
import { lifeEvents, paymentEvents, stateEvents, statementEvents } from '../store/verify/events.ts'
import { invoiceEntryRows, invoiceEvents, invoiceLineRows, invoiceRows } from '../store/verify/invoices.ts'
import { ledgerRows, subscriptionTotals } from '../store/verify/ledger.ts'
import { receiptRows } from '../store/verify/letters.ts'
import { noticeEvents } from '../store/verify/notices.ts'
import { capturedPayments, paymentAttemptRows } from '../store/verify/payments.ts'
import { periodRows } from '../store/verify/periods.ts'
import { managementLinkRows, portalVisitorRows } from '../store/verify/portal.ts'
import { refundEvents, refundRows } from '../store/verify/refunds.ts'
import { statementRows } from '../store/verify/statements.ts'
import { subscriptionRows } from '../store/verify/subscriptions.ts'
import { webhookNumbers, webhookRows } from '../store/verify/webhooks.ts'
import type { App } from './app.ts'

const passes: readonly Pass[] = [
  ledgerRows,
  subscriptionTotals,
  subscriptionRows,
  appliedCoupons,
  couponRows,
  discountRows,
  taxRows,
  componentStock,
  webhookRows,
  webhookNumbers,
  receiptRows,
  allocationRows,
  statementRows,
  invoiceRows,
  invoiceLineRows,
  invoiceEntryRows,
  periodRows,
  paymentAttemptRows,
  refundRows,
  paymentEvents,
  refundEvents,
  statementEvents,
  invoiceEvents,
  lifeEvents,
  stateEvents,
  managementLinkRows,
  portalVisitorRows,
  noticeEvents,
  capturedPayments(bogusGatewayName, bogusCaptured),
]

const examplesMax = 5

/** Writes nothing, and sees each site at one moment: it may run beside a service that is at work. All sites, or one. */
export async function verify(
  app: Pick<App, 'db'>,
  { siteId }: { siteId?: number } = {},
): Promise<{ text: string; differences: number }> {
  const totals = new Map<string, Finding>()
  const sites = (await listSites(app.db)).filter(({ id }) => siteId === undefined || id === siteId)
  for (const { id, subdomain } of sites) {
    await inSnapshot(app.db, async (tx) => {
      for (const pass of passes) {
        for (const finding of await listFindings(tx, id, pass)) add(totals, finding, subdomain)
      }
    })
  }
  const findings = [...totals.values()]
  const differences = findings.reduce((sum, finding) => sum + finding.differences, 0)
  const verdict = `${counted(differences, 'difference')} in ${counted(sites.length, 'site')}`
  return { text: [...linesOf(findings), '', verdict].join('\n'), differences }
}

function add(totals: Map<string, Finding>, { sentence, checked, differences, examples }: Finding, site: string): void {
  const total = totals.get(sentence)
  const named = examples.map((words) => `${site}: ${words}`)
  totals.set(sentence, {
    sentence,
    checked: (total?.checked ?? 0) + checked,
    differences: (total?.differences ?? 0) + differences,
    examples: [...(total?.examples ?? []), ...named].slice(0, examplesMax),
  })
}

function linesOf(findings: readonly Finding[]): string[] {
  const width = Math.max(...findings.map(({ sentence }) => sentence.length))
  return findings.flatMap(({ sentence, checked, differences, examples }) => [
    `${sentence.padEnd(width)}  ${counted(checked, 'row').padStart(14)}, ${counted(differences, 'difference')}`,
    ...examples.map((words) => `    ${words}`),
    ...(differences > examples.length ? [`    and ${number.format(differences - examples.length)} more`] : []),
  ])
}

const number = new Intl.NumberFormat('en-US')

const counted = (count: number, noun: string): string => `${number.format(count)} ${noun}${count === 1 ? '' : 's'}`
