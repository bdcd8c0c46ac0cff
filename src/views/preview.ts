/** How the rehearsal of a billing event is shown: its lines and what they come to. */
import type { Assessment } from '../billing/assessment.ts'
import type { TransactionKind } from '../billing/ledger.ts'
import type { RenewalPreview } from '../billing/preview.ts'
import type { BillingManifest, SignupPreview } from '../billing/signup-preview.ts'
import type { Fields } from '../wire/shape.ts'
import { formatTimestamp, formatUtc } from '../wire/timestamp.ts'
import { lineItemShape, presentLineItem } from './preview-line.ts'

export const renewalPreviewShape: Fields = {
  fields: {
    next_assessment_at: 'datetime',
    subtotal_in_cents: 'integer',
    total_discount_in_cents: 'integer',
    total_tax_in_cents: 'integer',
    total_in_cents: 'integer',
    existing_balance_in_cents: 'integer',
    total_amount_due_in_cents: 'integer',
    uncalculated_taxes: 'boolean',
    line_items: { list: lineItemShape, item: 'line_item' },
  },
}

export const presentTotals = (assessment: Pick<Assessment, 'subtotal' | 'discount' | 'tax' | 'total'>) => ({
  subtotal_in_cents: assessment.subtotal,
  total_discount_in_cents: assessment.discount,
  total_tax_in_cents: assessment.tax,
  total_in_cents: assessment.total,
})

/** All taxes are computed here, so none is left uncalculated. */
export const presentRenewalPreview = (preview: RenewalPreview, timeZone: string) => ({
  next_assessment_at: formatTimestamp(preview.nextAssessmentAt, timeZone),
  ...presentTotals(preview.assessment),
  existing_balance_in_cents: preview.existingBalance,
  total_amount_due_in_cents: preview.totalAmountDue,
  uncalculated_taxes: false,
  line_items: preview.assessment.lines.map((line) => presentLineItem(line, preview.about, timeZone)),
})

const manifestShape: Fields = {
  fields: {
    line_items: { list: lineItemShape, item: 'line_item' },
    subtotal_in_cents: 'integer',
    total_discount_in_cents: 'integer',
    total_tax_in_cents: 'integer',
    total_in_cents: 'integer',
    start_date: 'datetime',
    end_date: 'datetime',
    period_type: 'string',
    existing_balance_in_cents: 'integer',
  },
}

export const signupPreviewShape: Fields = {
  fields: { current_billing_manifest: manifestShape, next_billing_manifest: manifestShape },
}

/** Clients know one kind for the lines of components, whatever these are. */
const manifestKind = (kind: TransactionKind): TransactionKind | 'component' =>
  kind.endsWith('_component') ? 'component' : kind

const presentManifest = ({ assessment, about, periodType, existingBalance }: BillingManifest, timeZone: string) => ({
  line_items: assessment.lines.map((line) => ({
    ...presentLineItem(line, about, timeZone),
    kind: manifestKind(line.kind),
  })),
  ...presentTotals(assessment),
  start_date: formatUtc(about.period.startsAt),
  end_date: formatUtc(about.period.endsAt),
  period_type: periodType,
  existing_balance_in_cents: existingBalance,
})

/** There is no next manifest of a subscription that expires first. */
export const presentSignupPreview = ({ current, next }: SignupPreview, timeZone: string) => ({
  current_billing_manifest: presentManifest(current, timeZone),
  next_billing_manifest: next && presentManifest(next, timeZone),
})
